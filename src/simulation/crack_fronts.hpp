#pragma once
/// Tubes around crack fronts, over which the J-integral is taken. docs/output.md.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "element/model.hpp"

#include <array>
#include <string>
#include <vector>

namespace sunder::simulation {

/// The surroundings of a front that has run for `advance` [m] along its direction of growth. Local.
class FrontTube {
public:
  FrontTube(const config::CrackFront& front, double advance);

  /// Rows: growth, normal, along the front.
  const Mat3& axes() const noexcept { return axes_; }
  /// A point of the undeformed material, seen from the front, along those axes. [m]
  Vec3 local(const Vec3& X) const { return axes_ * (X - origin_); }
  /// q of the domain integral: 1 on the front and as far as half of the radius, 0 from the radius on.
  static double weight(const Vec3& local, double radius);

private:
  Mat3 axes_;
  Vec3 origin_;
};

/// Does the largest tube around the front where the scene has it reach into an element with these corners? Local.
bool in_tube(const config::CrackFront& front, const std::array<Vec3, 4>& corners);

/// Collective. Throws Error (bad_input) on every rank if a tube has no element.
void check_crack_fronts(const std::vector<config::CrackFront>& fronts, const element::Model& model, const Comm& comm);

/// Local. What is said of a tube without elements; key: of the scene, with file and line.
std::string tube_is_empty(const std::string& key);

/// Local. A warning for each front whose tube has fewer elements over its radius than integrals take. size: a typical
/// edge [m].
std::vector<std::string> notes_on_crack_fronts(const std::vector<config::CrackFront>& fronts, double size);

}  // namespace sunder::simulation
