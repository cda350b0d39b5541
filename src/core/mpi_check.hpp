#pragma once
/// What an MPI call returned.

namespace sunder {

/// Local. Ends the job with the name of the call if an MPI call failed.
void mpi_check(int code, const char* call);

}  // namespace sunder
