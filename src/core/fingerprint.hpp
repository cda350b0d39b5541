#pragma once
/// A text that tells whether two nodes of a cluster compute the same bits: they must have the same program, and
/// functions of the mathematical library with the same results. docs/reproducibility.md.

#include "core/comm.hpp"

#include <string>

namespace sunder {

/// Local. One word for each of these: the build of the program; the build of the mathematical library that was loaded;
/// the bits that its functions return here, as it chooses variants by the processor; the treatment of subnormal
/// numbers; the width of the program's vectors.
std::string fingerprint();

/// Collective: two reductions. Throws AgreedError if fingerprints differ; the message groups the nodes that agree.
void refuse_unlike_nodes(const Comm& comm);

}  // namespace sunder
