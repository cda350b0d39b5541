#include "lattice/expression.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <numbers>
#include <utility>

namespace sunder::lattice {

struct Expression::Compiled {
  mu::Parser parser;
  Vec3 X = Vec3::Zero();
};

Expression::Expression(std::string text) : text_(std::move(text)), compiled_(std::make_shared<Compiled>())
{
  mu::Parser& parser = compiled_->parser;
  try {
    parser.DefineVar("x", &compiled_->X.x());
    parser.DefineVar("y", &compiled_->X.y());
    parser.DefineVar("z", &compiled_->X.z());
    parser.DefineConst("pi", std::numbers::pi);
    parser.SetExpr(text_);
    int values = 0;
    parser.Eval(values);  // compiles
    if (values != 1) throw Error(fmt::format("{} values with commas between them", values), ExitStatus::bad_input);
  } catch (const mu::Parser::exception_type& error) {
    throw Error(error.GetMsg(), ExitStatus::bad_input);
  }
}

double Expression::operator()(const Vec3& X) const
{
  compiled_->X = X;
  return compiled_->parser.Eval();
}

}  // namespace sunder::lattice
