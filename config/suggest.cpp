#include "config/suggest.hpp"

#include "config/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sunder::config {
namespace {

char lower(char letter)
{
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Optimal string alignment distance: insertions, deletions, changes, and swaps of neighbours. Case does not count.
std::size_t distance(std::string_view a, std::string_view b)
{
  const auto same = [](char p, char q) { return lower(p) == lower(q); };
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0u : 1u)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates)
{
  constexpr std::size_t longest = 64;  // nobody misspells more than that
  std::string best;
  std::size_t best_distance = longest;
  if (word.size() > longest) return best;
  for (const std::string& candidate : candidates) {
    const std::size_t allowed = std::max<std::size_t>(1, candidate.size() / 3);
    const std::size_t d = distance(word, candidate);
    const bool alike = d < std::max(word.size(), candidate.size());  // some letter is where it should be
    if (alike && d <= allowed && d < best_distance) best = candidate, best_distance = d;
  }
  return best;
}

std::string listed(std::span<const std::string> names)
{
  constexpr std::size_t most = 40;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, " "));
  return fmt::format("{} ... and {} more", fmt::join(names.first(most), " "), names.size() - most);
}

std::string expected_one_of(std::string_view word, std::span<const std::string> candidates, std::string_view cause)
{
  std::string hint(cause);
  if (const std::string near = nearest(word, candidates); hint.empty() && !near.empty())
    hint = "did you mean '" + near + "'?";
  return fmt::format("expected one of {}, got {}{}{}", listed(candidates), description(make_scalar(std::string(word))),
                     hint.empty() ? "" : "; ", hint);
}

}  // namespace sunder::config
