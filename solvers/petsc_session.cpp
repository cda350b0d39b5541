#include "solvers/petsc_session.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace sunder::solvers {
namespace {

std::string& last_message()
{
  static std::string message;
  return message;
}

/// Called where the error was found first, then by each function on the way out: the first call says what it was.
PetscErrorCode remember(MPI_Comm /*comm*/, int /*line*/, const char* function, const char* /*file*/,
                        PetscErrorCode code, PetscErrorType type, const char* message, void* /*context*/)
{
  if (type == PETSC_ERROR_INITIAL) last_message() = fmt::format("{}: {}", function, message);
  return code;
}

/// MPI_Finalize() deletes the attributes of MPI_COMM_SELF before anything else: the last moment for PETSc to end.
int end_petsc(MPI_Comm /*comm*/, int /*key*/, void* /*value*/, void* /*state*/)
{
  PetscFinalize();
  return MPI_SUCCESS;
}

}  // namespace

void start_petsc(const Comm& comm)
{
  PetscBool started = PETSC_FALSE;
  PetscInitialized(&started);
  if (started) return;
  PETSC_COMM_WORLD = comm.mpi();
  char program[] = "sunder", no_handler[] = "-no_signal_handler", skip[] = "-skip_petscrc";
  char* words[] = {program, no_handler, skip, nullptr};
  char** arguments = words;
  int count = 3;
  if (PetscInitialize(&count, &arguments, nullptr, nullptr) != 0)
    throw AgreedError("PETSc does not start", ExitStatus::simulation_failed);
  PetscPushErrorHandler(remember, nullptr);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_petsc, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

PetscOptionsInUse::PetscOptionsInUse(const std::map<std::string, std::string>& options) : options_(options)
{
  for (const auto& [name, value] : options_)
    petsc_check(PetscOptionsSetValue(nullptr, ('-' + name).c_str(), value.empty() ? nullptr : value.c_str()),
                "PetscOptionsSetValue");
}

PetscOptionsInUse::~PetscOptionsInUse()
{
  for (const auto& [name, value] : options_) PetscOptionsClearValue(nullptr, ('-' + name).c_str());
}

bool PetscOptionsInUse::used(const std::string& name) const
{
  PetscBool used = PETSC_FALSE;
  petsc_check(PetscOptionsUsed(nullptr, name.c_str(), &used), "PetscOptionsUsed");
  return used == PETSC_TRUE;
}

void petsc_check(PetscErrorCode code, const char* call)
{
  if (code == 0) return;
  const std::string said = std::exchange(last_message(), {});
  throw Error(fmt::format("PETSc: {} failed with error {}: {}", call, static_cast<int>(code),
                          said.empty() ? "no message" : said),
              ExitStatus::simulation_failed);
}

}  // namespace sunder::solvers
