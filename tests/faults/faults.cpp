// What sunder_with_faults has in the place of core/no_faults.cpp. Told by the environment, before MPI is there to ask:
//   SUNDER_FAULT=RANK:KIND:N         the N-th place of this kind (file, allocation, check, fingerprint; from 1) fails
//   there SUNDER_FAULT_PLACES=FILE         each rank writes the places it passes to FILE.RANK, "KIND N PLACE" a line
#include "core/fault_point.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace sunder {
namespace {

constexpr std::array<const char*, 4> names{"file", "allocation", "check", "fingerprint"};

std::string environment(const char* name)
{
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// Of this process in its job, as the launcher tells it.
std::string rank()
{
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    if (const std::string value = environment(name); !value.empty()) return value;
  return "0";
}

class Places {
public:
  Places() : wanted_(environment("SUNDER_FAULT")), rank_(rank())
  {
    const std::string path = environment("SUNDER_FAULT_PLACES");
    if (!path.empty()) list_ = std::fopen((path + "." + rank_).c_str(), "w");
  }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places()
  {
    if (list_) std::fclose(list_);
  }

  bool pass(FaultKind kind, const char* place)
  {
    const auto k = static_cast<std::size_t>(kind);
    const long n = ++passed_[k];
    if (list_) std::fprintf(list_, "%s %ld %s\n", names[k], n, place), std::fflush(list_);
    return wanted_ == rank_ + ":" + names[k] + ":" + std::to_string(n);
  }

private:
  std::string wanted_, rank_;
  std::array<long, names.size()> passed_{};
  std::FILE* list_ = nullptr;
};

}  // namespace

bool fault_point(FaultKind kind, const char* place) noexcept
{
  static Places places;
  const bool fails = places.pass(kind, place);
  if (fails) errno = ENOSPC;
  return fails;
}

}  // namespace sunder
