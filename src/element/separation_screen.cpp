#include "element/separation_screen.hpp"

#include "element/area_across.hpp"
#include "element/lane_laws.hpp"
#include "element/lane_separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sunder::element {
namespace {

using namespace lanewise;

/// Where the corners of a block's elements are summed: rows of `sums`. The first rows_of_node are for nodes that nobody
/// asked for.
struct Places {
  LocalIndex node[4][lanes];
};

/// The part of sigma with positive principal values. Of three values at most one has a sign of its own: its part is
/// value (sigma - other) (sigma - another) / ((value - other) (value - another)), of which value / (value - middle) is
/// between 0 and 1 however close the values are.
[[gnu::always_inline]] inline Symmetric tensile_part(const Symmetric& sigma)
{
  const PrincipalValues<Lanes> v = principal_values(sigma);
  const LaneMask two_pull = v.middle > 0;
  const Lanes alone = two_pull ? v.least : v.greatest, other = two_pull ? v.greatest : v.least;
  const Symmetric own = times(alone / ((alone - v.middle) * (alone - other)), product_less(sigma, other, v.middle));
  const Symmetric zero{}, mixed = chosen(two_pull, plus(sigma, all(-1), own), own);
  return chosen(v.least >= 0, sigma, chosen(v.greatest <= 0, zero, mixed));
}

/// m(a) = a a^T / |a|, T 4.1, with |a|.
struct Push {
  Symmetric m;
  Lanes length;
};
[[gnu::always_inline]] inline Push push(const Vector& a)
{
  const Lanes l = length(a), by = l > 0 ? 1 / l : all(0);
  return {{by * a.x * a.x, by * a.y * a.y, by * a.z * a.z, by * a.x * a.y, by * a.y * a.z, by * a.x * a.z}, l};
}

using RowsOfBlock = SingleRow[lanes];

[[gnu::always_inline]] inline void add_row(Row8* sums, LocalIndex at, SingleRow row)
{
  *reinterpret_cast<SingleRow*>(sums + at) += row;
}

/// What the elements of a block add at one of their corners. last: the last rows, the same at all corners.
[[gnu::always_inline]] inline void add_corner(const Vector& tensile, const Vector& compressive, const Matrix& turn,
                                              const RowsOfBlock& last, const LocalIndex (&at)[lanes], Row8* sums)
{
  const Push pull = push(tensile), press = push(compressive);
  const Symmetric m = plus(pull.m, all(-1), press.m);
  const Singles numbers[2][8] = {
      {single(m.xx), single(m.yy), single(m.zz), single(m.xy), single(m.yz), single(m.xz),
       single(pull.length + press.length), single(tensile.x)},
      {single(tensile.y), single(tensile.z), single(compressive.x), single(compressive.y), single(compressive.z),
       single(turn.m[0][0]), single(turn.m[0][1]), single(turn.m[0][2])}};
  RowsOfBlock first, second;
  transpose(numbers[0], first), transpose(numbers[1], second);
  for (int l = 0; l < lanes; ++l)
    add_row(sums, at[l], first[l]), add_row(sums, at[l] + 1, second[l]), add_row(sums, at[l] + 2, last[l]);
}

/// One block: gather, strain, stress, the forces of its two parts, scatter. viscous: is any material?
template <bool viscous, class Laws>
[[gnu::always_inline]] inline void add_block(const ElementBlock& block, const PlasticBlock* strains,
                                             const material::Material* materials, Laws& laws, const Row4* p,
                                             const Row4* v, const Places& places, Row8* sums)
{
  laws.fetch(block, materials);
  const Matrix F = gradient(p, block);
  const Symmetric eps = strain(F), nu = viscous ? strain_rate(F, gradient(v, block)) : Symmetric{};
  const Symmetric elastic = strains ? plus(eps, all(-1), load(*strains)) : eps;
  const Symmetric sigma = laws.stress(F, eps, elastic, nu, load(block.viscosity)).total.sigma;
  const Lanes volume = load(block.volume);
  const Symmetric tensile = times(-0.5 * volume, tensile_part(sigma)),
                  compressive = plus(times(-0.5 * volume, sigma), all(-1), tensile);
  const Matrix T = product(F, tensile), C = product(F, compressive);
  Matrix turn;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) turn.m[i][j] = volume * F.m[i][j];
  const Singles numbers[8] = {single(turn.m[1][0]), single(turn.m[1][1]), single(turn.m[1][2]),
                              single(turn.m[2][0]), single(turn.m[2][1]), single(turn.m[2][2])};
  RowsOfBlock last;
  transpose(numbers, last);
  Vector t[4], c[4];
  for (int i = 0; i < 3; ++i) {
    const Vector g = gradient_row(block, i);
    t[i + 1] = product(T, g), c[i + 1] = product(C, g);
  }
  t[0] = balance(t[1], t[2], t[3]), c[0] = balance(c[1], c[2], c[3]);
  for (int a = 0; a < 4; ++a) add_corner(t[a], c[a], turn, last, places.node[a], sums);
}

/// How far ahead memory is asked for, in blocks.
constexpr std::size_t blocks_ahead = 4, nodes_ahead = 1;

template <bool viscous, class Laws>
void add_blocks(const ElementBlocks& elements, std::span<const LocalIndex> wanted, const material::Material* materials,
                const Row4* p, const Row4* v, const LocalIndex* place, Row8* sums)
{
  const std::span<const ElementBlock> blocks = elements.blocks();
  const std::span<const PlasticBlock> plastic = elements.plastic_blocks();
  Laws laws;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto wanted_at = [&](std::size_t ahead) { return wanted[std::min(k + ahead, wanted.size() - 1)]; };
    prefetch_block(&blocks[static_cast<std::size_t>(wanted_at(blocks_ahead))]);
    prefetch_nodes(blocks[static_cast<std::size_t>(wanted_at(nodes_ahead))], p, v);
    const auto i = static_cast<std::size_t>(wanted[k]);
    Places places;
    for (int a = 0; a < 4; ++a)
      for (int l = 0; l < lanes; ++l) places.node[a][l] = rows_of_node * place[blocks[i].node[a][l]];
    add_block<viscous>(blocks[i], elements.plastic() ? &plastic[i] : nullptr, materials, laws, p, v, places, sums);
  }
}

// ---- the decision at a node ----

struct NodeSums {
  material::Symmetric<double> m;
  double forces;  // sum of |f+| + |f-| [N]
  Vec3 tensile, compressive;
  Mat3 turn;

  explicit NodeSums(const Row8* rows)
  {
    const auto x = [rows](int i) { return static_cast<double>(rows[i / 8].x[i % 8]); };
    m = {x(0), x(1), x(2), x(3), x(4), x(5)}, forces = x(6);
    tensile = {x(7), x(8), x(9)}, compressive = {x(10), x(11), x(12)};
    turn << x(13), x(14), x(15), x(16), x(17), x(18), x(19), x(20), x(21);
  }
};

/// s + x a a^T.
material::Symmetric<double> with(const material::Symmetric<double>& s, double x, const Vec3& a)
{
  return plus(
      s, x, material::Symmetric<double>{a[0] * a[0], a[1] * a[1], a[2] * a[2], a[0] * a[1], a[1] * a[2], a[0] * a[2]});
}

/// As Separation::tensor().
material::Symmetric<double> tensor_of(const NodeSums& s, SeparationCriterion criterion)
{
  const double tension = s.tensile.norm(), compression = s.compressive.norm();
  material::Symmetric<double> t = s.m;
  if (criterion == SeparationCriterion::sources) {
    if (tension > 0) t = with(t, -1 / tension, s.tensile);
    if (compression > 0) t = with(t, 1 / compression, s.compressive);
  } else if (tension > 0) {
    const Vec3 d = s.tensile / tension;
    t = with(t, -std::clamp(tension + s.compressive.dot(d), 0.0, tension), d);
  }
  return material::times(0.5, t);
}

/// The direction of the greatest principal value, not of unit length: of (t - middle)(t - least), which has no other,
/// the longest column.
Vec3 direction_of_greatest(const material::Symmetric<double>& t, const PrincipalValues<double>& values)
{
  const Mat3 M = material::matrix(t), I = Mat3::Identity(), P = (M - values.middle * I) * (M - values.least * I);
  int longest = 0;
  P.colwise().squaredNorm().maxCoeff(&longest);
  return P.col(longest);
}

/// A lower bound of A(n_hat) of toughness_across() [m^2], for a normal in the material that is off by at most `off`.
double least_area(const Model& model, LocalIndex n, const Vec3& normal, double off)
{
  double area = 0, slope = 0;
  for (const LocalIndex e : model.mesh.star(n)) {
    const Vec3 g = model.blocks.volume(e) / 2 * gradient_at(model, e, n);
    area += std::abs(normal.dot(g)), slope += g.lpNorm<1>();
  }
  return area - off * slope;
}

/// An upper bound of v+/tau, along an interface too; infinite where none is found.
double greatest_ratio(const Model& model, LocalIndex n, const NodeSums& sums, SeparationCriterion criterion)
{
  const material::Symmetric<double> t = tensor_of(sums, criterion);
  const PrincipalValues<double> values = principal_values(t);
  const double greatest = values.greatest + margin * sums.forces + lost;
  const auto i = static_cast<std::size_t>(n);
  double borne = model.toughness[i];
  const StrengthBound& strength = model.strength[i];
  const Vec3 d = direction_of_greatest(t, values), across = sums.turn.transpose() * d;
  const double angle = margin * sums.forces / (values.greatest - values.middle),
               off = 4 * angle * sums.turn.norm() * d.norm() / across.norm();
  if (strength.stress > 0 && angle < 0.01 && sums.turn.norm() > lost) {
    const Vec3 normal = across.normalized();
    const double area = least_area(model, n, normal, off);
    const double joined = area - strength.unjoined.dot(normal.cwiseAbs()) - off * strength.unjoined.sum();
    borne = std::max(borne, strength.stress * std::max(joined, StrengthBound::least_joined * area));
  }
  double ratio = greatest / (borne * (1 - margin));
  if (strength.sliding > 0) ratio = std::max(ratio, (sums.forces + lost) / (strength.sliding * (1 - margin)));
  return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
}

/// Those of the nodes that may fail. rows: their sums, one node's after the other's.
std::vector<Suspect> left_of(const Model& model, SeparationCriterion criterion, std::span<const LocalIndex> nodes,
                             const Row8* rows)
{
  std::vector<Suspect> left;
  LaneMask hold{};
  for (std::size_t i = 0; i < nodes.size(); ++i, rows += rows_of_node) {
    const std::size_t lane = i % lanes;
    if (lane == 0) {
      const bool whole = i + lanes <= nodes.size() && criterion == SeparationCriterion::tensile;
      hold = whole ? hold_for_certain(SumsOfNodes(reinterpret_cast<const SingleRow*>(rows)),
                                      StrengthOfNodes(model, &nodes[i]))
                   : LaneMask{};
    }
    const bool summed_well = model.mesh.star(nodes[i]).size() <= most_summed;
    if (summed_well && hold[lane] != 0) continue;
    const double ratio = summed_well ? greatest_ratio(model, nodes[i], NodeSums(rows), criterion)
                                     : std::numeric_limits<double>::infinity();
    if (ratio > 1) left.push_back({nodes[i], ratio});
  }
  return left;
}

bool directional_toughness(const Model& model)
{
  return std::any_of(model.materials.begin(), model.materials.end(),
                     [](const material::Material& m) { return m.directional_toughness(); });
}

}  // namespace

/// Each with an element around one of the nodes, ascending: memory is read in its order.
void SeparationScreen::find_blocks(const Model& model, std::span<const LocalIndex> nodes)
{
  wanted_.assign(model.blocks.blocks().size(), 2 * nodes.size() > static_cast<std::size_t>(model.mesh.num_nodes()));
  if (wanted_.empty() || !wanted_.front())
    for (const LocalIndex n : nodes)
      for (const LocalIndex e : model.mesh.star(n)) wanted_[static_cast<std::size_t>(e / lanes)] = 1;
  wanted_list_.clear();
  for (std::size_t b = 0; b < wanted_.size(); ++b)
    if (wanted_[b] != 0) wanted_list_.push_back(static_cast<LocalIndex>(b));
}

std::vector<Suspect> SeparationScreen::may_fail(const Model& model, SeparationCriterion criterion,
                                                std::span<const LocalIndex> nodes)
{
  if (directional_toughness(model)) {
    std::vector<Suspect> all;
    for (const LocalIndex n : nodes) all.push_back({n});
    return all;
  }
  find_blocks(model, nodes);
  place_.resize(static_cast<std::size_t>(model.mesh.num_nodes()), 0);
  sums_.assign(rows_of_node * (nodes.size() + 1), Row8{});
  LocalIndex last = 0;
  for (const LocalIndex n : nodes) place_[static_cast<std::size_t>(n)] = ++last;
  const bool viscous = std::any_of(model.materials.begin(), model.materials.end(),
                                   [](const material::Material& m) { return m.viscous(); });
  const auto add = [&]<class Laws>() {
    const auto all = viscous ? add_blocks<true, Laws> : add_blocks<false, Laws>;
    all(model.blocks, wanted_list_, model.materials.data(), model.p.data(), model.v.data(), place_.data(),
        sums_.data());
    return true;
  };
  with_laws_of(model.materials, add, material::Laws{});
  for (const LocalIndex n : nodes) place_[static_cast<std::size_t>(n)] = 0;
  return left_of(model, criterion, nodes, sums_.data() + rows_of_node);
}

}  // namespace sunder::element
