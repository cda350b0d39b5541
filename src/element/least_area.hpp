#pragma once
/// Lower bounds of the area by which a node bears across a plane. docs/fracture.md.

#include "core/types.hpp"
#include "material/tensor.hpp"

#include <span>

namespace sunder::element {

/// n . form n is no more than A(n) = sum_k |n . joined_k|, as |n . a| >= (n . a)^2 / |a| [m^2]. Pure.
material::Symmetric<double> form_of_area(std::span<const Vec3> joined);

/// A lower bound of the least, of all unit normals n, of the greater of A(n) - U(n) and of StrengthBound::least_joined
/// A(n), with U(n) = sum_k |n . unjoined_k| [m^2]. Within some tenth of it where the vectors have many directions. Pure.
double least_area(std::span<const Vec3> joined, std::span<const Vec3> unjoined);

}  // namespace sunder::element
