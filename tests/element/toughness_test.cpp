#include "element/toughness.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace sunder;
using element::Model;
using material::ToughnessForm;

namespace {

material::Material stone(ToughnessForm form, double toughness)
{
  material::Material m = test::chalk(toughness);
  m.toughness_form = form;
  return m;
}

LocalIndex node_at(const Model& model, const Vec3& X)
{
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if ((model.mesh.node(n).X - X).norm() < 1e-9) return n;
  FAIL("no node there");
  return -1;
}

/// A box of 4 x 2 x 2 cells of 0.1 m, its left half of material 0, the right of material 1.
mesh::MeshData box()
{
  return test::box_mesh(4, 2, 2, 0.1);
}

/// The lower half of the plane between the halves is a slit.
mesh::MeshData slit_box()
{
  mesh::MeshData data = box();
  std::map<GlobalIndex, GlobalIndex> right_side;
  for (std::size_t n = 0, all = data.nodes.size(); n < all; ++n)
    if (const Vec3 X = data.nodes[n]; std::abs(X.x() - 0.2) < 1e-9 && X.z() < 0.05)
      right_side[static_cast<GlobalIndex>(n)] = static_cast<GlobalIndex>(data.nodes.size()), data.nodes.push_back(X);
  for (auto& tet : data.tets) {
    double x = 0;
    for (const GlobalIndex n : tet) x += data.nodes[static_cast<std::size_t>(n)].x() / 4;
    for (GlobalIndex& n : tet)
      if (const auto twin = right_side.find(n); x > 0.2 && twin != right_side.end()) n = twin->second;
  }
  return data;
}

Model two_halves(std::vector<material::Material> materials, std::vector<material::Interface> interfaces = {},
                 const mesh::MeshData& data = box())
{
  const std::vector<double> sizes = partition::node_sizes(data);
  std::vector<mesh::Node> nodes;
  for (std::size_t n = 0; n < data.nodes.size(); ++n) nodes.push_back({n, 0, data.nodes[n], sizes[n], 0});
  std::vector<mesh::Element> elements;
  for (std::size_t e = 0; e < data.tets.size(); ++e) {
    mesh::Element element{e, {}, 0};
    double x = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      element.nodes[a] = static_cast<LocalIndex>(data.tets[e][a]);
      x += data.nodes[static_cast<std::size_t>(data.tets[e][a])].x() / 4;
    }
    element.material = x > 0.2;
    elements.push_back(element);
  }
  return element::make_model(mesh::TetMesh(0, std::move(nodes), std::move(elements)), std::move(materials), {},
                             std::move(interfaces));
}

}  // namespace

TEST_CASE("a force with a reference size is that of the same K_Ic on the node's own mesh", "[element][toughness]")
{
  using material::ReferenceSize;
  material::Material plain = stone(ToughnessForm::force, 80), referred = plain;
  const Model fixed = two_halves({plain, plain});
  const LocalIndex n = node_at(fixed, Vec3(0.1, 0.1, 0.1));
  const double h = fixed.mesh.node(n).size;
  CHECK(toughness_across(fixed, n, Vec3::UnitX()) == 80);

  referred.reference = {ReferenceSize::Kind::given, 4 * h};
  const Model finer = two_halves({referred, referred});
  CHECK(toughness_across(finer, n, Vec3::UnitX()) == 80.0 / 8);
  CHECK(least_toughness(finer, n) == 80.0 / 8);
  referred.reference.size = h / 3;
  CHECK(toughness_across(two_halves({referred, referred}), n, Vec3::UnitX()) == Approx(80 * 3 * std::sqrt(3)));

  // As a K_Ic: at all nodes in the same share of what K A(n) / sqrt(h) is on elements of the same shape.
  referred.reference.size = 0.1;
  const Model by_force = two_halves({referred, referred});
  for (const Vec3& X : {Vec3(0, 0, 0), Vec3(0.2, 0.1, 0.1), Vec3(0.4, 0.2, 0.1)}) {
    const LocalIndex at = node_at(by_force, X);
    const double ratio = by_force.mesh.node(at).size / 0.1;
    CHECK(least_toughness(by_force, at) == Approx(80 * std::pow(ratio, 1.5)));
  }
  referred.reference = {ReferenceSize::Kind::unrefined, 0};  // part of the material: simulation/setup/placed_materials
  CHECK(least_toughness(two_halves({referred, referred}), n) == 80);

  const std::vector<material::Interface> joint{{0, 1, ToughnessForm::force, 40, {ReferenceSize::Kind::given, 0.1}, {}}};
  const Model joined = two_halves({plain, plain}, joint);
  const LocalIndex between = node_at(joined, Vec3(0.2, 0.1, 0.1));
  const double ratio = joined.mesh.node(between).size / 0.1;
  CHECK(least_toughness(joined, between) == Approx(40 * std::pow(ratio, 1.5)));
}

TEST_CASE("a node's area across a plane: half at a surface, the same after cuts around it", "[element][toughness]")
{
  Model model = two_halves({stone(ToughnessForm::stress, 1e6), stone(ToughnessForm::stress, 1e6)});
  const auto area = [&model](const Vec3& X, const Vec3& n_hat) {
    return toughness_across(model, node_at(model, X), n_hat) / 1e6;
  };
  const Vec3 x = Vec3::UnitX(), inside(0.1, 0.1, 0.1), side(0.1, 0, 0.1);
  CHECK(area(side, x) == Approx(area(inside, x) / 2));
  const LocalIndex n = node_at(model, inside);
  for (const Vec3& n_hat : {x, Vec3(Vec3(1, 2, -1).normalized()), Vec3(Vec3(0, 1, 3).normalized())})
    CHECK(element::least_toughness(model, n) <= toughness_across(model, n, n_hat));

  // Every edge around the node is halved: its star is the same, half as large.
  const double before = area(inside, x);
  std::vector<NodeId> around;
  for (const LocalIndex e : model.mesh.star(n))
    for (const LocalIndex c : model.mesh.tet(e))
      if (c != n) around.push_back(model.mesh.node(c).id);
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  std::vector<mesh::BisectedElement> bisected;
  for (const NodeId b : around) model.mesh.bisect(n, *model.mesh.find(b), 0.5, bisected);
  model.blocks.resize(model.mesh.num_slots());
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) refresh_element(model, e);
  const auto num_nodes = static_cast<std::size_t>(model.mesh.num_nodes());
  model.p.resize(num_nodes);
  for (std::size_t i = 0; i < num_nodes; ++i) model.p[i].set_xyz(model.mesh.node(static_cast<LocalIndex>(i)).X);
  CHECK(area(inside, x) == Approx(before).epsilon(0.05));
}

TEST_CASE("where surface takes energy, the tip of a slit bears what the material before it does",
          "[element][toughness]")
{
  auto brittle = stone(ToughnessForm::stress, 1e6), cohesive = brittle;
  cohesive.cohesion.energy = 10;
  const auto area = [](const Model& model, const Vec3& n_hat) {
    return toughness_across(model, node_at(model, Vec3(0.2, 0.1, 0.1)), n_hat) / 1e6;
  };
  const Model whole = two_halves({cohesive, cohesive}), slit = two_halves({cohesive, cohesive}, {}, slit_box());
  CHECK(area(slit, Vec3::UnitX()) == Approx(area(whole, Vec3::UnitX()) / 2));
  const Model by_strength = two_halves({brittle, brittle}, {}, slit_box());
  CHECK(area(by_strength, Vec3::UnitX()) == Approx(area(whole, Vec3::UnitX())));
  const element::ToughnessBound bound = element::toughness_bound(slit, node_at(slit, Vec3(0.2, 0.1, 0.1)));
  CHECK(bound.across.stress == 1e6);
  for (const Vec3& n_hat : {Vec3(Vec3::UnitX()), Vec3(Vec3(1, 2, -1).normalized()), Vec3(Vec3(1, 0, 3).normalized())}) {
    CHECK(bound.force <= 1e6 * area(slit, n_hat));
    const double all = area(by_strength, n_hat), joined = all - bound.across.unjoined.dot(n_hat.cwiseAbs());
    CHECK(n_hat.dot(material::matrix(bound.across.areas) * n_hat) <= all * (1 + 1e-12));
    CHECK(area(slit, n_hat) >= 0.5 * all);
    CHECK(area(slit, n_hat) >= std::max(0.5 * all, joined) * (1 - 1e-12));
  }
  // Free faces along the pull join nothing, with surface that takes energy or without.
  const LocalIndex side = node_at(whole, Vec3(0.2, 0, 0.1));
  CHECK(toughness_across(whole, side, Vec3::UnitX()) == Approx(0.5e6 * area(whole, Vec3::UnitX())));
}

TEST_CASE("toughness by K_Ic goes with mesh size to the power 3/2, by G_c with its root", "[element][toughness]")
{
  const Vec3 x = Vec3::UnitX();
  const auto toughness = [&x](const material::Material& m, double h) {
    const Comm comm;
    auto problem =
        test::distributed(comm, test::box_mesh(2, 2, 2, h), {m}, test::by_method(partition::Method::hilbert));
    return toughness_across(problem.model, node_at(problem.model, Vec3::Constant(h)), x);
  };
  const auto K = stone(ToughnessForm::K_Ic, 1e5);
  CHECK(toughness(K, 0.1) / toughness(K, 0.05) == Approx(std::pow(2, 1.5)));
  const double young = K.mu * (3 * K.lambda + 2 * K.mu) / (K.lambda + K.mu), nu = K.lambda / (2 * (K.lambda + K.mu));
  const auto G = stone(ToughnessForm::G_c, 1e10 * (1 - nu * nu) / young);
  CHECK(toughness(G, 0.1) == Approx(toughness(K, 0.1)));
}

TEST_CASE("where materials meet, the least of them and of their interface counts", "[element][toughness]")
{
  const auto strong = stone(ToughnessForm::force, 50), weak = stone(ToughnessForm::force, 20);
  const Vec3 left(0.1, 0.1, 0.1), joint(0.2, 0.1, 0.1), right(0.3, 0.1, 0.1);
  const Model plain = two_halves({strong, weak});
  CHECK(plain.toughness[static_cast<std::size_t>(node_at(plain, left))] == 50);
  CHECK(plain.toughness[static_cast<std::size_t>(node_at(plain, joint))] == 20);
  CHECK(plain.toughness[static_cast<std::size_t>(node_at(plain, right))] == 20);
  for (const double toughness : {5.0, 15.0, 100.0}) {
    const Model joined = two_halves({strong, weak}, {{1, 0, ToughnessForm::force, toughness, {}, {}}});
    CHECK(joined.toughness[static_cast<std::size_t>(node_at(joined, left))] == 50);
    CHECK(joined.toughness[static_cast<std::size_t>(node_at(joined, joint))] == std::min(toughness, 20.0));
    CHECK(joined.toughness[static_cast<std::size_t>(node_at(joined, right))] == 20);
  }
}

TEST_CASE("an interface fails in its own plane, materials across what pulls them most", "[element][toughness]")
{
  const auto strong = stone(ToughnessForm::stress, 1e7);
  const std::vector<material::Interface> glue{{1, 0, ToughnessForm::stress, 1e6, {}, {}}};
  const Model model = two_halves({strong, strong}, glue);
  const LocalIndex joint = node_at(model, Vec3(0.2, 0.1, 0.1));
  const Mat3 across = Vec3(1, 0, 0).asDiagonal(), along = Vec3(0, 1, 0).asDiagonal();

  const element::WeakestPlane glued = element::weakest_plane(model, joint, across);
  CHECK(glued.interface == 0);
  CHECK(glued.separation.value == Approx(1));
  CHECK(std::abs(glued.separation.direction.x()) == Approx(1));
  CHECK(10 * glued.toughness == Approx(toughness_across(model, joint, Vec3::UnitX())));
  CHECK(element::toughness_bound(model, joint).force <= glued.toughness);
  CHECK(element::toughness_bound(model, joint).across.stress == 0);

  const element::WeakestPlane bulk = element::weakest_plane(model, joint, along);
  CHECK(bulk.interface == -1);
  CHECK(bulk.toughness == toughness_across(model, joint, Vec3::UnitY()));
  CHECK(element::weakest_plane(model, joint, -across).separation.value <= 0);  // what presses does not part
  CHECK(element::weakest_plane(model, node_at(model, Vec3(0.1, 0.1, 0.1)), across).interface == -1);

  // At 60 degrees to the faces half of the pull is across them, as much along: |s n| = cos 60.
  const Vec3 d(0.5, std::sqrt(0.75), 0);
  CHECK(element::weakest_plane(model, joint, d * d.transpose()).separation.value == Approx(0.5));
  CHECK(element::weakest_plane(model, joint, d * d.transpose()).interface == 0);

  // A joint tougher than what it joins makes nothing tougher.
  auto tough = glue;
  tough[0].toughness = 1e9;
  const Model welded = two_halves({strong, strong}, tough);
  CHECK(element::weakest_plane(welded, joint, across).interface == -1);
  CHECK(welded.toughness[static_cast<std::size_t>(joint)] <= toughness_across(welded, joint, Vec3::UnitX()));
}

TEST_CASE("an interface that takes energy bears stress across it and shear_ratio times as much along it",
          "[element][toughness]")
{
  auto strong = stone(ToughnessForm::stress, 1e7);
  strong.phi = strong.psi = 0;
  const double shear_ratio = GENERATE(0.5, 1.0, 3.0), strength = 100;
  material::Interface glue{0, 1, ToughnessForm::stress, strength, {}, {.energy = 12, .shear_ratio = shear_ratio}};
  if (GENERATE(false, true)) std::swap(glue.a, glue.b);
  Model model = two_halves({strong, strong}, {glue});
  const auto n = static_cast<std::size_t>(node_at(model, Vec3(0.2, 0.1, 0.1)));
  /// v/tau of the interface under a traction across x and one along it, which a small strain makes.
  const auto ratio = [&](double across, double along) {
    Mat3 F = Mat3::Identity();
    F(0, 0) += across / (strong.lambda + 2 * strong.mu), F(1, 0) += along / strong.mu;
    for (std::size_t i = 0; i < model.p.size(); ++i)
      model.p[i].set_xyz(F * model.mesh.node(static_cast<LocalIndex>(i)).X);
    const element::WeakestPlane plane = element::weakest_plane(model, static_cast<LocalIndex>(n), Mat3::Zero());
    return plane.interface == 0 ? plane.ratio() : 0;
  };
  CHECK(ratio(50, 0) == Approx(0.5).epsilon(1e-3));
  CHECK(ratio(0, 50) == Approx(0.5 / shear_ratio).epsilon(1e-3));
  CHECK(ratio(30, -40) == Approx(std::hypot(0.3, 0.4 / shear_ratio)).epsilon(1e-3));
  CHECK(ratio(-50, 0) < 1e-3);                                        // what presses does not part,
  CHECK(ratio(-500, 50) == Approx(0.5 / shear_ratio).epsilon(3e-3));  // and does not hold
  const element::StrengthBound& bound = model.strength[n];
  CHECK(bound.sliding > 0);
  CHECK(bound.sliding <= std::min(1.0, shear_ratio) * strength *
                             (toughness_across(model, static_cast<LocalIndex>(n), Vec3::UnitX()) / 1e7));
  CHECK(bound.stress == 1e7);  // through the materials
}

TEST_CASE("an interface that takes energy bears the same stress whatever the shapes of its elements",
          "[element][toughness]")
{
  auto strong = stone(ToughnessForm::stress, INFINITY);
  strong.lambda = 0;
  Model model = two_halves({strong, strong}, {{0, 1, ToughnessForm::stress, 100, {}, {.energy = 12}}},
                           test::box_mesh(4, 4, 4, 0.1, 0.3));
  const Mat3 F = Vec3(1 + 50 / (2 * strong.mu), 1, 1).asDiagonal();
  for (std::size_t i = 0; i < model.p.size(); ++i)
    model.p[i].set_xyz(F * model.mesh.node(static_cast<LocalIndex>(i)).X);
  int between = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    if (model.strength[static_cast<std::size_t>(n)].sliding == 0) continue;
    const element::WeakestPlane plane = element::weakest_plane(model, n, Mat3::Zero());
    CHECK(plane.ratio() == Approx(0.5 * std::abs(plane.separation.direction.x())).epsilon(1e-3));
    ++between;
  }
  CHECK(between == 25);
}

TEST_CASE("links have the law of the interface along it, else that of the weakest material", "[element][toughness]")
{
  auto first = stone(ToughnessForm::stress, 2e6), second = stone(ToughnessForm::stress, 3e6);
  first.cohesion.energy = 20, second.cohesion.energy = 30;
  const Model model = two_halves({first, second}, {{0, 1, ToughnessForm::stress, 1e3, {}, {.energy = 12}}});
  const LocalIndex joint = node_at(model, Vec3(0.2, 0.1, 0.1));
  const std::vector<MaterialIndex> left{0}, right{1}, both{0, 1};
  CHECK(strength_between(model, joint, left, right).cohesion.energy == 12);
  CHECK(strength_between(model, joint, right, left).stress == 1e3);
  CHECK(strength_between(model, joint, left, both).stress == 2e6);
  CHECK(strength_between(model, joint, right, right).cohesion.energy == 20);
  CHECK(node_strength(model, joint).cohesion.energy == 20);
}

TEST_CASE("a material that nothing breaks takes no energy away from what breaks", "[element][toughness]")
{
  auto glass = stone(ToughnessForm::stress, 2e6), steel = stone(ToughnessForm::stress, INFINITY);
  glass.cohesion.energy = 20;
  const Model model = two_halves({glass, steel});
  const LocalIndex joint = node_at(model, Vec3(0.2, 0.1, 0.1));
  CHECK(node_strength(model, joint).stress == 2e6);
  CHECK(node_strength(model, joint).cohesion.energy == 20);
}

TEST_CASE("every material around a node counts, in whatever order its elements stand", "[element][toughness]")
{
  // Twelve of them, around the middle of a block; only the last two have an interface of their own, the weakest of all.
  constexpr std::size_t kinds = 12;
  std::vector<material::Material> materials;
  for (std::size_t k = 0; k < kinds; ++k) {
    materials.push_back(stone(ToughnessForm::force, 50 + static_cast<double>(k)));
    materials.back().residual = 0.9 - 0.05 * static_cast<double>(k);
  }
  const std::vector<material::Interface> weakest_last{{kinds - 1, kinds - 2, ToughnessForm::force, 3, {}, {}}};
  const mesh::MeshData data = test::box_mesh(2, 2, 2, 0.1);
  const std::vector<double> sizes = partition::node_sizes(data);
  for (const bool backwards : {false, true}) {
    std::vector<mesh::Node> nodes;
    for (std::size_t n = 0; n < data.nodes.size(); ++n) nodes.push_back({n, 0, data.nodes[n], sizes[n], 0});
    std::vector<mesh::Element> elements;
    std::size_t around = 0;
    for (std::size_t e = 0; e < data.tets.size(); ++e) {
      mesh::Element element{e, {}, 0};
      for (std::size_t a = 0; a < 4; ++a) element.nodes[a] = static_cast<LocalIndex>(data.tets[e][a]);
      const bool touches = std::find(element.nodes.begin(), element.nodes.end(), 13) != element.nodes.end();
      if (touches) element.material = static_cast<MaterialIndex>(around++ % kinds);
      if (touches && backwards) element.material = static_cast<MaterialIndex>(kinds - 1 - element.material);
      elements.push_back(element);
    }
    REQUIRE(around >= kinds);
    const Model model = element::make_model(mesh::TetMesh(0, nodes, elements), materials, {}, weakest_last);
    const LocalIndex middle = node_at(model, Vec3::Constant(0.1));
    REQUIRE(middle == 13);
    CHECK(element::least_toughness(model, middle) == 3);
    CHECK(residual_share(model, middle) == materials.back().residual);
    const Model plain = element::make_model(mesh::TetMesh(0, nodes, elements), materials, {}, {});
    CHECK(node_strength(plain, middle).force == 50);
  }
}

TEST_CASE("scattered strength depends on place and seed, not on the mesh", "[element][toughness]")
{
  auto m = stone(ToughnessForm::stress, 1e6);
  m.weibull = material::Weibull{.modulus = 5, .volume = 1e-6, .seed = 1};
  const Model model = two_halves({m, m});
  auto other = m;
  other.weibull->seed = 2;
  const Model twin = two_halves({other, other});
  int different = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const double strength = node_strength(model, n).stress;
    double volume = 0;
    for (const LocalIndex e : model.mesh.star(n)) volume += model.blocks.volume(e) / 4;
    CHECK(strength == Approx(1e6 * weibull_factor(*m.weibull, model.mesh.node(n).X, volume)));
    different += strength != node_strength(twin, n).stress;
  }
  CHECK(different == model.mesh.num_nodes());
}
