#pragma once
/// What makes a state meaningless. Local, all of it; every rank names the same entity, so that messages do not depend
/// on the number of ranks (throw_on_all() takes the smallest id).

#include "core/error.hpp"
#include "simulation/state.hpp"

#include <optional>

namespace sunder::simulation {

/// The owned node with the smallest id whose velocity is not a finite number, if there is one.
std::optional<Failure> find_not_a_number(const State& state);

/// The element turned inside out (det F <= 0) with the smallest id; `found` is one of them.
LocalIndex first_inverted(const element::Model& model, LocalIndex found);

/// Says that element e is turned inside out.
Failure describe_inverted(const State& state, LocalIndex e);

}  // namespace sunder::simulation
