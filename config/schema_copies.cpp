#include "config/schema_copies.hpp"

#include "core/hash.hpp"

#include <fmt/format.h>

#include <numbers>
#include <set>

namespace sunder::config {
namespace {

Table<Copies> copies_table()
{
  using C = Copies;
  return {
      .fields =
          {
              required(vector("count", &C::count, "-", "How many along x, y and z; at most a million in all.")),
              vector("spacing", &C::spacing, "m", "From one to the next along x, y and z."),
              flag("turned", &C::turned, "true: each is turned about its origin by a rotation drawn from the seed."),
              integer("seed", &C::seed, {.min = 0, .max = 2147483647}, "Of turned."),
          },
      .check = [](C& c, const Value& v, const std::string& path, Context&) {
        constexpr double most = 1e6;  // in all
        const bool whole = (c.count.array() >= 1 && c.count.array() == c.count.array().floor()).all();
        if (!whole || c.count.prod() > most)
          refuse(v.find("count")->place, key_path(path, "count"),
                 fmt::format("three whole numbers >= 1 whose product is at most {:.0f}", most),
                 inline_text(*v.find("count")));
      }};
}

/// A rotation of uniform distribution: the same for the same numbers (K. Shoemake, Graphics Gems III, 1992).
Eigen::AngleAxisd random_rotation(std::uint64_t seed, std::uint64_t number)
{
  const auto uniform = [&](std::uint64_t k) {
    return static_cast<double>(mix(mix(seed + 1) ^ mix(3 * number + k)) >> 11) * 0x1p-53;
  };
  const double s = uniform(0), a = 2 * std::numbers::pi * uniform(1), b = 2 * std::numbers::pi * uniform(2);
  return Eigen::AngleAxisd(Eigen::Quaterniond(std::sqrt(s) * std::cos(b), std::sqrt(1 - s) * std::sin(a),
                                              std::sqrt(1 - s) * std::cos(a), std::sqrt(s) * std::sin(b)));
}

}  // namespace

Field<Body> copies_field()
{
  auto field =
      mapping("copies", &Body::copies, copies_table(),
              "More bodies like this one, on a grid that begins at position. They are called NAME_1, NAME_2 ...");
  field.write = [](const Body&, const Context&) -> std::optional<Value> { return std::nullopt; };
  return field;
}

void make_copies(Scene& scene)
{
  std::vector<Body> all;
  for (const Body& body : scene.bodies) {
    const Copies& copies = body.copies;
    if (copies.count.prod() == 1 && !copies.turned) {
      all.push_back(body);
      continue;
    }
    std::uint64_t number = 0;
    for (int z = 0; z < copies.count.z(); ++z)
      for (int y = 0; y < copies.count.y(); ++y)
        for (int x = 0; x < copies.count.x(); ++x) {
          Body& copy = all.emplace_back(body);
          copy.name = fmt::format("{}_{}", body.name, ++number);
          copy.position += copies.spacing.cwiseProduct(Vec3(x, y, z));
          copy.copies = {};
          if (!copies.turned) continue;
          const Eigen::AngleAxisd turn(random_rotation(static_cast<std::uint64_t>(copies.seed), number) *
                                       Eigen::AngleAxisd(body.rotation_angle, body.rotation_axis.normalized()));
          copy.rotation_axis = turn.axis(), copy.rotation_angle = turn.angle();
        }
  }
  scene.bodies = std::move(all);
}

void check_names_of_copies(const Scene& scene, const Value& bodies)
{
  std::set<std::string> seen;
  for (const Body& body : scene.bodies) {
    if (!is_name(body.name))
      refuse(bodies.place, "bodies", "names of at most 60 letters, those of copies too", body.name);
    if (!seen.insert(body.name).second)
      refuse(bodies.place, "bodies", "each name once, those of copies too (NAME_1, NAME_2 ...)", body.name + " twice");
  }
}

}  // namespace sunder::config
