#include "solvers/petsc_solver.hpp"

#include "core/error.hpp"
#include "solvers/petsc_session.hpp"

#include <fmt/format.h>
#include <petscksp.h>

#include <cmath>
#include <limits>
#include <optional>

namespace sunder::solvers {

#define SUNDER_PETSC(call) petsc_check(call, #call)

/// PETSc's objects by value: destroyed with the last of them.
template <class Handle, PetscErrorCode (*destroy)(Handle*)>
class Owned {
public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { reset(); }
  void reset()
  {
    if (handle_) destroy(&handle_);
  }
  Handle* out()
  {
    reset();
    return &handle_;
  }
  operator Handle() const { return handle_; }  // NOLINT: stands for it in calls of PETSc

private:
  Handle handle_ = nullptr;
};

namespace {

/// What serves most: multigrid by smoothed aggregation knows rigid motions, and a smoother without inner products.
PetscOptionList with_defaults(PetscOptionList options)
{
  options.insert({{"ksp_type", "cg"}, {"pc_type", "gamg"}});
  const std::string& method = options["ksp_type"];
  const bool only_preconditioned = method == "minres" || method == "symmlq" || method == "lcd";
  if (!only_preconditioned) options.insert({"ksp_norm_type", "unpreconditioned"});
  if (options["pc_type"] == "gamg")
    options.insert({{"pc_gamg_threshold", "0.01"},
                    {"pc_gamg_use_sa_esteig", "false"},  // which would outlive the matrix that they are of
                    {"mg_levels_ksp_type", "chebyshev"},
                    {"mg_levels_pc_type", "jacobi"}});
  return options;
}

PetscInt narrow(std::int64_t x)
{
  if (x > std::numeric_limits<PetscInt>::max())
    throw Error(fmt::format("PETSc: expected a number below 2^31, as this PETSc has 32-bit indices, got {}; use more "
                            "ranks, or solver.reproducible: true",
                            x),
                ExitStatus::simulation_failed);
  return static_cast<PetscInt>(x);
}

std::string in_words(KSPConvergedReason reason)
{
  switch (reason) {
    case KSP_DIVERGED_ITS:
      return "no convergence in the iterations allowed (petsc.ksp_max_it)";
    case KSP_DIVERGED_DTOL:
      return "the residual grew";
    case KSP_DIVERGED_BREAKDOWN:
      return "the iteration broke down";
    case KSP_DIVERGED_INDEFINITE_PC:
      return "the preconditioner is not positive definite";
    case KSP_DIVERGED_INDEFINITE_MAT:
      return "the matrix is not positive definite";
    case KSP_DIVERGED_NANORINF:
      return "a number overflowed or is not a number";
    case KSP_DIVERGED_PC_FAILED:
      return "the preconditioner could not be made: the matrix may be singular";
    default:
      return fmt::format("PETSc stopped with reason {} ({})", static_cast<int>(reason), KSPConvergedReasons[reason]);
  }
}

}  // namespace

class PetscSolver::Objects {
public:
  Objects(const Comm& comm, PetscOptionList given, MessageKeys keys)
    : comm_(comm), given_(std::move(given)), keys_(std::move(keys)), options_(with_defaults(given_))
  {
  }

  void set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern)
  {
    if (!matrix_ || !same_pattern) make(layout, A);
    SUNDER_PETSC(MatSetValuesCOO(matrix_, A.values.empty() ? nullptr : A.values.front().data(), INSERT_VALUES));
    SUNDER_PETSC(KSPSetOperators(ksp_, matrix_, matrix_));
  }

  LinearResult solve(std::span<const double> b, std::span<double> x, double tolerance)
  {
    put(b, b_);
    SUNDER_PETSC(KSPSetTolerances(ksp_, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    take_options();
    SUNDER_PETSC(KSPSolve(ksp_, b_, x_));
    if (!std::exchange(checked_, true)) refuse_unused();
    const PetscScalar* values = nullptr;
    SUNDER_PETSC(VecGetArrayRead(x_, &values));
    std::copy(values, values + x.size(), x.begin());
    SUNDER_PETSC(VecRestoreArrayRead(x_, &values));
    return result();
  }

private:
  /// Matrix, vectors and solver for another pattern or layout.
  void make(const NodeLayout& layout, const BlockMatrix& A)
  {
    const PetscInt rows = narrow(3 * std::int64_t{layout.num_owned});
    SUNDER_PETSC(MatCreate(comm_.mpi(), matrix_.out()));
    SUNDER_PETSC(MatSetSizes(matrix_, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE));
    SUNDER_PETSC(MatSetBlockSize(matrix_, 3));
    SUNDER_PETSC(MatSetType(matrix_, MATAIJ));
    preallocate(layout, A);
    SUNDER_PETSC(MatSetOption(matrix_, MAT_SYMMETRIC, PETSC_TRUE));
    SUNDER_PETSC(MatCreateVecs(matrix_, x_.out(), b_.out()));
    set_rigid_motions(layout);
    SUNDER_PETSC(KSPCreate(comm_.mpi(), ksp_.out()));
  }

  /// All rows are this rank's: no entry goes elsewhere.
  void preallocate(const NodeLayout& layout, const BlockMatrix& A)
  {
    std::vector<PetscInt> row_of, column_of;
    row_of.reserve(9 * A.values.size()), column_of.reserve(9 * A.values.size());
    for (LocalIndex row = 0; row < layout.num_owned; ++row)
      for (auto k = A.row_begin[static_cast<std::size_t>(row)]; k < A.row_begin[static_cast<std::size_t>(row) + 1]; ++k)
        for (int i = 0; i < 9; ++i) {
          const auto column = static_cast<std::size_t>(A.columns[static_cast<std::size_t>(k)]);
          row_of.push_back(narrow(3 * layout.global[static_cast<std::size_t>(row)] + i / 3));
          column_of.push_back(narrow(3 * layout.global[column] + i % 3));
        }
    SUNDER_PETSC(MatSetPreallocationCOO(matrix_, std::ssize(row_of), row_of.data(), column_of.data()));
  }

  void set_rigid_motions(const NodeLayout& layout)
  {
    Owned<Vec, VecDestroy> places;
    SUNDER_PETSC(VecDuplicate(x_, places.out()));
    SUNDER_PETSC(VecSetBlockSize(places, 3));
    std::vector<double> X;
    for (LocalIndex n = 0; n < layout.num_owned; ++n)
      for (int i = 0; i < 3; ++i) X.push_back(layout.X[static_cast<std::size_t>(n)][i]);
    put(X, places);
    Owned<MatNullSpace, MatNullSpaceDestroy> motions;
    SUNDER_PETSC(MatNullSpaceCreateRigidBody(places, motions.out()));
    SUNDER_PETSC(MatSetNearNullSpace(matrix_, motions));
  }

  static void put(std::span<const double> from, Vec to)
  {
    PetscScalar* values = nullptr;
    SUNDER_PETSC(VecGetArrayWrite(to, &values));
    std::copy(from.begin(), from.end(), values);
    SUNDER_PETSC(VecRestoreArrayWrite(to, &values));
  }

  LinearResult result() const
  {
    LinearResult result;
    PetscInt iterations = 0;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    PetscReal residual = 0, size = 0;
    SUNDER_PETSC(KSPGetIterationNumber(ksp_, &iterations));
    SUNDER_PETSC(KSPGetConvergedReason(ksp_, &reason));
    SUNDER_PETSC(KSPGetResidualNorm(ksp_, &residual));
    SUNDER_PETSC(VecNorm(b_, NORM_2, &size));
    result.converged = reason > 0, result.iterations = static_cast<int>(iterations);
    result.residual = size > 0 ? residual / size : 0;
    if (!result.converged) result.reason = in_words(reason);
    return result;
  }

  /// All ranks have the same options, so PETSc refuses a value on all alike.
  /// Some values are looked at only where the solver is set up: types of what is within the preconditioner, packages.
  void take_options()
  {
    PetscErrorCode code = 0;
    try {
      SUNDER_PETSC(KSPSetFromOptions(ksp_));
      code = KSPSetUp(ksp_);
      petsc_check(code, "KSPSetUp");
    } catch (const Error& error) {
      const bool met_by_all =
          code == 0 || code == PETSC_ERR_ARG_UNKNOWN_TYPE || code == PETSC_ERR_MISSING_FACTOR || code == PETSC_ERR_SUP;
      if (given_.empty() || !met_by_all) throw;
      std::string all;
      for (const auto& [name, value] : given_)
        all += fmt::format("{}{}: {}", all.empty() ? "" : ", ", name, value.empty() ? "true" : value);
      const std::string key = message_key(given_.size() == 1 ? "petsc." + given_.begin()->first : "petsc");
      throw AgreedError(fmt::format("{}: expected values that PETSc accepts, got {{{}}}; {}", key, all, error.what()));
    }
  }

  /// Of the user's: of ours some have no meaning beside others.
  void refuse_unused() const
  {
    for (const auto& [name, value] : given_)
      if (!options_.used(name))
        throw AgreedError(fmt::format("{}: expected an option of PETSc that counts with this solver, got {}",
                                      message_key("petsc." + name), name));
  }

  std::string message_key(const std::string& path) const
  {
    const auto found = keys_.find(path);
    return found == keys_.end() ? path : found->second;
  }

  Comm comm_;
  PetscOptionList given_;
  MessageKeys keys_;
  PetscOptionsInUse options_;
  Owned<Mat, MatDestroy> matrix_;
  Owned<Vec, VecDestroy> x_, b_;
  Owned<KSP, KSPDestroy> ksp_;
  bool checked_ = false;
};

PetscSolver::PetscSolver(const Comm& comm, PetscOptionList options, MessageKeys keys)
{
  start_petsc(comm);
  objects_ = std::make_unique<Objects>(comm, std::move(options), std::move(keys));
}

PetscSolver::~PetscSolver() = default;

void PetscSolver::set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern)
{
  objects_->set_matrix(layout, A, same_pattern);
}

LinearResult PetscSolver::solve(std::span<const double> b, std::span<double> x, double tolerance)
{
  return objects_->solve(b, x, tolerance);
}

#undef SUNDER_PETSC

}  // namespace sunder::solvers
