#include "element/tangent.hpp"

#include "core/error.hpp"
#include "element/lane_laws.hpp"
#include "element/lane_plasticity.hpp"

namespace sunder::element {
namespace {

using namespace lanewise;

/// a (x) b + b (x) a.
[[gnu::always_inline]] inline Symmetric twice_symmetric(const Vector& a, const Vector& b)
{
  return {2 * a.x * b.x,         2 * a.y * b.y,         2 * a.z * b.z,
          a.x * b.y + a.y * b.x, a.y * b.z + a.z * b.y, a.x * b.z + a.z * b.x};
}

[[gnu::always_inline]] inline Vector row(const Matrix& F, int i)
{
  return {F.m[i][0], F.m[i][1], F.m[i][2]};
}

/// sigma plus as much of I as makes it nowhere compressive: the bound of element/internal_forces.cpp, from below.
[[gnu::always_inline]] inline Symmetric without_compression(const Symmetric& sigma)
{
  const Symmetric s = deviator(sigma);
  const Lanes least = trace(sigma) * (1.0 / 3) - root(dot(s, s) * (2.0 / 3));
  return isotropic_plus(least < 0 ? -least : all(0), sigma);
}

/// Columns of the corners 1 to 3, of forces on the corners 1 to 3. A unit motion of corner b along axis j changes F by
/// e_j (x) grad N_b, hence F^T F and nu, and with them sigma; f_a = -(vol/2) F sigma grad N_a changes with F and with
/// sigma.
template <class Laws>
[[gnu::always_inline]] inline void fill(const ElementBlock& block, const PlasticBlock* old, Laws& laws, const Row4* p,
                                        const Row4* v, const TangentOptions& options, TangentBlock& out)
{
  const Matrix F = gradient(p, block), G = gradient(v, block);
  const Symmetric eps = strain(F), nu = strain_rate(F, G);
  PlasticReturn flow{};
  Symmetric elastic = eps;
  if (old) flow = plastic_return(eps, load(*old), laws.k1, laws.k2), elastic = plus(eps, all(-1), flow.strain);
  const Lanes factor = load(block.viscosity), half_volume = 0.5 * load(block.volume);
  const Symmetric sigma = laws.stress(F, eps, elastic, nu, factor).total.sigma;
  const Symmetric geometric = options.kind == TangentKind::positive_definite ? without_compression(sigma) : sigma;
  for (int b = 0; b < 3; ++b) {
    const Vector g = gradient_row(block, b);
    const Matrix g_sigma = product(Matrix{{{g.x, g.y, g.z}, {}, {}}}, geometric);
    for (int j = 0; j < 3; ++j) {
      const Symmetric eps_change = twice_symmetric(row(F, j), g);
      const Symmetric nu_change = plus(twice_symmetric(row(G, j), g), all(options.rate), eps_change);
      Symmetric change = eps_change;
      if (old) change = plus(change, all(-1), change_of(flow, eps_change, laws.k1, laws.k2));
      Matrix P = product(F, laws.stress_change(elastic, change, nu_change, factor));
      for (int k = 0; k < 3; ++k) P.m[j][k] += g_sigma.m[0][k];
      for (int a = 0; a < 3; ++a) {
        const Vector f = product(P, gradient_row(block, a));
        store(out.K[a + 1][b + 1][j], half_volume * f.x);
        store(out.K[a + 1][b + 1][3 + j], half_volume * f.y);
        store(out.K[a + 1][b + 1][6 + j], half_volume * f.z);
      }
    }
  }
}

/// Of the corners 1 to 3.
[[gnu::always_inline]] inline void symmetrise(TangentBlock& out)
{
  for (int row = 0; row < 9; ++row)
    for (int column = 0; column < row; ++column) {
      auto& lower = out.K[row / 3 + 1][column / 3 + 1][3 * (row % 3) + column % 3];
      auto& upper = out.K[column / 3 + 1][row / 3 + 1][3 * (column % 3) + row % 3];
      const Lanes mean = 0.5 * (load(lower) + load(upper));
      store(lower, mean), store(upper, mean);
    }
}

/// No force comes of moving all corners alike, and forces add up to nothing.
[[gnu::always_inline]] inline void add_corner_0(TangentBlock& out)
{
  for (int a = 1; a < 4; ++a)
    for (int k = 0; k < 9; ++k) {
      store(out.K[a][0][k], -(load(out.K[a][1][k]) + load(out.K[a][2][k]) + load(out.K[a][3][k])));
      store(out.K[0][a][k], -(load(out.K[1][a][k]) + load(out.K[2][a][k]) + load(out.K[3][a][k])));
    }
  for (int k = 0; k < 9; ++k)
    store(out.K[0][0][k], -(load(out.K[0][1][k]) + load(out.K[0][2][k]) + load(out.K[0][3][k])));
}

}  // namespace

void for_each_tangent(const ElementBlocks& elements, std::span<const PlasticBlock> old,
                      std::span<const material::Material> materials, std::span<const Row4> p, std::span<const Row4> v,
                      const TangentOptions& options, const std::function<void(std::size_t, const TangentBlock&)>& visit,
                      std::span<const std::uint8_t> wanted)
{
  SUNDER_ASSERT(elements.plastic() == !old.empty() || elements.size() == 0);
  const std::span<const ElementBlock> blocks = elements.blocks();
  const auto loop = [&]<class Laws>() {
    Laws laws;
    TangentBlock out;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (!wanted.empty() && !wanted[b]) continue;
      laws.fetch(blocks[b], materials.data());
      fill(blocks[b], old.empty() ? nullptr : &old[b], laws, p.data(), v.data(), options, out);
      if (options.kind != TangentKind::exact) symmetrise(out);
      add_corner_0(out);
      visit(b, out);
    }
    return 0;
  };
  with_laws_of(materials, loop, material::Laws{});
}

}  // namespace sunder::element
