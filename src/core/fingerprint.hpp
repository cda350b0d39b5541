#pragma once
/// Whether the ranks of a job, and the runs before a checkpoint, compute with the same program and the same functions
/// of the C library: it takes both to get the same bits. docs/reproducibility.md.

#include "core/comm.hpp"

#include <string>

namespace sunder {

/// Local. One word each, the same text on nodes that compute the same: builds of the program and of the mathematical
/// library as loaded, bits of what its functions return here (it chooses variants by the processor), and of subnormal
/// numbers; width of the program's vectors.
std::string fingerprint();

/// Collective. Throws AgreedError that names the nodes in groups if they differ. Two reductions.
void refuse_unlike_nodes(const Comm& comm);

}  // namespace sunder
