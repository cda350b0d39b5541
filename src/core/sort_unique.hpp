#pragma once
/// A list as a set.

#include <algorithm>
#include <vector>

namespace sunder {

/// Local. Values ascending, each once.
template <class T>
void sort_unique(std::vector<T>& values)
{
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}
template <class T>
std::vector<T> sorted_unique(std::vector<T> values)
{
  sort_unique(values);
  return values;
}

}  // namespace sunder
