#include "partition/migration/element_table.hpp"

#include "core/memory.hpp"

#include <tuple>

namespace sunder::partition {
namespace {

static_assert(sizeof(ElementRecord) == 104, "what few elements have belongs in a column");

/// Each column with where an element has its place in it.
template <class Visit>
void each_column(Visit&& visit)
{
  visit(&ElementTable::creation_keys, &ElementRecord::creation_key);
  visit(&ElementTable::faces, &ElementRecord::faces);
  visit(&ElementTable::plastic_strains, &ElementRecord::plastic_strain);
  visit(&ElementTable::lattice, &ElementRecord::lattice);
}

}  // namespace

void ElementTable::reserve(std::size_t count)
{
  rows.reserve(count);
  creation_keys.values().reserve(count), faces.values().reserve(count), plastic_strains.values().reserve(count);
}

void ElementTable::release()
{
  sunder::release(rows);
  each_column([&](auto column, auto) { sunder::release((this->*column).values()); });
}

void ElementTable::append(const ElementTable& other, std::size_t e)
{
  ElementRecord row = other.rows[e];
  each_column([&](auto column, auto place) { row.*place = (this->*column).add((other.*column).at(row.*place)); });
  rows.push_back(row);
}

void ElementTable::append(const ElementTable& other)
{
  const std::size_t first = rows.size();
  rows.insert(rows.end(), other.rows.begin(), other.rows.end());
  each_column([&](auto column, auto place) {
    auto& values = (this->*column).values();
    const auto before = static_cast<Place>(values.size());
    for (std::size_t e = first; e < rows.size(); ++e)
      if (rows[e].*place >= 0) rows[e].*place += before;
    const auto& more = (other.*column).values();
    values.insert(values.end(), more.begin(), more.end());
  });
}

void ElementTable::put_in_order()
{
  std::sort(rows.begin(), rows.end(), [this](const ElementRecord& a, const ElementRecord& b) {
    return std::tie(creation_keys.at(a.creation_key), a.id) < std::tie(creation_keys.at(b.creation_key), b.id);
  });
}

void put_elements(Bytes& out, const ElementTable& table)
{
  put(out, table.rows);
  each_column([&](auto column, auto) { put(out, (table.*column).values()); });
}

ElementTable get_elements(ByteReader& in)
{
  ElementTable table;
  table.rows = in.get_vector<ElementRecord>();
  each_column([&](auto column, auto) {
    auto& values = (table.*column).values();
    values = in.get_vector<typename std::decay_t<decltype(values)>::value_type>();
  });
  return table;
}

}  // namespace sunder::partition
