#pragma once
/// Which linear solver a scene asks for.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "solvers/linear_solver.hpp"

#include <memory>

namespace sunder::simulation {

/// Collective.
std::unique_ptr<solvers::LinearSolver> make_linear_solver(const config::Scene& scene, const Comm& comm);

}  // namespace sunder::simulation
