#pragma once
/// What each command of the program does. Collective on comm, all of them; Errors are thrown on every rank.

#include "core/comm.hpp"
#include "core/error.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sunder::commands {

struct RunArguments {
  std::string scene, output, restart, mesh;
  std::vector<std::string> overrides;
  double until = std::numeric_limits<double>::infinity();
  std::int64_t steps = std::numeric_limits<std::int64_t>::max();
  bool quiet = false, overwrite = false;
};
struct CheckArguments {
  std::string file;
  std::vector<std::string> overrides;
  int ranks = 0;      ///< Of the run that is meant; 0: as many as check it.
  double memory = 0;  ///< That each of them has [GiB]; 0: its share of this node.
};
struct PartitionArguments {
  std::string scene, output;
  std::vector<std::string> overrides;
  int parts = 0;
};
struct MeshArguments {
  std::string geometry, output;
  double size = 0;
  std::optional<double> grading;  ///< Of surfaces.
  bool flip = false;
  std::string up = "z";  ///< Axis of the geometry that is to point up: x, y, z.
};

std::string version();
ExitStatus run(const Comm& comm, const RunArguments& arguments);  ///< done or stopped_on_request
void check(const Comm& comm, const CheckArguments& arguments);
void info(const Comm& comm, const std::string& file);
void make_mesh(const Comm& comm, const MeshArguments& arguments);
void partition(const Comm& comm, const PartitionArguments& arguments);
void print_schema(const Comm& comm, bool markdown);
void print_materials(const Comm& comm);
/// Throws Error if not all that was printed could be written, as on a full disk.
void finish_printing(const Comm& comm);

}  // namespace sunder::commands
