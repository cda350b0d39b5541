#pragma once
/// Elements as they are stored, read and moved, and beside them what few of them have.

#include "core/bytes.hpp"
#include "mesh/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace sunder::partition {

/// Where in a SparseColumn an element has its value; -1: it has none.
using Place = std::int32_t;

/// Is it what an element has that has nothing in particular? Numbers by their bits: -0.0 is something.
template <class T>
bool is_nothing(const T& value)
{
  return value == T{};
}
inline bool is_nothing(double value)
{
  return std::bit_cast<std::uint64_t>(value) == 0;
}
template <std::size_t n>
bool is_nothing(const std::array<double, n>& values)
{
  return std::all_of(values.begin(), values.end(), [](double v) { return is_nothing(v); });
}

/// A value that few elements have. Each that has it knows its place; the others have T{}. Local, all of it.
template <class T>
class SparseColumn {
public:
  /// Takes a value up and returns its place; nothing needs none.
  Place add(const T& value)
  {
    if (is_nothing(value)) return -1;
    values_.push_back(value);
    return static_cast<Place>(values_.size() - 1);
  }
  const T& at(Place place) const { return place < 0 ? nothing_ : values_[static_cast<std::size_t>(place)]; }
  /// To be written to: an element that had none has a value from now on.
  T& at_or_new(Place& place)
  {
    if (place < 0) place = static_cast<Place>(values_.size()), values_.emplace_back();
    return values_[static_cast<std::size_t>(place)];
  }
  std::vector<T>& values() noexcept { return values_; }
  const std::vector<T>& values() const noexcept { return values_; }

private:
  static constexpr T nothing_{};
  std::vector<T> values_;
};

using PlasticStrain = std::array<double, 6>;  ///< As ElementBlocks::plastic_strain().

/// Plain, so that it travels as it is.
struct ElementRecord {
  ElementId id = 0;
  std::array<NodeId, 4> nodes{};
  MaterialIndex material = 0;
  std::uint8_t level = 0;                                    ///< Times it is still to be divided into eight.
  Place creation_key = -1, marks = -1, plastic_strain = -1;  ///< In the columns of its ElementTable.
};

/// Rows in canonical order (mesh::TetMesh) unless said otherwise; values of columns in any order. Local, all of it.
struct ElementTable {
  std::vector<ElementRecord> rows;
  SparseColumn<mesh::CreationKey> creation_keys;
  SparseColumn<mesh::FaceMarks> marks;
  SparseColumn<PlasticStrain> plastic_strains;

  std::size_t size() const noexcept { return rows.size(); }
  const mesh::CreationKey& creation_key(std::size_t e) const { return creation_keys.at(rows[e].creation_key); }
  const mesh::FaceMarks& face_marks(std::size_t e) const { return marks.at(rows[e].marks); }
  const PlasticStrain& plastic_strain(std::size_t e) const { return plastic_strains.at(rows[e].plastic_strain); }

  /// Room for so many rows, whatever they have: pages that nobody touches cost nothing.
  void reserve(std::size_t count);
  /// Frees the rows and all columns.
  void release();
  /// Appends row e of another table with what it has.
  void append(const ElementTable& other, std::size_t e);
  /// Appends all rows of another.
  void append(const ElementTable& other);
  /// Sorts rows into canonical order.
  void put_in_order();
};

/// Local. In and out of messages, as put() and ByteReader of core/bytes.hpp do.
void put_elements(Bytes& out, const ElementTable& table);
ElementTable get_elements(ByteReader& in);

}  // namespace sunder::partition
