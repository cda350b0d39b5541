#include "core/mpi_check.hpp"

#include "core/mpi_session.hpp"

#include <mpi.h>

#include <string>

namespace sunder {

void mpi_check(int code, const char* call)
{
  if (code == MPI_SUCCESS) return;
  end_job(std::string(call) + " failed with code " + std::to_string(code), ExitStatus::simulation_failed);
}

}  // namespace sunder
