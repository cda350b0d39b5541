#pragma once
/// NAME.pvd: which file shows which instant. Text only; ParaView and VTK open it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::io {

struct SeriesEntry {
  double time = 0;   ///< [s]
  std::string file;  ///< Relative to the PVD.
  bool operator==(const SeriesEntry&) const = default;
};

/// Local. Text of a PVD file; it names the run (io/run_files/run_identity.hpp) unless that is empty.
std::string to_pvd(const std::vector<SeriesEntry>& entries, const std::string& run = {});

/// Local. The run that the text of a PVD file names, if it does.
std::optional<std::string> run_of_pvd(std::string_view text);

/// Local. Inverse of to_pvd(). Throws Error with the line if a DataSet line lacks a time or a file; name is for
/// messages.
std::vector<SeriesEntry> parse_pvd(std::string_view text, const std::string& name);

/// Local. Number of the frame in a file name such as frames/wall_000123.pvtu or frames/wall_000123_0.vtu; -1 if there
/// is none.
std::int64_t frame_number(const std::string& file);

}  // namespace sunder::io
