#pragma once
/// The folder a run writes into.

#include "core/comm.hpp"

#include <filesystem>

namespace sunder::io {

/// Collective on comm. Makes folder and folder/frames, and tries on every rank that files can be written there: a node
/// of the machine may lack the mount. On trouble every rank throws the same Error. Files already there are kept.
void prepare_output_folder(const Comm& comm, const std::filesystem::path& folder);

}  // namespace sunder::io
