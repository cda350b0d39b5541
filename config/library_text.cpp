#include "config/library_text.hpp"

#include <utility>

namespace sunder::config {
namespace {

std::string& text()
{
  static std::string instance;
  return instance;
}

}  // namespace

const std::string& material_library_text()
{
  return text();
}

void set_material_library(std::string its_text)
{
  text() = std::move(its_text);
}

}  // namespace sunder::config
