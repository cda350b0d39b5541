#pragma once
/// Vectors and tensors of a block of elements at a time. Only internal_forces.cpp, least_area.cpp, separation_screen.cpp
/// and tangent.cpp may include this file: their compiler options decide the bits of the results.

#include "element/element_blocks.hpp"
#include "material/tensor.hpp"

/// A block of elements at a time, one a lane, in vector types that GCC and Clang compile to the instructions of the
/// machine. Every lane executes the same instructions, so an element's result has the same bits in any lane.
/// Contributions are added to nodes one element after the other, so a node's sum has the same bits for the same order
/// of elements.
namespace sunder::element::lanewise {

using Lanes [[gnu::vector_size(8 * lanes)]] = double;        // one number for each element of a block
using LaneMask [[gnu::vector_size(8 * lanes)]] = long long;  // -1 or 0 in each lane
using Row [[gnu::vector_size(32)]] = double;                 // a Row4
using Singles [[gnu::vector_size(4 * lanes)]] = float;       // as Lanes, in single precision
using SingleRow [[gnu::vector_size(32)]] = float;            // eight numbers of one lane
static_assert(lanes == 8 || lanes == 4);

using Vector = material::Vector<Lanes>;
using Matrix = material::Matrix<Lanes>;
using Symmetric = material::Symmetric<Lanes>;
using material::root;

[[gnu::always_inline]] inline Lanes all(double x)
{
  return x - Lanes{};  // not +: that would lose the sign of -0
}

[[gnu::always_inline]] inline Lanes load(const double (&x)[lanes])
{
  return *reinterpret_cast<const Lanes*>(x);
}

[[gnu::always_inline]] inline void store(double (&x)[lanes], Lanes value)
{
  *reinterpret_cast<Lanes*>(x) = value;
}

[[gnu::always_inline]] inline Singles single(Lanes x)
{
  return __builtin_convertvector(x, Singles);
}
[[gnu::always_inline]] inline Lanes widened(Singles x)
{
  return __builtin_convertvector(x, Lanes);
}

[[gnu::always_inline]] inline double sum(Lanes x)
{
  double sum = 0;
  for (int l = 0; l < lanes; ++l) sum += x[l];
  return sum;
}

[[gnu::always_inline]] inline bool any(LaneMask mask)
{
  long long bits = 0;
  for (int l = 0; l < lanes; ++l) bits |= mask[l];
  return bits != 0;
}

// ---- to and from nodes ----

[[gnu::always_inline]] inline Row row(const Row4* rows, LocalIndex n)
{
  return *reinterpret_cast<const Row*>(rows + n);
}

[[gnu::always_inline]] inline void add_row(Row4* f, LocalIndex n, Row value)
{
  *reinterpret_cast<Row*>(f + n) += value;
}

#ifdef __AVX512F__

/// Rows of eight nodes, two in a vector: (0, 2) (1, 3) (4, 6) (5, 7), as transposed() takes them.
struct NodeRows {
  Lanes r02, r13, r46, r57;
};

[[gnu::always_inline]] inline NodeRows gather(const Row4* rows, const LocalIndex (&node)[lanes])
{
  const auto pair = [rows, &node](int i, int j) {
    return __builtin_shufflevector(row(rows, node[i]), row(rows, node[j]), 0, 1, 2, 3, 4, 5, 6, 7);
  };
  return {pair(0, 2), pair(1, 3), pair(4, 6), pair(5, 7)};
}

/// Eight rows become three vectors of eight lanes.
[[gnu::always_inline]] inline Vector transposed(const NodeRows& r)
{
  const Lanes xz0 = __builtin_shufflevector(r.r02, r.r13, 0, 8, 2, 10, 4, 12, 6, 14);  // x0 x1 z0 z1 x2 x3 z2 z3
  const Lanes xz4 = __builtin_shufflevector(r.r46, r.r57, 0, 8, 2, 10, 4, 12, 6, 14);
  const Lanes yw0 = __builtin_shufflevector(r.r02, r.r13, 1, 9, 3, 11, 5, 13, 7, 15);
  const Lanes yw4 = __builtin_shufflevector(r.r46, r.r57, 1, 9, 3, 11, 5, 13, 7, 15);
  return {__builtin_shufflevector(xz0, xz4, 0, 1, 4, 5, 8, 9, 12, 13),
          __builtin_shufflevector(yw0, yw4, 0, 1, 4, 5, 8, 9, 12, 13),
          __builtin_shufflevector(xz0, xz4, 2, 3, 6, 7, 10, 11, 14, 15)};
}

[[gnu::always_inline]] inline NodeRows minus(const NodeRows& a, const NodeRows& b)
{
  return {a.r02 - b.r02, a.r13 - b.r13, a.r46 - b.r46, a.r57 - b.r57};
}

/// Eight lanes of (x, y, z, w) become eight rows, two in a vector: (0, 2) (1, 3) (4, 6) (5, 7).
[[gnu::always_inline]] inline NodeRows rows_of(const Vector& v, Lanes w)
{
  const Lanes xy_even = __builtin_shufflevector(v.x, v.y, 0, 8, 2, 10, 4, 12, 6, 14);
  const Lanes xy_odd = __builtin_shufflevector(v.x, v.y, 1, 9, 3, 11, 5, 13, 7, 15);
  const Lanes zw_even = __builtin_shufflevector(v.z, w, 0, 8, 2, 10, 4, 12, 6, 14);
  const Lanes zw_odd = __builtin_shufflevector(v.z, w, 1, 9, 3, 11, 5, 13, 7, 15);
  return {__builtin_shufflevector(xy_even, zw_even, 0, 1, 8, 9, 2, 3, 10, 11),
          __builtin_shufflevector(xy_odd, zw_odd, 0, 1, 8, 9, 2, 3, 10, 11),
          __builtin_shufflevector(xy_even, zw_even, 4, 5, 12, 13, 6, 7, 14, 15),
          __builtin_shufflevector(xy_odd, zw_odd, 4, 5, 12, 13, 6, 7, 14, 15)};
}

[[gnu::always_inline]] inline Row low(Lanes r)
{
  return __builtin_shufflevector(r, r, 0, 1, 2, 3);
}
[[gnu::always_inline]] inline Row high(Lanes r)
{
  return __builtin_shufflevector(r, r, 4, 5, 6, 7);
}

/// Adds the corners' rows to the nodes, element after element.
[[gnu::always_inline]] inline void scatter(Row4* f, const ElementBlock& block, const NodeRows (&r)[4])
{
  for (int a = 0; a < 4; ++a) add_row(f, block.node[a][0], low(r[a].r02));
  for (int a = 0; a < 4; ++a) add_row(f, block.node[a][1], low(r[a].r13));
  for (int a = 0; a < 4; ++a) add_row(f, block.node[a][2], high(r[a].r02));
  for (int a = 0; a < 4; ++a) add_row(f, block.node[a][3], high(r[a].r13));
  for (int a = 0; a < 4; ++a) add_row(f, block.node[a][4], low(r[a].r46));
  for (int a = 0; a < 4; ++a) add_row(f, block.node[a][5], low(r[a].r57));
  for (int a = 0; a < 4; ++a) add_row(f, block.node[a][6], high(r[a].r46));
  for (int a = 0; a < 4; ++a) add_row(f, block.node[a][7], high(r[a].r57));
}

/// Eight numbers of each lane become eight rows of eight numbers, one a lane.
[[gnu::always_inline]] inline void transpose(const Singles (&x)[8], SingleRow (&rows)[lanes])
{
  SingleRow two[8], four[8];
  for (int i = 0; i < 8; i += 2) {
    two[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    two[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int k = 0; k < 2; ++k) {
      four[i + 2 * k] = __builtin_shufflevector(two[i + k], two[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      four[i + 2 * k + 1] = __builtin_shufflevector(two[i + k], two[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; ++i) {
    rows[i] = __builtin_shufflevector(four[i], four[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    rows[i + 4] = __builtin_shufflevector(four[i], four[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

/// The same back.
[[gnu::always_inline]] inline void transpose_back(const SingleRow (&rows)[lanes], Singles (&x)[8])
{
  transpose(rows, x);
}

#else

/// Rows of four nodes.
struct NodeRows {
  Row r[4];
};

[[gnu::always_inline]] inline NodeRows gather(const Row4* rows, const LocalIndex (&node)[lanes])
{
  return {{row(rows, node[0]), row(rows, node[1]), row(rows, node[2]), row(rows, node[3])}};
}

[[gnu::always_inline]] inline NodeRows minus(const NodeRows& a, const NodeRows& b)
{
  return {{a.r[0] - b.r[0], a.r[1] - b.r[1], a.r[2] - b.r[2], a.r[3] - b.r[3]}};
}

/// Four rows become three vectors of four lanes.
[[gnu::always_inline]] inline Vector transposed(const NodeRows& n)
{
  const Lanes xz0 = __builtin_shufflevector(n.r[0], n.r[1], 0, 4, 2, 6);  // x0 x1 z0 z1
  const Lanes xz2 = __builtin_shufflevector(n.r[2], n.r[3], 0, 4, 2, 6);
  const Lanes yw0 = __builtin_shufflevector(n.r[0], n.r[1], 1, 5, 3, 7);
  const Lanes yw2 = __builtin_shufflevector(n.r[2], n.r[3], 1, 5, 3, 7);
  return {__builtin_shufflevector(xz0, xz2, 0, 1, 4, 5), __builtin_shufflevector(yw0, yw2, 0, 1, 4, 5),
          __builtin_shufflevector(xz0, xz2, 2, 3, 6, 7)};
}

/// Four lanes of (x, y, z, w) become four rows.
[[gnu::always_inline]] inline NodeRows rows_of(const Vector& v, Lanes w)
{
  const Lanes xy_even = __builtin_shufflevector(v.x, v.y, 0, 4, 2, 6);  // x0 y0 x2 y2
  const Lanes xy_odd = __builtin_shufflevector(v.x, v.y, 1, 5, 3, 7);
  const Lanes zw_even = __builtin_shufflevector(v.z, w, 0, 4, 2, 6);
  const Lanes zw_odd = __builtin_shufflevector(v.z, w, 1, 5, 3, 7);
  return {{__builtin_shufflevector(xy_even, zw_even, 0, 1, 4, 5), __builtin_shufflevector(xy_odd, zw_odd, 0, 1, 4, 5),
           __builtin_shufflevector(xy_even, zw_even, 2, 3, 6, 7), __builtin_shufflevector(xy_odd, zw_odd, 2, 3, 6, 7)}};
}

/// Adds the corners' rows to the nodes, element after element.
[[gnu::always_inline]] inline void scatter(Row4* f, const ElementBlock& block, const NodeRows (&r)[4])
{
  for (int l = 0; l < lanes; ++l)
    for (int a = 0; a < 4; ++a) add_row(f, block.node[a][l], r[a].r[l]);
}

/// Eight numbers of each lane become four rows of eight numbers, one a lane.
[[gnu::always_inline]] inline void transpose(const Singles (&x)[8], SingleRow (&rows)[lanes])
{
  for (int l = 0; l < lanes; ++l)
    for (int i = 0; i < 8; ++i) rows[l][i] = x[i][l];
}

/// The same back.
[[gnu::always_inline]] inline void transpose_back(const SingleRow (&rows)[lanes], Singles (&x)[8])
{
  for (int l = 0; l < lanes; ++l)
    for (int i = 0; i < 8; ++i) x[i][l] = rows[l][i];
}

#endif

/// x_a - x_0 for corner a, where origin holds the rows of corner 0.
[[gnu::always_inline]] inline Vector edge(const Row4* rows, const LocalIndex (&node)[lanes], const NodeRows& origin)
{
  return transposed(minus(gather(rows, node), origin));
}

/// Gradient of N_{i+1}.
[[gnu::always_inline]] inline Vector gradient_row(const ElementBlock& block, int i)
{
  return {load(block.B[3 * i]), load(block.B[3 * i + 1]), load(block.B[3 * i + 2])};
}

/// sum_a x_a (x) grad N_a.
[[gnu::always_inline]] inline Matrix gradient(const Row4* rows, const ElementBlock& block)
{
  const NodeRows origin = gather(rows, block.node[0]);
  const Vector a = edge(rows, block.node[1], origin), b = edge(rows, block.node[2], origin),
               c = edge(rows, block.node[3], origin);
  Matrix F;
  for (int j = 0; j < 3; ++j) {
    const Lanes ga = load(block.B[j]), gb = load(block.B[3 + j]), gc = load(block.B[6 + j]);
    F.m[0][j] = a.x * ga + b.x * gb + c.x * gc;
    F.m[1][j] = a.y * ga + b.y * gb + c.y * gc;
    F.m[2][j] = a.z * ga + b.z * gb + c.z * gc;
  }
  return F;
}

// ---- memory that is needed later ----

/// Asks for what a later block needs: hardware does not see through the node indices, and loses track of several
/// streams where a block of arithmetic lies between their loads.
/// @param f  where forces go; null: nowhere
[[gnu::always_inline]] inline void prefetch_nodes(const ElementBlock& block, const Row4* p, const Row4* v,
                                                  const Row4* f = nullptr)
{
  for (const auto& corner : block.node)
    for (const LocalIndex n : corner) {
      __builtin_prefetch(p + n);
      __builtin_prefetch(v + n);
      if (f) __builtin_prefetch(f + n, 1);
    }
}

template <class Block>
[[gnu::always_inline]] inline void prefetch_block(const Block* block)
{
  const char* const bytes = reinterpret_cast<const char*>(block);
  for (std::size_t i = 0; i < sizeof(Block); i += 64) __builtin_prefetch(bytes + i);
}

// ---- plastic strain ----

[[gnu::always_inline]] inline Symmetric load(const PlasticBlock& block)
{
  return {load(block.strain[0]), load(block.strain[1]), load(block.strain[2]),
          load(block.strain[3]), load(block.strain[4]), load(block.strain[5])};
}

[[gnu::always_inline]] inline void store(PlasticBlock& block, const Symmetric& t)
{
  store(block.strain[0], t.xx), store(block.strain[1], t.yy), store(block.strain[2], t.zz);
  store(block.strain[3], t.xy), store(block.strain[4], t.yz), store(block.strain[5], t.xz);
}

}  // namespace sunder::element::lanewise

/// The integers with the bits of a Lanes, for the laws of material/.
template <>
struct sunder::material::BitsOf<sunder::element::lanewise::Lanes> {
  using type [[gnu::vector_size(8 * sunder::element::lanes)]] = unsigned long long;
};
