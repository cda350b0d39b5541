#pragma once
/// The faces between two materials around a node: their plane, and what acts across it. docs/materials.md.

#include "element/model.hpp"

#include <optional>

namespace sunder::element {

/// Unit normals of the mean of these faces, from the first material of the interface to the second: in the material,
/// and in the world now.
struct InterfacePlane {
  Vec3 N, normal;
};

/// Local. Of an owned node; nothing where it has no such face.
std::optional<InterfacePlane> interface_plane(const Model& model, LocalIndex n, const material::Interface& between);

/// Local. Is element e, around node n, on the first material's side? Elements of other materials go by their centroid.
bool on_first_side(const Model& model, LocalIndex e, LocalIndex n, const material::Interface& between,
                   const Vec3& normal);

/// Local. What holds the two sides of an owned node together, (m_a f_b - m_b f_a)/(m_a + m_b), from their internal
/// forces f and masses m: neither side would be accelerated otherwise if it acted on both [N].
Vec3 force_across(const Model& model, LocalIndex n, const material::Interface& between, const Vec3& normal);

/// Local. The area by which they do: sum vol/2 N . g of the first side less that of the second, links left out. Stress
/// that is the same all around makes a force_across() of stress times this area. area_across() is greater, the more so
/// the flatter the elements, since it adds up absolute values [m^2]
double area_between(const Model& model, LocalIndex n, const material::Interface& between, const InterfacePlane& plane);

/// What opens a crack with a normal: sqrt(<F_n>^2 + (F_t / shear_ratio)^2), as a link counts its opening (Camacho and
/// Ortiz 1996). What presses does not count [N].
double effective_pull(const Vec3& force, const Vec3& normal, double shear_ratio);

}  // namespace sunder::element
