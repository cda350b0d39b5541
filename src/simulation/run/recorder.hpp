#pragma once
/// What a run writes while it goes on: rows of the history and frames; in the end the summary.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "io/frames/frame_writer.hpp"
#include "io/run_files/history.hpp"
#include "simulation/diagnostics/summary.hpp"
#include "simulation/run/run_folder.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/stepper.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sunder::simulation {

/// Collective, before anything in the folder is changed. Throws Error (bad_input) on every rank if the run goes on with
/// tables there that have other columns than this scene asks for.
void check_tables(const Comm& comm, const config::Scene& scene, const RunFolder& folder);

/// Collective, all of it. Throws Error (simulation_failed) on every rank if a file cannot be written.
class Recorder {
public:
  /// from: the run that this one goes on with; what it wrote later than that is dropped.
  Recorder(const Comm& comm, const config::Scene& scene, const RunFolder& folder, const RunState* from);

  /// Computes forces if they are not current.
  void record(State& state, Stepper& stepper, bool row, bool frame);

  /// version: of the program.
  Summary finish(State& state, Stepper& stepper, const std::string& version);

private:
  void begin_tables(const RunState* from);
  void write_frames(const State& state);

  Comm comm_;
  const config::Scene& scene_;
  const RunFolder& folder_;
  std::optional<io::FrameWriter> frames_, crack_frames_, surface_frames_, bond_frames_;
  std::vector<io::History> tables_;  // on rank 0; history, then those that have columns
};

}  // namespace sunder::simulation
