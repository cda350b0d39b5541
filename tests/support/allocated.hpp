#pragma once
/// What every library of this process has allocated. A test program that links allocated.cpp has it. Resident memory
/// would also count freed memory that malloc keeps, which differs by a third from run to run.

#include <cstddef>

namespace sunder::test {

/// Local. Allocated and not freed [bytes].
std::size_t allocated();

/// Local. The greatest value of allocated() since forget_peak() [bytes].
std::size_t peak_allocated();

/// Local. From now on the peak is of what comes.
void forget_peak();

}  // namespace sunder::test
