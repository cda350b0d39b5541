#pragma once
/// Keys of materials that are not the same in all directions: orientations, 6 x 6 constants, engineering constants.
/// Local.

#include "config/field.hpp"

namespace sunder::config {

/// A rotation as {axis, angle}, as {x, y}, or as {matrix}: its columns are a material's own axes in the mesh.
KeyDoc orientation_doc(const char* text);
Mat3 read_orientation(const Value& value, const std::string& path, Context& c);
Value write_orientation(const Mat3& axes);

/// The six rows of a symmetric matrix in Voigt's order. Each row is whole or begins at the diagonal.
KeyDoc constants_doc(const char* key, const char* unit, const char* text);
material::Mat6 read_constants(const Value& value, const std::string& path, const std::string& unit);
Value write_constants(const material::Mat6& C);

/// `orthotropic`, nine constants, and `transversely_isotropic`, five.
Table<material::Orthotropic> orthotropic_table();
Table<material::Orthotropic> transverse_table();

/// Throws Error unless C is positive definite; with may_be_zero, unless it has no negative eigenvalue.
void check_definite(const material::Mat6& C, const Place& place, const std::string& path, const char* unit,
                    bool may_be_zero);

}  // namespace sunder::config
