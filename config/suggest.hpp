#pragma once
/// "Did you mean ...?" for a word that is not known. Local, pure.

#include <span>
#include <string>
#include <string_view>

namespace sunder::config {

/// The candidate that needs the fewest letters changed, added, dropped or swapped; case does not count. Empty if that
/// is more than a third of its letters, or all of them.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "A B C": the first forty, then how many more there are.
std::string listed(std::span<const std::string> names);

/// "expected one of A B C, got 'WORD'; did you mean 'A'?", the last clause only if one is near.
/// @param cause  of the mistake, told instead of the nearest candidate; empty: not known
std::string expected_one_of(std::string_view word, std::span<const std::string> candidates,
                            std::string_view cause = {});

}  // namespace sunder::config
