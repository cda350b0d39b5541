#pragma once
/// What memory was asked for when there was none left, for the message that ends the job. Local.

#include <cstddef>
#include <string>

namespace sunder {

/// Says for what the arrays that follow are. `place` must live as long as the program.
void allocating_for(const char* place) noexcept;

/// The last request that failed, as text: "3.2 GiB asked for after set-up: refine". Without the size if no request of
/// this program failed but one of a library, which does not say.
std::string failed_allocation();

}  // namespace sunder
