#include "partition/migration/element_table.hpp"

#include "core/hash.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <cstring>

namespace {

using namespace sunder;
using partition::ElementTable;

/// What an element has by its number: one in three is cut, one in five marked, one in two yielded, in all ways
/// together.
struct Whole {
  ElementId id;
  mesh::CreationKey creation_key;
  mesh::ElementFaces faces{};
  partition::PlasticStrain strain{};
};

Whole element(std::uint64_t k)
{
  Whole e{k, {}, {}, {}};
  if (k % 3 == 1)
    e.id = made_id(k, k + 1),
    e.creation_key = {static_cast<std::uint32_t>(k % 4), mix(k), static_cast<std::uint32_t>(k)};
  if (k % 5 == 1) e.faces.marks = {0, mix(k), 0, 1};
  if (k % 7 == 1) e.faces.cracks = {{0, 0.25, 0, 0}, 0b1010};
  if (k % 2 == 1) e.strain = {0, test::random_number(k, 1), 0, -0.0, 0, 1e-300};
  return e;
}

void append(std::uint64_t k, ElementTable& to)
{
  const Whole e = element(k);
  partition::ElementRecord row;
  row.id = e.id, row.nodes = {k, k + 1, k + 2, k + 3}, row.level = static_cast<std::uint8_t>(k % 3);
  row.creation_key = to.creation_keys.add(e.creation_key), row.faces = to.faces.add(e.faces);
  row.plastic_strain = to.plastic_strains.add(e.strain);
  to.rows.push_back(row);
}

ElementTable table(std::uint64_t first, std::uint64_t last)
{
  ElementTable all;
  for (std::uint64_t k = first; k < last; ++k) append(k, all);
  return all;
}

void require_whole(const ElementTable& all, std::size_t row, std::uint64_t k)
{
  const Whole e = element(k);
  CAPTURE(k, row);
  REQUIRE(all.rows[row].id == e.id);
  REQUIRE(all.rows[row].nodes[3] == NodeId(k + 3));
  REQUIRE(all.rows[row].level == k % 3);
  REQUIRE(all.creation_key(row) == e.creation_key);
  REQUIRE(all.faces_of(row) == e.faces);
  REQUIRE(std::memcmp(all.plastic_strain(row).data(), e.strain.data(), sizeof e.strain) == 0);
}

}  // namespace

TEST_CASE("elements keep what they have as tables are joined, sent, picked from and sorted", "[partition]")
{
  ElementTable all = table(0, 40);
  Bytes bytes;
  for (const ElementTable& some : {table(40, 75), ElementTable(), table(75, 90)}) put_elements(bytes, some);
  for (ByteReader in(bytes); !in.done();) all.append(partition::get_elements(in));
  const ElementTable more = table(80, 100);
  for (std::size_t e = 10; e < more.size(); ++e) all.append(more, e);
  REQUIRE(all.size() == 100);
  for (std::uint64_t k = 0; k < 100; ++k) require_whole(all, k, k);

  std::vector<std::uint64_t> order(100);
  for (std::uint64_t k = 0; k < 100; ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [](std::uint64_t a, std::uint64_t b) {
    const Whole x = element(a), y = element(b);
    return std::tie(x.creation_key, x.id) < std::tie(y.creation_key, y.id);
  });
  REQUIRE(element(order.front()).creation_key == mesh::CreationKey{});  // those of the input first
  std::reverse(all.rows.begin(), all.rows.end());
  all.put_in_order();
  for (std::size_t row = 0; row < 100; ++row) require_whole(all, row, order[row]);
}

TEST_CASE("only elements that have something take room for it", "[partition]")
{
  ElementTable all;
  for (std::uint64_t k = 0; k < 2100; k += 210) append(k, all);  // neither cut nor marked nor yielded
  CHECK(all.creation_keys.values().empty());
  CHECK(all.faces.values().empty());
  CHECK(all.plastic_strains.values().empty());
  append(1, all);
  CHECK(all.creation_keys.values().size() == 1);
  all.creation_keys.at_or_new(all.rows[0].creation_key).round = 4;
  CHECK(all.creation_key(0).round == 4);
  CHECK(all.creation_keys.values().size() == 2);
  all.creation_keys.at_or_new(all.rows[0].creation_key).bisection = 2;
  CHECK(all.creation_keys.values().size() == 2);
}

TEST_CASE("a zero with a minus sign is stored, and one without is not", "[partition]")
{
  partition::SparseColumn<partition::PlasticStrain> strains;
  CHECK(strains.add({}) == -1);
  CHECK(std::signbit(strains.at(strains.add({0, 0, -0.0, 0, 0, 0}))[2]));
}
