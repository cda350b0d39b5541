#pragma once
/// Starts PETSc when it is first needed, and turns its error codes into errors of ours.

#include "core/comm.hpp"

#include <petscsys.h>

#include <map>
#include <string>

namespace sunder::solvers {

/// Collective. Starts PETSc if nobody has; MPI_Finalize() then ends it. It installs no signal handlers.
void start_petsc(const Comm& comm);

/// Local. Options in PETSc's database while this lives.
class PetscOptionsInUse {
public:
  explicit PetscOptionsInUse(const std::map<std::string, std::string>& options);
  PetscOptionsInUse(const PetscOptionsInUse&) = delete;
  PetscOptionsInUse& operator=(const PetscOptionsInUse&) = delete;
  ~PetscOptionsInUse();

  bool used(const std::string& name) const;  ///< Local. Has PETSc asked for this option?

private:
  std::map<std::string, std::string> options_;
};

/// Local. Throws Error (simulation_failed) with PETSc's own words if a call of it failed. Its failures are met by all
/// ranks of the call, or end the job.
void petsc_check(PetscErrorCode code, const char* call);

}  // namespace sunder::solvers
