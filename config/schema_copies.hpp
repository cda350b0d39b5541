#pragma once
/// `copies` of a body. Local.

#include "config/field.hpp"
#include "config/scene.hpp"

namespace sunder::config {

Field<Body> copies_field();

/// Bodies with copies become so many bodies.
void make_copies(Scene& scene);

/// Throws Error unless the names of all bodies can stand in a completed scene. After make_copies().
void check_names_of_copies(const Scene& scene, const Value& bodies);

}  // namespace sunder::config
