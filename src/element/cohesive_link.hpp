#pragma once
/// Cohesion: what still holds the two sides of a young crack together, until the energy of its surface has been spent.
/// docs/cohesion.md.

#include "core/types.hpp"
#include "material/toughness.hpp"

#include <algorithm>
#include <array>

namespace sunder::element {

/// What a link is made with, where a node is parted.
struct CohesiveLaw {
  double area = 0;       ///< Of the new surface that the link stands for, at rest [m^2].
  double strength = 0;   ///< [Pa]
  double stiffness = 0;  ///< k of the closed link, force over opening across the crack [N/m].
  material::Cohesion cohesion;

  double greatest_stiffness() const { return stiffness * std::max(1.0, cohesion.shear_ratio * cohesion.shear_ratio); }
};

/// How a link holds the two nodes now. The force acts on the node on the positive side; the other gets the opposite.
struct CohesivePull {
  Vec3 force = Vec3::Zero();  ///< [N]
  double opening = 0;         ///< The effective one: what is compared with CohesiveLink::greatest() [m].
};

/// A link between the two nodes that one node has become: extrinsic and irreversible (Camacho and Ortiz 1996). Vectors
/// are along the axes of the crack, which turn with it: two along the crack, the third its normal, from the negative to
/// the positive side.
///
/// It is born with the force F0 that held the node together, so that the acceleration of neither side jumps; what
/// pressed the two sides on each other is left out, as it would be an energy from nowhere. With d the opening (positive
/// minus negative node), and u = d + u0 with its parts u_n across the crack and u_t along it, the link holds with
///
///   g = |(u_n, beta u_t)|, the effective opening       F/g (u_n + beta^2 u_t): the work of the force is F dg
///   F = k g                                            up to its strength F_s, that is g = F_s/k
///   F = F_s times what softening leaves at g           beyond, g the greatest so far: back towards u = 0
///   F = 0                                              once g has reached d_c
///
/// u0 is where the force is F0; along the crack no more of that than beta times the greater of F0 and the strength,
/// which is what a link that slides can bear. F_s is the greater of the material's strength over its area and of k g at
/// u0. d_c is chosen so that what the link has taken from the bodies when it breaks is G_c times its area. Where that
/// is too little to reach F_s, the link is weaker. Sides that press on each other, u_n below zero, are pushed back with
/// k u_n, and that is no opening.
class CohesiveLink {
public:
  CohesiveLink() = default;
  explicit CohesiveLink(const CohesiveLaw& law) : law_(law) {}

  bool begun() const noexcept { return greatest_ > 0; }  ///< Does it have its first force?
  /// Gives it its first force on the negative node [N], as far as that pulls it towards the positive one or along the
  /// crack.
  void begin(const Vec3& first_force);

  CohesivePull pull(const Vec3& opening) const;  ///< opening: d [m]
  /// The state after such an opening: it cannot be undone.
  void open_to(double effective_opening) noexcept
  {
    greatest_ = greatest_ < effective_opening ? effective_opening : greatest_;
  }

  /// What opening the link farther than ever costs for good, and how that grows with the opening.
  struct Dissipation {
    double energy = 0;          ///< [J]
    Vec3 slope = Vec3::Zero();  ///< [N]
  };
  /// softens: the slope is that of a link that opens farther than ever, also where this one does not.
  Dissipation dissipation(const Vec3& opening, bool softens) const;
  /// Is its opening within a percent of the greatest so far, so that it is about to soften?
  bool about_to_soften(const Vec3& opening) const;

  /// What the link has taken from the bodies since its birth: stored and dissipated [J].
  double absorbed(const Vec3& opening) const;
  /// What of that is stored because its sides press on each other [J].
  double stored_by_pressing(const Vec3& opening) const;

  /// What it can bear now, over what it could when it was born: 1 to 0.
  double strength_left() const;
  bool broken() const noexcept { return begun() && greatest_ >= final_; }
  /// Do its sides still push each other?
  bool pressed(const Vec3& opening) const { return opening.z() + offset_.z() < 0; }

  /// A share of the link for another node: both together hold as this did.
  CohesiveLink share(double part) const;

  /// All that it is, for those who store it.
  static constexpr std::size_t num_values = 13;
  std::array<double, num_values> values() const;
  static CohesiveLink from(const std::array<double, num_values>& values);

  const CohesiveLaw& law() const noexcept { return law_; }
  double surface_energy() const noexcept { return law_.cohesion.energy * law_.area; }  ///< G_c times its area [J].
  double greatest() const noexcept { return greatest_; }                               ///< [m]
  double final_opening() const noexcept { return final_; }                             ///< d_c [m]
  double strength() const noexcept { return strength_; }                               ///< F_s [N]
  const Vec3& offset() const noexcept { return offset_; }                              ///< u0 [m]

private:
  struct Opening;
  Opening opening_of(const Vec3& u) const;
  double progress(double greatest) const;
  double secant(double greatest) const;
  double dissipated(double greatest) const;

  CohesiveLaw law_;
  double strength_ = 0;
  double final_ = 0;
  double greatest_ = 0;
  double first_ = 0;  // effective opening at u0
  Vec3 offset_ = Vec3::Zero();
};

}  // namespace sunder::element
