#pragma once
/// Linear solves by PETSc: conjugate gradients with algebraic multigrid unless options say otherwise. Results agree to
/// the tolerance on any number of ranks, not to the bit.

#include "solvers/linear_solver.hpp"

#include <map>
#include <memory>
#include <string>

namespace sunder::solvers {

/// Options of PETSc by name, without the leading minus, as in {"pc_type", "hypre"}. An empty value is a flag.
using PetscOptionList = std::map<std::string, std::string>;

/// How messages begin that are about "petsc" or "petsc.NAME", such as "wall.yaml:14:16: petsc.pc_type". One that is not
/// here begins with the path alone.
using MessageKeys = std::map<std::string, std::string>;

class PetscSolver final : public LinearSolver {
public:
  /// Collective. Starts PETSc if nobody has.
  PetscSolver(const Comm& comm, PetscOptionList options, MessageKeys keys = {});
  ~PetscSolver() override;

  /// Collective. Throws AgreedError (bad_input) at the first call if PETSc did not know one of the options or refused
  /// its value.
  void set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern) override;
  /// Collective.
  LinearResult solve(std::span<const double> b, std::span<double> x, double tolerance) override;

private:
  class Objects;  // PETSc's
  std::unique_ptr<Objects> objects_;
};

}  // namespace sunder::solvers
