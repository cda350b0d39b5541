#pragma once
/// Forces through planes of the material, one row for each output step: sections.csv. docs/output.md.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "core/reduction.hpp"
#include "element/model.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// What the material on the normal's side of a section does to the rest.
struct SectionRow {
  Vec3 force = Vec3::Zero();     ///< [N]
  Vec3 moment = Vec3::Zero();    ///< About the centroid [N m].
  Vec3 centroid = Vec3::Zero();  ///< Of the plane's part in the material, where that is now [m].
  double area = 0;               ///< In the undeformed material [m^2]; 0: the plane cuts nothing.
};

/// The plane lies between nodes: those on it are on the normal's side. An element with nodes on both sides is cut, and
/// the force is the sum of the internal forces of such elements on their nodes on the other side. So it is, to
/// round-off, the rate of momentum of all nodes on that side, less the other forces on them. Sums are over ranks in an
/// order that depends on their number, so rows agree to round-off. Numbers are to stay at their address until the
/// reduction is over.
class SectionSums {
public:
  /// Local. This rank's, in the current motion. O(elements).
  SectionSums(const std::vector<config::Section>& sections, const element::Model& model);

  void join(Reduction& all);             ///< Local. With the others of the reduction.
  std::vector<SectionRow> rows() const;  ///< Local, after the reduction. In the order of the scene.

private:
  struct Sum {
    Vec3 point = Vec3::Zero();     // of the plane
    Vec3 force = Vec3::Zero();     // [N]
    Vec3 moment = Vec3::Zero();    // about the point [N m]
    Vec3 centroid = Vec3::Zero();  // from the point, times area [m^3]
    double area = 0;               // [m^2]
  };
  std::vector<Sum> sums_;
};

/// Local. NAME.fx and so on, in the order of the scene, and the numbers of rows.
std::vector<std::string> section_columns(const std::vector<config::Section>& sections);
std::vector<double> section_numbers(const std::vector<SectionRow>& rows);

}  // namespace sunder::simulation
