#include "solvers/nested_dissection.hpp"

namespace sunder::solvers {

namespace {

class Dissection {
public:
  Dissection(std::size_t num_rows, std::span<const BlockPosition> pattern) : neighbours_(num_rows), parted_(num_rows)
  {
    for (const auto& [row, column] : pattern)
      if (row != column) neighbours_[static_cast<std::size_t>(column)].push_back(row);
    dissect(0, num_rows);
  }

  std::vector<std::int32_t> order;

private:
  void dissect(std::size_t begin, std::size_t end)
  {
    if (end - begin <= 1) {
      if (end > begin && !parted_[begin]) order.push_back(static_cast<std::int32_t>(begin));
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    std::vector<std::int32_t> between;
    for (std::size_t row = begin; row < middle; ++row)
      if (!parted_[row] && touches(row, middle, end)) between.push_back(static_cast<std::int32_t>(row));
    for (const std::int32_t row : between) parted_[static_cast<std::size_t>(row)] = 1;
    dissect(begin, middle);
    dissect(middle, end);
    order.insert(order.end(), between.begin(), between.end());
  }

  bool touches(std::size_t row, std::size_t begin, std::size_t end) const
  {
    for (const std::int32_t other : neighbours_[row]) {
      const auto place = static_cast<std::size_t>(other);
      if (place >= begin && place < end && !parted_[place]) return true;
    }
    return false;
  }

  std::vector<std::vector<std::int32_t>> neighbours_;  // of larger number
  std::vector<std::uint8_t> parted_;                   // 1: left out of a half, to be eliminated after it
};

}  // namespace

std::vector<std::int32_t> nested_dissection(std::size_t num_rows, std::span<const BlockPosition> pattern)
{
  return Dissection(num_rows, pattern).order;
}

}  // namespace sunder::solvers
