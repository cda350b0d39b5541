#include "config/schema.hpp"
#include "example.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace sunder;
using namespace sunder::config;
using namespace sunder::config::testing;

namespace {

/// Changes of a text, always the same for the same seed.
class Mutator {
public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string operator()(std::string text)
  {
    for (std::size_t changes = 1 + below(2); changes > 0; --changes) text = changed(std::move(text));
    return text;
  }

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

private:
  std::string changed(std::string text)
  {
    const std::size_t at = below(text.size());
    switch (below(8)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        return text;
      case 1:
        return text.substr(0, at);
      case 2:
        return text.insert(at, line(text, below(text.size())));
      case 3:
        return text.erase(at, 1 + below(20));
      case 4:
        return swapped(std::move(text), at, below(text.size()));
      case 5:
        return text.replace(token_begin(text, at), token_size(text, token_begin(text, at)), strange());
      case 6:
        return text.insert(at, strange());
      default:
        return text.insert(line_begin(text, at), line(text, below(text.size())));
    }
  }

  std::string strange()
  {
    static const std::vector<std::string> tokens{".nan",     "nan",         "inf",       "-.inf", "1e400",
                                                 "-1",       "0",           "1e-320",    "1e99",  "~",
                                                 "null",     "[",           "]",         "{",     "}",
                                                 "- ",       ": ",          "? ",        "&a ",   "*a",
                                                 "!!float ", "<<: *a",      "\"",        "'",     "#",
                                                 "|\n",      ">\n",         "---\n",     "...",   "\t",
                                                 "%YAML",    "auto",        "none",      "base",  "plaster",
                                                 "true",     "xyz",         "@",         "\r",    "[0, 0, 0]",
                                                 "0x10",     "1_0",         "/dev/zero", "..",    std::string(1, '\0'),
                                                 "\xff\xfe", "\xef\xbb\xbf"};
    return tokens[below(tokens.size())];
  }

  static bool is_token(char c)
  {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
  }
  static std::size_t token_begin(const std::string& text, std::size_t at)
  {
    while (at < text.size() && !is_token(text[at])) ++at;
    while (at > 0 && at < text.size() && is_token(text[at - 1])) --at;
    return at;
  }
  static std::size_t token_size(const std::string& text, std::size_t begin)
  {
    std::size_t end = begin;
    while (end < text.size() && is_token(text[end])) ++end;
    return end - begin;
  }
  static std::string swapped(std::string text, std::size_t a, std::size_t b)
  {
    a = token_begin(text, std::min(a, b)), b = token_begin(text, std::max(a, b));
    if (b <= a) return text;
    const std::string first = text.substr(a, token_size(text, a)), second = text.substr(b, token_size(text, b));
    text.replace(b, second.size(), first);
    return text.replace(a, first.size(), second);
  }
  static std::size_t line_begin(const std::string& text, std::size_t at)
  {
    while (at > 0 && text[at - 1] != '\n') --at;
    return at;
  }
  static std::string line(const std::string& text, std::size_t at)
  {
    const std::size_t begin = line_begin(text, at), end = text.find('\n', begin);
    return text.substr(begin, end == std::string::npos ? end : end - begin + 1);
  }

  std::mt19937 random_;
};

bool finite(std::initializer_list<double> numbers)
{
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

/// Only "none" of k1, k2 and toughness is infinite, and nothing is NaN.
bool is_sound(const material::Material& m)
{
  return finite({m.lambda, m.mu, m.phi, m.psi, m.density, m.residual}) &&
         (m.anisotropy || (m.mu > 0 && 3 * m.lambda + 2 * m.mu > 0)) && m.density > 0 && m.k1 >= 0 && m.k2 >= m.k1 &&
         m.toughness > 0 && m.residual >= 0 && m.residual <= 1;
}

bool is_sound(const Body& b, std::size_t num_materials)
{
  const bool regions = std::all_of(b.regions.begin(), b.regions.end(),
                                   [&](const Region& r) { return r.material < num_materials && !r.set.empty(); });
  return regions && b.material < num_materials && b.mesh.file.empty() != b.mesh.geometry.empty() &&
         finite({b.mesh.size, b.mesh.grading, b.mesh.scale, b.rotation_angle}) && b.position.allFinite() &&
         std::abs(b.rotation_axis.norm() - 1) < 1e-14 && b.velocity.allFinite() && b.spin.allFinite();
}

bool is_sound(const contact::Obstacle& o)
{
  const auto& r = o.response;
  return o.position.allFinite() && o.velocity.allFinite() && std::abs(o.normal.norm() - 1) < 1e-14 &&
         finite({o.radius, o.mass, r.stiffness, r.damping, r.friction_static, r.friction_dynamic, r.slip_speed}) &&
         (!o.circle || (o.circle->center.allFinite() && std::isfinite(o.circle->rate) && o.path.empty() &&
                        std::abs(o.circle->axis.norm() - 1) < 1e-14)) &&
         (o.shape != rigid::Shape::sphere || o.radius > 0) &&
         (o.shape != rigid::Shape::box || (o.size.array() > 0).all()) && o.size.allFinite() && o.spin.allFinite() &&
         std::abs(o.rotation_axis.norm() - 1) < 1e-14 && std::isfinite(o.rotation_angle) &&
         (o.motion != rigid::MotionKind::free || o.mass > 0) &&
         std::all_of(o.path.begin(), o.path.end(),
                     [](const auto& p) { return std::isfinite(p.time) && p.position.allFinite(); });
}

bool is_sound(const Selection& w)
{
  return (!w.box || (w.box->min.array() < w.box->max.array()).all()) &&
         (!w.sphere || (w.sphere->center.allFinite() && w.sphere->radius > 0)) &&
         (!w.cylinder || (w.cylinder->point.allFinite() && w.cylinder->axis.allFinite() && w.cylinder->radius > 0));
}

bool is_sound(const VectorPoint& p)
{
  return std::isfinite(p.time) && p.value.allFinite();
}
bool is_sound(const NumberPoint& p)
{
  return finite({p.time, p.value});
}
template <class Point>
bool sound_points(const std::vector<Point>& points)
{
  return std::all_of(points.begin(), points.end(), [](const Point& p) { return is_sound(p); });
}

bool is_sound(const BoundaryCondition& b)
{
  return is_sound(b.where) && (!b.velocity.empty() || !b.displacement.empty() || b.rotation) &&
         (b.velocity.empty() || b.displacement.empty()) && sound_points(b.velocity) && sound_points(b.displacement) &&
         (!b.rotation || (std::abs(b.rotation->axis.norm() - 1) < 1e-14 && b.rotation->center.allFinite() &&
                          b.rotation->rate.empty() != b.rotation->angle.empty() && sound_points(b.rotation->rate) &&
                          sound_points(b.rotation->angle)));
}

bool is_sound(const Blast& b)
{
  return b.origin.allFinite() && finite({b.speed, b.peak, b.rise, b.decay, b.shape, b.start}) && b.speed > 0 &&
         b.peak > 0 && b.decay > 0 && (!b.falloff || b.falloff->distance > 0);
}

bool is_sound(const Load& l)
{
  return !l.traction.empty() + !l.pressure.empty() + l.blast.has_value() == 1 && is_sound(l.where) &&
         sound_points(l.traction) && sound_points(l.pressure) && (!l.blast || is_sound(*l.blast));
}

bool is_sound(const Scene& s)
{
  const auto all = [](const auto& items) {
    return std::all_of(items.begin(), items.end(), [](const auto& x) { return is_sound(x); });
  };
  const auto& [end, step, safety, factor, scheme, cap, scaling, inverted, local_steps, macro_step] = s.time;
  const auto& f = s.fracture;
  return !s.bodies.empty() && all(s.materials) &&
         std::all_of(s.bodies.begin(), s.bodies.end(),
                     [&](const Body& b) { return is_sound(b, s.materials.size()); }) &&
         all(s.obstacles) && all(s.boundary) && all(s.loads) && s.gravity.allFinite() &&
         finite({end, step, safety, factor, cap, scaling, macro_step, f.snap_distance, f.snap_angle, f.snap_relative,
                 f.least_height, f.back_crack_angle, f.residual, s.output.history_interval, s.output.frame_interval}) &&
         end > 0 && f.max_rounds > 0;
}

}  // namespace

TEST_CASE("whatever the text, there is a sound scene or an error that says where", "[config][fuzz]")
{
  const SceneFolder folder;
  Mutator mutate(2024);
  int good = 0, bad = 0;
  for (int k = 0; k < 10'000; ++k) {
    const std::string text = mutate(k % 4 == 0 ? smallest : k % 4 == 1 ? motions : full);
    try {
      const Scene scene = folder.parse(text);
      ++good;
      INFO(text);
      REQUIRE(is_sound(scene));
      if (k % 8 == 0) REQUIRE(to_yaml(folder.parse(to_yaml(scene))) == to_yaml(scene));
    } catch (const Error& error) {
      ++bad;
      INFO(text << "\n" << error.what());
      REQUIRE(std::string(error.what()).starts_with(folder.file("scene.yaml")));
    }
  }
  CHECK(good > 500);  // else the changes are too wild to get past the syntax
  CHECK(bad > 500);
}

TEST_CASE("whatever is set, there is a sound scene or an error that says which", "[config][fuzz]")
{
  const SceneFolder folder;
  Mutator mutate(99);
  const std::vector<std::string> options{"bodies.plate.mesh.size=0.1",         "materials.plaster.toughness.force=5",
                                         "obstacles.0.path.0.position.2=1e-3", "bodies.1.material.base=glass",
                                         "boundary.ring.where={set: a}",       "time.end=1"};
  for (int k = 0; k < 2'000; ++k) {
    const std::string option = mutate(options[static_cast<std::size_t>(k) % options.size()]);
    try {
      const Scene scene = folder.parse(full, {option});
      INFO(option);
      REQUIRE(is_sound(scene));
    } catch (const Error& error) {
      INFO(error.what());
      REQUIRE(std::string(error.what()).find(": expected ") != std::string::npos);
    }
  }
}
