#include "io/mesh_files/vtu_reader.hpp"

#include "core/error.hpp"
#include "io/mesh_files/changed_text.hpp"
#include "io/mesh_files/mesh_reader.hpp"
#include "io/mesh_files/mesh_writer.hpp"
#include "io/mesh_files/vtu_writer.hpp"
#include "io/scratch_folder.hpp"
#include "mesh/mesh_check.hpp"
#include "support/cube_mesh.hpp"

#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridWriter.h>
#include <catch2/catch.hpp>

namespace {

using namespace sunder;

/// Two tetrahedra and a triangle, as text.
const std::string text = R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
  <UnstructuredGrid>
    <Piece NumberOfPoints="5" NumberOfCells="3">
      <PointData>
        <DataArray type="Int32" Name="tip" format="ascii">0 0 0 0 1</DataArray>
        <DataArray type="Int32" Name="count" format="ascii">0 1 2 3 4</DataArray>
        <DataArray type="Float64" Name="heat" format="ascii">0 1 0 1 0</DataArray>
      </PointData>
      <CellData>
        <DataArray type="Int32" Name="region" format="ascii">3 -5 8</DataArray>
      </CellData>
      <Points>
        <DataArray type="Float64" NumberOfComponents="3" format="ascii">
          0 0 0  1 0 0  0 1 0  0 0 1  1 1 1
        </DataArray>
      </Points>
      <Cells>
        <DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3  0 2 1  1 2 3 4</DataArray>
        <DataArray type="Int64" Name="offsets" format="ascii">4 7 11</DataArray>
        <DataArray type="UInt8" Name="types" format="ascii">10 5 10</DataArray>
      </Cells>
    </Piece>
  </UnstructuredGrid>
</VTKFile>
)";

/// One tetrahedron of a piece; the seam is the face at x = 0.
std::string piece(const std::string& apex, const std::string& point_data = "")
{
  return R"(<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian"><UnstructuredGrid>
<Piece NumberOfPoints="4" NumberOfCells="1">)" +
         point_data + R"(<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">
0 0 0  0 1 0  0 0 1  )" +
         apex + R"(</DataArray></Points><Cells>
<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>
)";
}

std::string ids(const std::string& values)
{
  return R"(<PointData GlobalIds="id"><DataArray type="Int64" Name="id" format="ascii">)" + values +
         "</DataArray></PointData>";
}

const std::string summary = R"(<VTKFile type="PUnstructuredGrid" version="0.1"><PUnstructuredGrid GhostLevel="0">
<Piece Source="a_0.vtu"/><Piece Source="a_1.vtu"/></PUnstructuredGrid></VTKFile>
)";

class VtuFolder {
public:
  void put(const std::string& name, const std::string& bytes)
  {
    std::filesystem::remove(folder_ / name);  // some file systems flush a file that is truncated to be rewritten
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  mesh::MeshData read(const std::string& bytes)
  {
    put("a.vtu", bytes);
    return io::read_vtu(path("a.vtu"));
  }
  mesh::MeshData read(const std::string& first, const std::string& second)
  {
    put("a.pvtu", summary), put("a_0.vtu", first), put("a_1.vtu", second);
    return io::read_vtu(path("a.pvtu"));
  }
  template <class... Bytes>
  std::string error(const Bytes&... bytes)
  {
    try {
      read(bytes...);
    } catch (const Error& e) {
      return std::string(e.what()).substr(folder_.path().string().size() + 1);
    }
    return "no error";
  }
  /// The same grid as VTK writes it.
  std::string written(bool compressed, const std::string& bytes = text)
  {
    put("b.vtu", bytes);
    vtkNew<vtkXMLUnstructuredGridReader> reader;
    reader->SetFileName(path("b.vtu").c_str());
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetInputConnection(reader->GetOutputPort());
    writer->SetFileName(path("c.vtu").c_str());
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    if (!compressed) writer->SetCompressorTypeToNone();
    writer->Write();
    return test::text_of(path("c.vtu"));
  }

private:
  test::ScratchFolder folder_;
};

void require_the_two(const mesh::MeshData& m)
{
  REQUIRE(m.nodes.size() == 5);
  CHECK(m.nodes[4] == Vec3(1, 1, 1));
  REQUIRE(m.tets == std::vector<std::array<GlobalIndex, 4>>{{0, 1, 2, 3}, {1, 2, 3, 4}});
  CHECK(m.element_labels == std::vector<std::uint64_t>{0, 2});
  REQUIRE(m.element_sets.size() == 2);
  CHECK((m.element_sets[0].name == "region_3" && m.element_sets[0].elements == std::vector<GlobalIndex>{0}));
  CHECK((m.element_sets[1].name == "region_8" && m.element_sets[1].elements == std::vector<GlobalIndex>{1}));
  REQUIRE(m.face_sets.size() == 1);
  CHECK(m.face_sets[0].faces == std::vector<std::array<GlobalIndex, 3>>{{0, 2, 1}});
}

}  // namespace

TEST_CASE("a VTU file gives the same mesh as text, raw and compressed", "[io][vtu]")
{
  VtuFolder folder;
  const mesh::MeshData m = folder.read(text);
  require_the_two(m);
  CHECK(m.face_sets[0].name == "region_-5");
  REQUIRE(m.node_sets.size() == 2);  // counts are no flags, and neither are real numbers
  CHECK((m.node_sets[0].name == "region_-5" && m.node_sets[0].nodes == std::vector<GlobalIndex>{0, 1, 2}));
  CHECK((m.node_sets[1].name == "tip" && m.node_sets[1].nodes == std::vector<GlobalIndex>{4}));
  for (const bool compressed : {false, true}) {
    const mesh::MeshData same = folder.read(folder.written(compressed));
    CHECK(same.tets == m.tets);
    CHECK(same.nodes == m.nodes);
  }
}

TEST_CASE("pieces of a PVTU grow together where their points are the same", "[io][vtu]")
{
  VtuFolder folder;
  const mesh::MeshData by_place = folder.read(piece("1 0 0"), piece("-1 0 0"));
  REQUIRE(by_place.nodes.size() == 5);
  CHECK(by_place.tets == std::vector<std::array<GlobalIndex, 4>>{{0, 1, 2, 3}, {0, 1, 2, 4}});
  CHECK(by_place.node_labels == std::vector<std::uint64_t>{0, 1, 2, 3, 7});

  const mesh::MeshData by_id = folder.read(piece("1 0 0", ids("10 11 12 13")), piece("-1 0 0", ids("10 11 12 14")));
  CHECK(by_id.tets == by_place.tets);
  CHECK(by_id.node_labels == std::vector<std::uint64_t>{10, 11, 12, 13, 14});
}

TEST_CASE("ids keep the sides of a crack apart", "[io][vtu]")
{
  VtuFolder folder;
  mesh::MeshData m = folder.read(piece("1 0 0", ids("10 11 12 13")), piece("-1 0 0", ids("20 21 22 14")));
  CHECK(m.nodes.size() == 8);
  for (auto& tet : m.tets)
    if (m.nodes[static_cast<std::size_t>(tet[3])].x() < 0) std::swap(tet[0], tet[1]);
  CHECK(mesh::check_mesh(m, mesh::Hinges::report).errors.empty());
}

TEST_CASE("what is wrong with a VTK mesh is said with the file's name", "[io][vtu]")
{
  VtuFolder folder;
  const auto says = [](const std::string& message, const std::string& part) {
    CAPTURE(message, part);
    CHECK(message.find(part) != std::string::npos);
  };
  says(folder.error(std::string("")), "a.vtu: expected an unstructured grid in VTK's XML format");
  says(folder.error(text.substr(0, text.size() - 40)), "a.vtu: VTK cannot read it: ");
  says(folder.error(test::replaced(text, "10 5 10", "10 5 12")), "a.vtu: expected tetrahedra and triangles");
  says(folder.error(test::replaced(text, "10 5 10", "10 5 24")), "expected 10 points of cell 2, got 4");
  says(folder.error(test::replaced(text, "10 5 10", "10 5 12")), "got type 12 for cell 2");
  says(folder.error(test::replaced(text, "0 2 1  1 2 3 4", "0 2 1  1 2 3 5")),
       "expected points 0 to 4 as corners of cell 2, got 5");
  says(folder.error(test::replaced(text, "4 7 11", "4 8 11")), "expected 3 points of cell 1, got 4");
  says(folder.error(test::replaced(text, "1 1 1\n", "1 1 nan\n")), "a.vtu: ");
  says(folder.error(test::replaced(text, "Int32\" Name=\"region", "Float32\" Name=\"region")),
       "expected one integer a cell in array 'region', got 1 of type float");
  says(folder.error(test::replaced(text, "NumberOfPoints=\"5\"", "NumberOfPoints=\"5000000000\"")),
       "expected a NumberOfPoints the file has room for, got '5000000000'");
  says(folder.error(
           test::replaced(test::replaced(text, "10 5 10", "5 5 5"), "1 2 3  0 2 1  1 2 3 4", "1 2  0 2 1  1 2 3")),
       "a.vtu: ");
  says(folder.error(piece("1 0 0", ids("1 2 3 4")), piece("-1 0 0", ids("1 3 2 5"))),
       "a_1.vtu: expected the point of id 2 in one place, got two");
  says(folder.error(piece("1 0 0"), std::string("<VTKFile/>")), "a_1.vtu: expected an unstructured grid");
  std::filesystem::remove(folder.path("a_1.vtu"));
  CHECK_THROWS_WITH(io::read_vtu(folder.path("a.pvtu")), Catch::Contains("a_1.vtu: expected a mesh file, found none"));
  folder.put("a.pvtu", test::replaced(summary, "Source=\"a_1.vtu\"", ""));
  CHECK_THROWS_WITH(io::read_vtu(folder.path("a.pvtu")), Catch::Contains("a.pvtu: expected a Source of piece 1"));
}

TEST_CASE("no mutation of a VTK mesh is worse than an error", "[io][vtu][fuzz]")
{
  VtuFolder folder;
  // Not a compressed file: VTK believes the block sizes in it and takes gigabytes, for seconds, before it says no.
  const std::vector<std::string> originals{text, folder.written(false)};
  folder.put("a_0.vtu", piece("1 0 0")), folder.put("a_1.vtu", piece("-1 0 0"));
  int read = 0, refused = 0;
  for (std::uint64_t k = 0; k < 10000; ++k) {
    try {
      const bool pieces = k % 4 == 3;
      if (pieces) folder.put("a.pvtu", test::mutated(summary, k));
      const mesh::MeshData m =
          pieces ? io::read_vtu(folder.path("a.pvtu")) : folder.read(test::mutated(originals[k % 2], k));
      for (const auto& tet : m.tets)
        for (const GlobalIndex n : tet) REQUIRE((n >= 0 && n < static_cast<GlobalIndex>(m.nodes.size())));
      for (const Vec3& x : m.nodes) REQUIRE(x.allFinite());
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(read > 100);
  CHECK(refused > 1000);
}

TEST_CASE("a mesh that is written is read back with its sets by their names, in each format", "[io][vtu][gmsh]")
{
  const test::ScratchFolder folder;
  mesh::MeshData m = test::box_mesh(2, 2, 1, 0.1, 0);
  m.element_sets = {{"hard", {0, 3}}, {"soft \"<ä>&", {4, 5, 6}}};
  m.face_sets = {{"base", {{0, 1, 3}}}};
  m.node_sets = {{"base", {0, 1, 3}}, {"line", {2, 5}}};
  for (const std::string name : {"m.msh", "m.vtu"}) {
    CAPTURE(name);
    const std::string file = (folder / name).string();
    io::write_mesh(m, file);
    const mesh::MeshData back = io::read_mesh(file);
    CHECK(back.nodes == m.nodes);
    CHECK(back.tets == m.tets);
    REQUIRE(back.element_sets.size() == 2);
    for (const mesh::ElementSet& set : m.element_sets)
      CHECK(std::any_of(back.element_sets.begin(), back.element_sets.end(), [&set](const mesh::ElementSet& e) {
        return e.name == set.name && e.elements == set.elements;
      }));
    REQUIRE(back.face_sets.size() == 1);
    CHECK(back.face_sets[0].name == "base");
    CHECK(back.face_sets[0].faces == m.face_sets[0].faces);
    const auto has = [&back](const std::string& set, const std::vector<GlobalIndex>& nodes) {
      return std::any_of(back.node_sets.begin(), back.node_sets.end(),
                         [&](const mesh::NodeSet& s) { return s.name == set && s.nodes == nodes; });
    };
    CHECK(has("base", {0, 1, 3}));
    CHECK(has("line", {2, 5}));
  }
  CHECK_THROWS_WITH(io::check_can_write_mesh("m.stl"), Catch::Contains("expected a mesh to write that ends in .msh"));
}

TEST_CASE("cell arrays of zeros and ones are sets by their names, in a file read whole or in slices", "[io][vtu]")
{
  VtuFolder folder;
  const std::string more = R"(<DataArray type="Int32" Name="lid" format="ascii">0 1 0</DataArray>
<DataArray type="UInt8" Name="both" format="ascii">1 1 1</DataArray>
<DataArray type="Int8" Name="none" format="ascii">0 0 0</DataArray>
<DataArray type="Int8" Name="two" format="ascii">0 1 2</DataArray>
<DataArray type="Float32" Name="real" format="ascii">1 0 0</DataArray></CellData>)";
  const std::string flagged = test::replaced(text, "</CellData>", more);
  for (const std::string& bytes : {flagged, folder.written(false, flagged), folder.written(true, flagged)}) {
    const mesh::MeshData m = folder.read(bytes);
    REQUIRE(m.element_sets.size() == 3);
    CHECK((m.element_sets[0].name == "both" && m.element_sets[0].elements == std::vector<GlobalIndex>{0, 1}));
    CHECK((m.element_sets[1].name == "region_3" && m.element_sets[2].name == "region_8"));
    REQUIRE(m.face_sets.size() == 3);
    CHECK((m.face_sets[0].name == "both" && m.face_sets[1].name == "lid" && m.face_sets[2].name == "region_-5"));
    CHECK(m.face_sets[1].faces == std::vector<std::array<GlobalIndex, 3>>{{0, 2, 1}});
    REQUIRE(m.node_sets.size() == 4);  // a face set is a node set too
    CHECK((m.node_sets[1].name == "lid" && m.node_sets[1].nodes == std::vector<GlobalIndex>{0, 1, 2}));
  }
}

TEST_CASE("sets of a Gmsh mesh that overlap keep their names and elements in a VTK file", "[io][vtu][gmsh]")
{
  const test::ScratchFolder folder;
  mesh::MeshData m = test::box_mesh(2, 2, 1, 0.1, 0);
  m.element_sets = {{"left half", {0, 1, 2, 3}}, {"core", {2, 3, 4}}};
  m.face_sets = {{"core", {{0, 1, 3}}}};  // a name that elements have too
  io::write_vtu(m, (folder / "m.vtu").string());
  const mesh::MeshData back = io::read_mesh((folder / "m.vtu").string());
  REQUIRE(back.element_sets.size() == 2);
  CHECK((back.element_sets[0].name == "core" && back.element_sets[0].elements == m.element_sets[1].elements));
  CHECK((back.element_sets[1].name == "left half" && back.element_sets[1].elements == m.element_sets[0].elements));
  REQUIRE(back.face_sets.size() == 1);
  CHECK((back.face_sets[0].name == "core" && back.face_sets[0].faces == m.face_sets[0].faces));
  m.element_sets[0].name = "region";
  CHECK_THROWS_WITH(io::write_vtu(m, (folder / "n.vtu").string()),
                    Catch::Contains("n.vtu: expected sets without") && Catch::Contains("got 'region'"));
  CHECK_FALSE(std::filesystem::exists(folder / "n.vtu"));
}
