#include "core/mpi_session.hpp"

#include "core/failed_allocation.hpp"
#include "core/log.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>
#include <thread>

namespace sunder {
namespace {

/// Omni-Path, InfiniBand, True Scale and EFA; Slingshot; usNIC; Aries.
constexpr std::array network_classes{"/sys/class/infiniband", "/sys/class/cxi", "/sys/class/usnic", "/sys/class/gni"};

/// Open MPI loads what drives fast networks before it looks for one, and the libraries for Intel's time the processor's
/// clock for a fifth of a second as they are loaded. Where the kernel knows no such network they are left out.
void leave_out_absent_networks()
{
  std::error_code none;
  const bool present = std::any_of(network_classes.begin(), network_classes.end(), [&none](const char* folder) {
    return std::filesystem::exists(folder, none) && !std::filesystem::is_empty(folder, none);
  });
  if (!present) setenv("OMPI_MCA_mtl", "^ofi,psm,psm2", 0);
}

/// Is this a process of a job that mpirun or srun started?
bool launched()
{
  constexpr std::array ranks{"PMIX_RANK", "PMI_RANK", "PMI_FD", "OMPI_COMM_WORLD_RANK"};
  return std::any_of(ranks.begin(), ranks.end(), [](const char* variable) { return std::getenv(variable) != nullptr; });
}

/// Without mpirun Open MPI starts a daemon for programs that start others later, which takes a sixth of a second. Its
/// folder for temporary files has the same name for all such processes: one that ends removes it while another begins.
/// Without that folder, positions in files that ranks share, which nothing here uses, are kept by each rank itself.
void start_alone()
{
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("OMPI_MCA_sharedfp", "individual", 0);
}

/// Called where the exception was thrown: as nothing catches it, the run-time library unwinds nothing before.
[[noreturn]] void on_uncaught_exception() noexcept
{
  constexpr auto failed = ExitStatus::simulation_failed;
  try {
    if (const auto exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const Error& error) {
    end_job(error.what(), error.status());
  } catch (const std::bad_alloc&) {
    end_job("memory is gone: expected to get " + failed_allocation() +
                ", got none; use more nodes, or fewer ranks on each (sunder check says how many)",
            failed);
  } catch (const std::exception& error) {
    end_job(error.what(), failed);
  } catch (...) {
    end_job("an exception of no known type", failed);
  }
  end_job("terminated without an exception", failed);
}

}  // namespace

MpiSession::MpiSession(int& argc, char**& argv)
{
  // The only other threads, the watchdog's and those of libraries, call nothing of MPI.
  if (!launched()) start_alone();
  leave_out_absent_networks();
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  std::set_terminate(on_uncaught_exception);
  if (provided < MPI_THREAD_FUNNELED)
    end_job("this MPI bears no second thread in a process (MPI_THREAD_FUNNELED), which the watchdog is",
            ExitStatus::simulation_failed);
}

MpiSession::~MpiSession()
{
  MPI_Finalize();
}

void end_job(const std::string& message, ExitStatus status) noexcept
{
  int begun = 0, ended = 0, rank = 0, size = 1;
  MPI_Initialized(&begun), MPI_Finalized(&ended);
  const bool in_job = begun && !ended;
  if (in_job) MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  log_last(size == 1 ? message : "rank " + std::to_string(rank) + ": " + message);
  // A launcher that hears of the abort first ends without passing on what was said.
  if (in_job) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  if (in_job) MPI_Abort(MPI_COMM_WORLD, static_cast<int>(status));
  ::_exit(static_cast<int>(status));
}

void assertion_failed(const char* expression, const char* file, int line)
{
  end_job(std::string("bug at ") + file + ":" + std::to_string(line) + ": expected " + expression,
          ExitStatus::simulation_failed);
}

}  // namespace sunder
