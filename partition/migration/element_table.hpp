#pragma once
/// Elements as they are stored, read and migrated. Values that only few elements have stand in columns beside the rows.

#include "core/bytes.hpp"
#include "mesh/lattice_memory.hpp"
#include "mesh/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace sunder::partition {

/// Position of an element's value in a SparseColumn; -1: it has none.
using Place = std::int32_t;

/// Is it the default value, which needs no place? Numbers are compared by bits, so -0.0 is not the default.
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

/// A value that few elements have. An element that has it stores its place; the others have the default, T{}. Local,
/// all of it.
template <class T>
class SparseColumn {
public:
  /// Adds a value and returns its place; -1 for the default, which is not stored.
  Place add(const T& value)
  {
    if (is_nothing(value)) return -1;
    values_.push_back(value);
    return static_cast<Place>(values_.size() - 1);
  }
  const T& at(Place place) const { return place < 0 ? nothing_ : values_[static_cast<std::size_t>(place)]; }
  /// A reference to write to. An element without a value gets one, and a place.
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

/// Trivially copyable, so it is sent as bytes.
struct ElementRecord {
  ElementId id = 0;
  std::array<NodeId, 4> nodes{};
  MaterialIndex material = 0;
  std::uint8_t level = 0;  ///< How often it is still to be divided into eight.
  /// Places in the columns of the ElementTable.
  Place creation_key = -1, faces = -1, plastic_strain = -1, lattice = -1;
};

/// Rows are in canonical order (mesh::TetMesh) unless said otherwise; values of columns are in any order. Local, all of
/// it.
struct ElementTable {
  std::vector<ElementRecord> rows;
  SparseColumn<mesh::CreationKey> creation_keys;
  SparseColumn<mesh::ElementFaces> faces;
  SparseColumn<PlasticStrain> plastic_strains;
  SparseColumn<mesh::LatticeMemory> lattice;

  std::size_t size() const noexcept { return rows.size(); }
  const mesh::CreationKey& creation_key(std::size_t e) const { return creation_keys.at(rows[e].creation_key); }
  const mesh::ElementFaces& faces_of(std::size_t e) const { return faces.at(rows[e].faces); }
  const PlasticStrain& plastic_strain(std::size_t e) const { return plastic_strains.at(rows[e].plastic_strain); }
  const mesh::LatticeMemory& lattice_memory(std::size_t e) const { return lattice.at(rows[e].lattice); }

  /// Reserves room for `count` rows and as many values in each column, but for what a lattice remembers: of most runs
  /// that is nothing, and it is large. Pages that are never written cost no memory.
  void reserve(std::size_t count);
  /// Frees the rows and all columns.
  void release();
  /// Appends row e of another table with its values.
  void append(const ElementTable& other, std::size_t e);
  /// Appends all rows of another table.
  void append(const ElementTable& other);
  /// Sorts rows into canonical order.
  void put_in_order();
};

/// Local. Write a table to a message and read it back, as put() and ByteReader of core/bytes.hpp do.
void put_elements(Bytes& out, const ElementTable& table);
ElementTable get_elements(ByteReader& in);

}  // namespace sunder::partition
