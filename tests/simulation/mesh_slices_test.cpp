#include "simulation/setup/scene_mesh_slices.hpp"

#include "core/error.hpp"
#include "io/mesh_files/mesh_reader.hpp"
#include "io/mesh_files/mesh_writer.hpp"
#include "io/scratch_folder.hpp"
#include "partition/decompose/hilbert.hpp"
#include "simulation/setup/scene_mesh.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/gmsh_file.hpp"
#include "support/vtu_file.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;

namespace {

/// Sets of each kind, nodes no element uses, elements in a random order and all inverted.
mesh::MeshData awkward_box(int n, bool inverted, double jitter = 0.2)
{
  mesh::MeshData m = test::box_mesh(n + 1, n, 2, 0.1, jitter);
  m.nodes.insert(m.nodes.begin() + 5, Vec3(9, 9, 9)), m.node_labels.push_back(m.nodes.size());
  for (auto& tet : m.tets) {
    for (auto& q : tet) q += q >= 5;
    if (inverted) std::swap(tet[0], tet[1]);
  }
  for (std::size_t e = m.tets.size(); e > 1; --e) std::swap(m.tets[e - 1], m.tets[mix(e) % e]);
  m.element_sets = {{"hard", {}}, {"soft", {}}};
  m.face_sets = {{"side", {}}};
  m.node_sets = {{"line", {0, 3, 5}}};
  for (std::size_t e = 0; e < m.tets.size(); ++e) {
    if (e % 5 < 3) m.element_sets[e % 5 == 0].elements.push_back(static_cast<GlobalIndex>(e));
    const auto& t = m.tets[e];
    for (const auto& f : mesh::face_corners) {
      std::array<GlobalIndex, 3> face{t[f[0]], t[f[1]], t[f[2]]};
      const auto at_end = [&](GlobalIndex q) { return m.nodes[static_cast<std::size_t>(q)].x() < 1e-9; };
      if (std::all_of(face.begin(), face.end(), at_end)) m.face_sets[0].faces.push_back(face);
    }
  }
  return m;
}

/// Three tetrahedra that touch in one node, twice, and faces of two in a set.
mesh::MeshData hinged()
{
  mesh::MeshData m;
  for (const double x : {0.0, 5.0}) {
    const auto first = static_cast<GlobalIndex>(m.nodes.size());
    for (const Vec3& at : {Vec3(0, 0, -1), Vec3(1, 0, -1), Vec3(0, 1, -1), Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 1),
                           Vec3(0, 1, 1), Vec3(-1, 0, 0), Vec3(-1, -1, 0), Vec3(-1, 0, 1)})
      m.nodes.push_back(at + Vec3(x, 0, 0));
    m.tets.push_back({first + 4, first + 6, first + 5, first + 3});
    m.tets.push_back({first + 7, first + 9, first + 8, first + 3});
    m.tets.push_back({first, first + 1, first + 2, first + 3});
    m.face_sets.resize(1), m.face_sets[0].name = "sides";
    m.face_sets[0].faces.push_back({first + 1, first + 2, first + 3});
    m.face_sets[0].faces.push_back({first + 3, first + 6, first + 5});
  }
  m.node_sets = {{"line", {3, 13}}};
  return m;
}

class Files {
public:
  std::string put(const std::string& name, const std::string& bytes)
  {
    const auto path = folder_ / name;
    const Comm world;
    world.barrier();  // others may still read the one before
    if (world.rank() == 0) std::filesystem::remove(path), std::ofstream(path, std::ios::binary) << bytes;
    world.barrier();
    return path.string();
  }

  /// The mesh as one file, or as that many pieces.
  std::string put_vtu(const mesh::MeshData& mesh, const test::VtuOptions& options, std::size_t pieces = 1)
  {
    const Comm world;
    world.barrier();
    std::vector<std::string> names;
    for (std::size_t p = 0; p < pieces; ++p) {
      names.push_back(fmt::format("v_{}.vtu", p));
      const std::size_t n = mesh.tets.size();
      if (world.rank() == 0)
        test::write_vtu(mesh, (folder_ / names.back()).string(), options, n * p / pieces, n * (p + 1) / pieces);
    }
    world.barrier();
    return pieces == 1 ? (folder_ / names.front()).string() : put("v.pvtu", test::pvtu(names));
  }

private:
  test::ScratchFolder folder_;
};

config::Scene scene_of(const std::string& bodies)
{
  return test::scene(R"(
materials:
  clay: {E: 1.0e6, nu: 0.25, density: 1000, toughness: {force: 4.0}}
  rock: {E: 1.0e7, nu: 0.25, density: 2000, toughness: {force: 9.0}}
collisions: {enabled: true, resolve: initial_overlap}
bodies:
)" + bodies + R"(
boundary:
  - {name: side, where: {set: side}, fixed: true}
  - {name: line, where: {set: line}, velocity: [0, 1, 0]}
  - {name: box, where: {box: {min: [0.05, -9, -9], max: [9, 9, 0.1]}}, fixed: true}
time: {end: 1}
)");
}

config::Scene one_body(const std::string& file, const std::string& more = "")
{
  return scene_of(
      fmt::format("  - {{name: a, mesh: {{file: {}, scale: 2, refine: 1}}, material: clay, spin: [0, 0.1, 3], "
                  "rotation: {{axis: [1, 2, 3], angle: 1.15}}, "
                  "position: [0.3, 0.1, 0]{}}}\n",
                  file, more));
}

/// As one rank makes it, from the same files.
partition::WholeMesh whole_of(const config::Scene& scene, std::vector<std::string>& warnings)
{
  partition::WholeMesh whole = simulation::scene_mesh(scene, warnings).whole;
  partition::order_along_hilbert(whole);
  return whole;
}

using Faces = std::vector<std::pair<std::array<GlobalIndex, 3>, std::uint64_t>>;

/// Whose nodes this rank owns one of, with marks put together.
Faces faces_of(const partition::WholeMesh& whole, const mesh::TetMesh& mesh)
{
  std::map<std::array<GlobalIndex, 3>, std::uint64_t> faces;
  for (const auto& face : whole.marked_faces) {
    auto nodes = face.nodes;
    std::sort(nodes.begin(), nodes.end());
    const auto owned = [&](GlobalIndex n) {
      const auto local = mesh.find(static_cast<NodeId>(n));
      return local && mesh.owned(*local);
    };
    if (std::any_of(nodes.begin(), nodes.end(), owned)) faces[nodes] |= face.marks;
  }
  return {faces.begin(), faces.end()};
}

Faces faces_of(const partition::Part& part)
{
  std::map<std::array<GlobalIndex, 3>, std::uint64_t> faces;
  for (const auto& face : part.marked_faces) {
    std::array<GlobalIndex, 3> nodes{};
    for (std::size_t a = 0; a < 3; ++a) nodes[a] = static_cast<GlobalIndex>(part.mesh.node(face.nodes[a]).id.low);
    std::sort(nodes.begin(), nodes.end());
    faces[nodes] |= face.marks;
  }
  return {faces.begin(), faces.end()};
}

/// Every bit of this rank's part is that of the whole mesh.
void require_same(const Comm& comm, const simulation::CoarseMesh& coarse, const partition::WholeMesh& whole)
{
  const partition::Part& part = coarse.part;
  const auto sizes = partition::node_sizes(whole.data);
  GlobalIndex owned = 0, primary = 0;
  for (LocalIndex n = 0; n < part.mesh.num_nodes(); ++n) {
    const mesh::Node& node = part.mesh.node(n);
    const std::uint64_t id = node.id.low;
    REQUIRE(id < whole.data.nodes.size());
    REQUIRE(node.X == whole.data.nodes[id]);
    REQUIRE(node.size == sizes[id]);
    REQUIRE(node.marks == whole.node_marks[id]);
    REQUIRE(part.velocities[static_cast<std::size_t>(n)] == whole.node_velocities[id]);
    owned += part.mesh.owned(n);
  }
  for (LocalIndex e = 0; e < part.mesh.num_slots(); ++e) {
    const std::uint64_t id = part.mesh.element_id(e).low;
    REQUIRE(id < whole.data.tets.size());
    for (std::size_t a = 0; a < 4; ++a)
      REQUIRE(part.mesh.node(part.mesh.tet(e)[a]).id == static_cast<NodeId>(whole.data.tets[id][a]));
    REQUIRE(part.mesh.material(e) == whole.element_materials[id]);
    REQUIRE(part.levels[static_cast<std::size_t>(e)] == whole.element_levels[id]);
    primary += part.mesh.primary(e);
  }
  CHECK(comm.sum(owned) == static_cast<GlobalIndex>(whole.data.nodes.size()));
  CHECK(comm.sum(primary) == static_cast<GlobalIndex>(whole.data.tets.size()));
  CHECK(part.surface_marks == whole.surface_marks);
  CHECK(faces_of(part) == faces_of(whole, part.mesh));
}

void require_as_one_rank_does(const config::Scene& scene)
{
  const Comm world;
  std::vector<std::string> warnings;
  const partition::WholeMesh whole = whole_of(scene, warnings);
  REQUIRE(simulation::can_be_sliced(world, scene));
  const simulation::CoarseMesh coarse = simulation::assemble_slices(world, scene);
  require_same(world, coarse, whole);
  CHECK(coarse.warnings == warnings);
}

std::string error_of(const std::function<void()>& action)
{
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Both ways refuse the scene with the same words.
std::string same_error(const config::Scene& scene)
{
  const Comm world;
  std::vector<std::string> warnings;
  const std::string alone = error_of([&] { whole_of(scene, warnings); });
  const std::string together = error_of([&] { simulation::assemble_slices(world, scene); });
  CHECK(together == alone);
  return together;
}

}  // namespace

TEST_CASE("a mesh read in slices is the mesh that one rank reads, to the bit", "[io][gmsh][parallel]")
{
  Files files;
  const std::string regions = ", regions: [{set: soft, material: rock}, {set: hard, material: clay}]";
  for (const bool four : {false, true})
    for (const bool shuffled : {false, true})
      for (const bool inverted : {false, true}) {
        CAPTURE(four, shuffled, inverted);
        const mesh::MeshData box = awkward_box(4, inverted);
        const auto file = files.put("a.msh", test::GmshFile(box, four, shuffled, shuffled).bytes());
        require_as_one_rank_does(one_body(file, regions));
      }
}

TEST_CASE("bodies of several files and kinds are put together in their order", "[io][gmsh][parallel]")
{
  Files files;
  const auto a = files.put("a.msh", test::GmshFile(awkward_box(3, false), true, true).bytes()),
             b = files.put("b.msh", test::GmshFile(awkward_box(2, true), false, false).bytes());
  const auto text = files.put("c.msh", R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
4 4 2 4 1 1 2 3 4
$EndElements
)");
  require_as_one_rank_does(scene_of(fmt::format(R"(
  - {{name: a, mesh: {{file: {}}}, material: clay, regions: [{{set: soft, material: rock}}], velocity: [1, 2, 3]}}
  - {{name: b, mesh: {{file: {}, refine: 2}}, material: rock, position: [0, 0, 2], spin: [1, 0, 0]}}
  - {{name: c, mesh: {{file: {}}}, material: rock, position: [0, 3, 0], spin: [1, 0, 0]}}
)",
                                                a, b, text)));
}

TEST_CASE("bodies that overlap, each other or an obstacle, are found without any rank having one whole",
          "[io][gmsh][parallel]")
{
  Files files;
  const auto box = files.put("a.msh", test::GmshFile(awkward_box(4, false), true, true).bytes());
  const auto scene = [&](double apart, const std::string& obstacles) {
    config::Scene s =
        scene_of(fmt::format("  - {{name: a, mesh: {{file: {}}}, material: clay}}\n"
                             "  - {{name: b, mesh: {{file: {}}}, material: clay, position: [0, 0, {}]}}\n"
                             "obstacles:\n{}",
                             box, box, apart, obstacles));
    s.collisions.resolve = "error";
    return s;
  };
  const std::string ball = "  - {name: ball, sphere: {radius: 0.1}, motion: fixed, position: [0, 0, -0.05]}\n";
  const std::string far = "  - {name: far, sphere: {radius: 0.1}, motion: fixed, position: [0, 0, -5]}\n";
  require_as_one_rank_does(scene(0.2, far));
  require_as_one_rank_does(scene(0.7, ball));
  const std::string message = same_error(scene(0.17, far));
  CAPTURE(message);
  CHECK(message.find("expected bodies that touch at most at the start, got bodies.a and bodies.b overlap by") !=
        std::string::npos);
}

TEST_CASE("all ranks together split hinges as one rank does alone", "[io][gmsh][parallel]")
{
  Files files;
  for (const bool four : {false, true}) {
    const auto file = files.put("h.msh", test::GmshFile(hinged(), four, four).bytes());
    config::Scene scene = one_body(file, ", split_hinges: split");
    scene.boundary[0].where.set = "sides";
    require_as_one_rank_does(scene);
    scene.bodies[0].split_hinges = "report";
    CHECK(same_error(scene).find("nodes that only hinge components") != std::string::npos);
  }
}

config::Scene vtu_scene(const std::string& file, bool split = false)
{
  config::Scene scene = one_body(
      file, std::string(", regions: [{set: region_2, material: rock}]") + (split ? ", split_hinges: split" : ""));
  scene.boundary[0].where.set = "region_-1";
  return scene;
}

TEST_CASE("a crack in a mesh file is one for all readers, however many ranks read", "[io][gmsh][vtu][parallel]")
{
  Files files;
  mesh::MeshData m = awkward_box(4, false, 0);
  test::cut_slit(m, 0.1, 0.25);
  for (const bool four : {false, true})
    require_as_one_rank_does(one_body(files.put("a.msh", test::GmshFile(m, four, true).bytes())));
  const config::Scene scene = vtu_scene(files.put_vtu(m, {}));
  require_as_one_rank_does(scene);
  std::vector<std::string> warnings;
  whole_of(scene, warnings);
  const auto told = [](const std::string& w) { return w.find("taken for the sides of a crack") != std::string::npos; };
  CHECK(std::count_if(warnings.begin(), warnings.end(), told) == 1);
}

TEST_CASE("second-order elements are read by their corners, with one warning, by all readers",
          "[io][gmsh][vtu][parallel]")
{
  Files files;
  const mesh::MeshData linear = awkward_box(3, false);
  mesh::MeshData second = linear;
  const test::MidNodes mids = test::add_mid_nodes(second);
  const auto require_linear = [&](const config::Scene& scene, const config::Scene& of_linear) {
    require_as_one_rank_does(scene);
    std::vector<std::string> warnings, none;
    const Comm world;
    require_same(world, simulation::assemble_slices(world, scene), whole_of(of_linear, none));
    whole_of(scene, warnings);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("read second-order elements by their corners, and left out nodes that are none: ") !=
          std::string::npos);
  };
  for (const bool four : {false, true})
    for (const bool single : {false, true})
      require_linear(one_body(files.put("b.msh", test::GmshFile(second, four, false, single, mids).bytes())),
                     one_body(files.put("a.msh", test::GmshFile(linear, four, false, single).bytes())));
  const auto linear_vtu = files.put("linear.vtu", "");
  const Comm world;
  if (world.rank() == 0) test::write_vtu(linear, linear_vtu);
  test::VtuOptions options;
  options.mids = mids;
  require_linear(vtu_scene(files.put_vtu(second, options)), vtu_scene(linear_vtu));
  options.data = test::VtuOptions::Data::text;  // VTK's own reader
  std::vector<std::string> warnings;
  CHECK(whole_of(vtu_scene(files.put_vtu(second, options)), warnings).data.nodes.size() == linear.nodes.size() - 1);
  CHECK(warnings.size() == 1);
}

TEST_CASE("VTK's grids read in slices are those that one rank reads, raw and compressed, whole and in several files",
          "[io][vtu][parallel]")
{
  Files files;
  using Data = test::VtuOptions::Data;
  for (const std::size_t pieces : {1, 3})
    for (const Data data : {Data::raw, Data::zlib, Data::lz4})
      for (const bool ids : {false, true}) {
        CAPTURE(pieces, static_cast<int>(data), ids);
        mesh::MeshData box = awkward_box(4, false);
        if (pieces > 1) std::erase(box.node_sets[0].nodes, 5);  // a node that no element uses is in no piece
        require_as_one_rank_does(vtu_scene(files.put_vtu(box, {data, ids, ids}, pieces)));
      }
}

TEST_CASE("a grid read in slices is the one that VTK reads as text", "[io][vtu][parallel]")
{
  Files files;
  const mesh::MeshData box = awkward_box(3, false);
  std::vector<std::string> warnings;
  const auto text = files.put_vtu(box, {test::VtuOptions::Data::text, true, false});
  CHECK(!simulation::can_be_sliced(Comm(), vtu_scene(text)));
  const partition::WholeMesh by_vtk = whole_of(vtu_scene(text), warnings);
  const config::Scene scene = vtu_scene(files.put_vtu(box, {test::VtuOptions::Data::raw, true, false}));
  const Comm world;
  require_same(world, simulation::assemble_slices(world, scene), by_vtk);
}

TEST_CASE("sets of a Gmsh mesh have their names in a scene of the VTK file made of it", "[io][gmsh][vtu][parallel]")
{
  Files files;
  const auto gmsh = files.put("a.msh", test::GmshFile(awkward_box(4, false), true, true).bytes());
  const auto vtk = files.put("a.vtu", "");
  if (Comm world; world.rank() == 0) io::write_mesh(io::read_mesh(gmsh), vtk);
  Comm().barrier();
  const auto scene = [](const std::string& file) { return one_body(file, ", regions: [{set: soft, material: rock}]"); };
  require_as_one_rank_does(scene(vtk));
  const auto counts = [&scene](const std::string& file) {
    std::vector<std::string> warnings;
    const partition::WholeMesh whole = simulation::scene_mesh(scene(file), warnings).whole;
    std::vector<std::int64_t> of(4, 0);  // nodes of the three conditions, elements of rock
    for (const std::uint64_t marks : whole.node_marks)
      for (std::size_t k = 0; k < 3; ++k) of[k] += marks >> k & 1u;
    for (const auto material : whole.element_materials) of[3] += material == 1;
    return std::pair(of, whole.marked_faces.size());
  };
  CHECK(counts(vtk) == counts(gmsh));
  for (const std::int64_t count : counts(vtk).first) CHECK(count > 0);
  CHECK(counts(vtk).second > 0);
}

TEST_CASE("what is wrong with a grid read in slices is said as by one rank", "[io][vtu][parallel]")
{
  Files files;
  const std::string sound = test::text_of(files.put_vtu(awkward_box(3, false), {}));
  const auto data = sound.find("AppendedData");
  int refused = 0;
  for (std::size_t k = 0; k < 12; ++k) {
    std::string bytes = sound;
    const std::size_t at = data + 60 + (bytes.size() - data - 200) * k / 12;
    for (std::size_t j = 0; j < 24; ++j) bytes[at + j] = '\xee';
    refused += same_error(vtu_scene(files.put("w.vtu", bytes))) != "no error";
  }
  CHECK(refused > 6);
}

TEST_CASE("what is wrong with a mesh read in slices is said as by one rank", "[io][gmsh][parallel]")
{
  Files files;
  const auto error = [&](const mesh::MeshData& m) {
    return same_error(one_body(files.put("a.msh", test::GmshFile(m, true, true).bytes())));
  };
  const auto says = [](const std::string& message, const std::string& part) {
    CAPTURE(message, part);
    CHECK(message.find(part) != std::string::npos);
  };
  const mesh::MeshData sound = awkward_box(4, false);
  {
    mesh::MeshData m = sound;
    for (std::size_t e = 3; e < m.tets.size(); e += 17) std::swap(m.tets[e][0], m.tets[e][1]);
    says(error(m), "inverted elements, where the others are positive (swap two corners of each if ");
  }
  {
    mesh::MeshData m = sound;
    for (std::size_t e = 0; e < 40; ++e) m.tets.push_back(m.tets[3 * e]);
    const std::string message = error(m);
    says(message, "elements with the corners of another element: ");
    says(message, "elements at a face that more than two share: ");
    says(message, " and 35 more");
  }
  {
    mesh::MeshData m = awkward_box(4, false, 0);
    test::cut_slit(m, 0.1, 9);  // through and through
    says(error(m), "nodes at the place of another node of a part that shares no node with theirs ");
  }
  {
    mesh::MeshData m = sound;
    m.nodes[static_cast<std::size_t>(m.tets[7][2])] = m.nodes[static_cast<std::size_t>(m.tets[7][1])];
    says(error(m), "elements without volume (have the mesher optimise the mesh): ");
  }
  {
    mesh::MeshData m = sound;
    m.nodes[40].x() = 1e200;
    says(error(m), "so large that their volume is not a finite number: ");
  }
  config::Scene scene = one_body(files.put("a.msh", test::GmshFile(sound, true, true).bytes()));
  scene.boundary[0].where.set = "nowhere";
  says(same_error(scene), "boundary.side.where.set: expected a node or face set of the mesh (");
  scene = one_body(files.put("a.msh", test::GmshFile(sound, true, true).bytes()),
                   ", regions: [{set: none, material: rock}]");
  says(same_error(scene), "bodies.a.regions.0.set: expected an element set of the mesh (hard soft), got 'none'");
}

TEST_CASE("a broken file is refused by all ranks with the words of one", "[io][gmsh][parallel]")
{
  Files files;
  const std::string sound = test::GmshFile(awkward_box(4, false), true, true).bytes();
  const auto nodes = sound.find("$Nodes"), elements = sound.find("$Elements");
  for (const std::size_t at : {nodes + 60, nodes + 4000, elements + 100, elements + 3000, sound.size() - 300}) {
    std::string bytes = sound;
    for (std::size_t k = 0; k < 24; ++k) bytes[at + k] = '\xff';
    CHECK(same_error(one_body(files.put("a.msh", bytes))) != "no error");
  }
  CHECK(same_error(one_body(files.put("a.msh", sound.substr(0, sound.size() / 2)))) != "no error");
}
