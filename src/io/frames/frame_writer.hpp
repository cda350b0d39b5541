#pragma once
/// The time series of a run as ParaView and VTK open it: NAME.pvd, frames/NAME_000123.pvtu and its pieces beside it.
/// The obstacles are a series of their own, NAME_obstacles.pvd.

#include "core/comm.hpp"
#include "io/frames/frame.hpp"
#include "io/run_files/time_series.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder::io {

enum class Compression : std::uint8_t { none, lz4, zlib };

struct FrameWriterOptions {
  Compression compression = Compression::lz4;
  /// Do several pieces get ghosts of each other's elements? Only of tetrahedra.
  bool ghosts = true;
  std::int64_t pieces = 0;  ///< Files a frame goes to, as file_groups() takes it.
  /// Of a run that goes on: frames up to this time stay in the series, later ones are dropped [s].
  std::optional<double> resume_time = {};
  std::string run = {};  ///< Whose they are (io/run_files/run_identity.hpp).
};

/// Writes each element in the piece of its lowest-ranked holder's group (io/frames/gather_pieces.hpp), and, if there
/// are several pieces, as a ghost in those around it (io/frames/ghost_layer.hpp). Numbers are appended raw with UInt64
/// headers.
class FrameWriter {
public:
  /// Collective on comm. folder/frames must exist (io/run_files/output_folder.hpp). Throws Error on every rank if the
  /// series to go on with cannot be read.
  FrameWriter(const Comm& comm, std::filesystem::path folder, std::string name, FrameWriterOptions options = {});
  ~FrameWriter();  ///< Collective on comm, as VTK frees its communicator; but nobody waits for anybody.

  /// Collective on comm. The frame of this instant, then the PVD that lists it, replaced atomically: it opens at any
  /// moment. A time not later than the last frame's is skipped: a run that goes on meets its last frame again.
  /// Throws Error (simulation_failed) on every rank if a file cannot be written.
  /// @param frame      is let go of as soon as this rank's part of the file is made of it
  /// @param obstacles  the same on every rank; rank 0 writes them as a surface
  void write(Frame frame, std::span<const ObstacleShape> obstacles = {});

  std::int64_t num_frames() const noexcept { return next_; }  ///< Local. Number the next frame gets.

private:
  struct VtkRanks;
  void resume(double time);
  std::string obstacles_name() const { return name_ + "_obstacles"; }

  Comm comm_;
  std::unique_ptr<VtkRanks> vtk_ranks_;
  std::filesystem::path folder_;
  std::string name_;
  Compression compression_;
  bool ghosts_;
  std::int64_t pieces_;
  std::string run_;
  std::int64_t next_ = 0;
  std::optional<double> last_time_;
  std::vector<SeriesEntry> entries_, obstacles_;  // rank 0 only
};

}  // namespace sunder::io
