#include "io/frames/frame.hpp"

#include <algorithm>
#include <array>

namespace sunder::io {

std::span<const char* const> Field::component_names() const
{
  static constexpr std::array<const char*, 6> tensor{"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
  if (components != 6) return {};
  return tensor;
}

std::size_t Field::bytes_a_row() const
{
  const auto size = [](const auto& column) { return sizeof(column[0]); };
  return static_cast<std::size_t>(components) * std::visit(size, values);
}

Field Field::empty_like() const
{
  const auto none = [](const auto& column) -> Values { return std::decay_t<decltype(column)>(); };
  return {name, unit, components, std::visit(none, values)};
}

void Field::append(const Field& other, std::span<const std::size_t> rows)
{
  const auto width = static_cast<std::size_t>(components);
  const auto append_to = [&](auto& column) {
    const auto& more = std::get<std::decay_t<decltype(column)>>(other.values);
    column.reserve(column.size() + rows.size() * width);
    for (const std::size_t row : rows)
      for (std::size_t k = 0; k < width; ++k) column.push_back(more[row * width + k]);
  };
  std::visit(append_to, values);
}

Rank writer_of(const Frame& frame, std::size_t element)
{
  const Tet& corners = frame.corners[element];
  Rank least = frame.node_owner[static_cast<std::size_t>(corners[0])];
  for (std::size_t a = 1; a < num_corners(corners); ++a)
    least = std::min(least, frame.node_owner[static_cast<std::size_t>(corners[a])]);
  return least;
}

}  // namespace sunder::io
