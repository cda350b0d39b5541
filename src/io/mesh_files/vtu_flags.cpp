#include "io/mesh_files/vtu_flags.hpp"

#include "io/mesh_files/vtu_array_reader.hpp"
#include "io/mesh_files/vtu_pieces.hpp"

namespace sunder::io {

void each_flag(const std::vector<VtuPiece>& pieces, const VtuFlagSlice& slice,
               const std::map<std::string, std::int32_t>& numbers,
               const std::function<void(std::int32_t number, GlobalIndex row, std::int64_t value)>& found)
{
  each_slice(
      pieces, slice.count, slice.begin, slice.end,
      [&](const VtuPiece& piece, FileWindow& file, GlobalIndex first, GlobalIndex last, GlobalIndex before) {
        for (const auto& [name, array] : (piece.*slice.flags).arrays) {
          const auto known = numbers.find(name);
          if (known == numbers.end()) continue;
          VtuArrayReader values(file, piece, array);
          for (GlobalIndex k = first; k < last; k += vtu_rows_at_once) {
            GlobalIndex row = before + k;
            for (const std::int64_t value : values.read<std::int64_t>(
                     static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(std::min(vtu_rows_at_once, last - k))))
              found(known->second, row++, value);
          }
        }
      });
}

std::vector<std::string> flag_names(const Comm& comm, const std::vector<VtuPiece>& pieces, const VtuFlagSlice& slice)
{
  std::map<std::string, std::int32_t> numbers;
  for (const VtuPiece& piece : pieces)
    for (const auto& flag : (piece.*slice.flags).arrays) numbers.emplace(flag.first, 0);
  for (const VtuPiece& piece : pieces)
    for (const auto& name : (piece.*slice.flags).others) numbers.erase(name);
  std::int32_t next = 0;
  for (auto& [name, number] : numbers) number = next++;
  std::vector<std::int64_t> others(numbers.size(), 0), ones(numbers.size(), 0);
  on_every_rank(comm, [&] {
    each_flag(pieces, slice, numbers, [&](std::int32_t k, GlobalIndex, std::int64_t value) {
      ones[static_cast<std::size_t>(k)] += value == 1;
      others[static_cast<std::size_t>(k)] += value != 0 && value != 1;
    });
  });
  comm.sum_in_place(others), comm.sum_in_place(ones);
  std::vector<std::string> names;
  for (const auto& [name, k] : numbers)
    if (others[static_cast<std::size_t>(k)] == 0 && ones[static_cast<std::size_t>(k)] > 0) names.push_back(name);
  return names;
}

}  // namespace sunder::io
