#include "io/frames/frame_writer.hpp"

#include "core/error.hpp"
#include "core/hash.hpp"
#include "io/frames/distributed_block.hpp"
#include "io/frames/obstacle_surface.hpp"
#include "io/frames/piece.hpp"
#include "io/run_files/output_folder.hpp"
#include "io/scratch_folder.hpp"
#include "support/solids.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLPolyDataReader.h>
#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include <numbers>
#include <set>

using namespace sunder;
using test::DistributedBlock;
using test::ScratchFolder;
using test::text_of;

namespace {

vtkSmartPointer<vtkUnstructuredGrid> read(const std::filesystem::path& path)
{
  REQUIRE(std::filesystem::exists(path));
  vtkNew<vtkXMLPUnstructuredGridReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  return reader->GetOutput();
}

Vec3 tuple3(vtkDataArray* array, vtkIdType i)
{
  Vec3 a;
  array->GetTuple(i, a.data());
  return a;
}

double volume(vtkUnstructuredGrid& grid, vtkIdType cell)
{
  vtkNew<vtkIdList> ids;
  grid.GetCellPoints(cell, ids);
  auto x = [&](vtkIdType k) { return Vec3(grid.GetPoint(ids->GetId(k))); };
  return (x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) - x(0)) / 6;
}

auto owner_choice(int choice, const Comm& comm)
{
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  return [=](std::uint64_t q) {
    if (choice == 0) return static_cast<Rank>(mix(q) % ranks);
    return static_cast<Rank>(ranks / 2);  // on 3 ranks the first and the last hold nothing
  };
}

/// A block cut into slabs that are thick enough for every group of ranks to write elements.
DistributedBlock slabs(const Comm& comm)
{
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  return {4, comm.rank(), [=](std::uint64_t q) { return static_cast<Rank>(q * ranks / 125); }};
}

std::set<std::string> names(vtkFieldData* data)
{
  std::set<std::string> result;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) result.insert(data->GetArrayName(i));
  return result;
}

std::vector<double> row(vtkFieldData& data, vtkIdType i)
{
  std::vector<double> values;
  for (int a = 0; a < data.GetNumberOfArrays(); ++a)
    for (int k = 0; k < data.GetArray(a)->GetNumberOfComponents(); ++k)
      values.push_back(data.GetArray(a)->GetComponent(i, k));
  return values;
}

/// What a frame says, however it is cut into files: fields of each element that is no ghost with those of its corners.
using Contents = std::multiset<std::vector<double>>;

bool is_ghost(vtkUnstructuredGrid& grid, vtkIdType cell)
{
  vtkDataArray* const ghosts = grid.GetCellData()->GetArray("vtkGhostType");
  return ghosts != nullptr && ghosts->GetTuple1(cell) != 0;
}

Contents contents(vtkUnstructuredGrid& grid)
{
  Contents all;
  std::vector<vtkIdType> own;
  for (vtkIdType c = 0; c < grid.GetNumberOfCells(); ++c)
    if (!is_ghost(grid, c)) own.push_back(c);
  grid.GetCellData()->RemoveArray("vtkGhostType");  // the one field that depends on the files
  vtkPointData& points = *grid.GetPointData();
  for (const vtkIdType c : own) {
    std::vector<double> values = row(*grid.GetCellData(), c);
    vtkNew<vtkIdList> corners;
    grid.GetCellPoints(c, corners);
    for (vtkIdType k = 0; k < corners->GetNumberOfIds(); ++k) {
      const auto fields = row(points, corners->GetId(k));
      values.insert(values.end(), fields.begin(), fields.end());
      values.insert(values.end(), grid.GetPoint(corners->GetId(k)), grid.GetPoint(corners->GetId(k)) + 3);
    }
    all.insert(values);
  }
  return all;
}

std::int64_t num_files(const std::filesystem::path& folder, const std::string& name)
{
  std::int64_t n = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    n += entry.path().extension() == ".vtu" && entry.path().filename().string().starts_with(name + "_");
  return n;
}

}  // namespace

TEST_CASE("a frame reads back as the mesh that was written", "[io][frame_writer][parallel]")
{
  const Comm comm;
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  const int choice = GENERATE(0, 1);
  const bool reference = GENERATE(false, true);
  const auto compression = GENERATE(io::Compression::lz4, io::Compression::zlib, io::Compression::none);
  CAPTURE(choice, reference, static_cast<int>(compression));
  const DistributedBlock block(2, comm.rank(), owner_choice(choice, comm));
  io::Frame frame = block.frame(0.25);
  if (reference) frame.points = block.rest();
  io::FrameWriter(comm, folder.path(), "block", {.compression = compression, .pieces = comm.size()}).write(frame);

  const auto grid = read(folder / "frames/block_000000.pvtu");
  vtkPointData* const points = grid->GetPointData();
  vtkCellData* const cells = grid->GetCellData();
  CHECK(names(points) == std::set<std::string>{"Displacement", "Velocity", "GlobalNodeId", "MaterialPosition"});
  std::set<std::string> expected{"Stress", "MaxPrincipalStress", "PlasticStrain", "Fragment", "Material",
                                 "Rank",   "GlobalElementId"};
  if (comm.size() > 1) expected.insert("vtkGhostType");
  CHECK(names(cells) == expected);
  CHECK(points->GetGlobalIds() == nullptr);
  CHECK(cells->GetGlobalIds() == nullptr);
  vtkDataArray* const node_ids = points->GetArray("GlobalNodeId");
  vtkDataArray* const element_ids = cells->GetArray("GlobalElementId");

  SECTION("each element once, with its fields")
  {
    std::set<vtkIdType> seen;
    double total = 0;
    std::int64_t count = 0;
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      if (is_ghost(*grid, c)) continue;
      const auto id = static_cast<vtkIdType>(element_ids->GetTuple1(c));
      seen.insert(id), ++count;
      const auto stress = DistributedBlock::stress(static_cast<ElementId>(id));
      for (int k = 0; k < 6; ++k)
        CHECK(cells->GetArray("Stress")->GetComponent(c, k) == stress[static_cast<std::size_t>(k)]);
      CHECK(cells->GetArray("MaxPrincipalStress")->GetTuple1(c) == stress[5]);
      CHECK(cells->GetArray("PlasticStrain")->GetTuple1(c) == 0.5 * stress[0]);
      CHECK(cells->GetArray("Fragment")->GetTuple1(c) == DistributedBlock::fragment(static_cast<ElementId>(id)));
      CHECK(cells->GetArray("Material")->GetTuple1(c) == DistributedBlock::material(static_cast<ElementId>(id)));
      total += volume(*grid, c);
      if (reference) CHECK(volume(*grid, c) == Approx(1.0 / 48));
    }
    CHECK(count == block.num_elements());
    CHECK(static_cast<std::int64_t>(seen.size()) == block.num_elements());
    // x = X + (0.001 id, ..): with id = i + 3 j + 9 k on a grid of spacing 1/2 that is a shear and 1 + 0.002 along x.
    CHECK(total == Approx(reference ? 1.0 : 1.002));
  }
  SECTION("each node, with its fields")
  {
    std::set<vtkIdType> all;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
      const auto id = static_cast<vtkIdType>(node_ids->GetTuple1(i));
      all.insert(id);
      const Vec3 X = tuple3(points->GetArray("MaterialPosition"), i), u = tuple3(points->GetArray("Displacement"), i);
      CHECK((u - DistributedBlock::displacement(static_cast<NodeId>(id))).norm() < 1e-14);
      CHECK(tuple3(points->GetArray("Velocity"), i) == DistributedBlock::velocity(static_cast<NodeId>(id)));
      CHECK((Vec3(grid->GetPoint(i)) - (reference ? X : Vec3(X + u))).norm() < 1e-14);
    }
    CHECK(static_cast<std::int64_t>(all.size()) == block.num_nodes());
    if (comm.size() == 1 || choice == 1) CHECK(grid->GetNumberOfPoints() == block.num_nodes());
  }
  SECTION("a reader of all pieces finds units, and names of the stress components")
  {
    const auto unit = [](vtkDataArray* array) {
      return std::string(array->GetInformation()->Get(vtkDataArray::UNITS_LABEL()));
    };
    CHECK(unit(points->GetArray("Displacement")) == "m");
    CHECK(unit(cells->GetArray("Stress")) == "Pa");
    CHECK(!cells->GetArray("Material")->GetInformation()->Has(vtkDataArray::UNITS_LABEL()));
    CHECK(std::string(cells->GetArray("Stress")->GetComponentName(0)) == "XX");
    CHECK(std::string(cells->GetArray("Stress")->GetComponentName(5)) == "XZ");
  }
  SECTION("pieces are appended raw with 64-bit headers, and name units and the stress components")
  {
    const Rank rank = choice == 0 ? 0 : comm.size() / 2;  // one that wrote something
    const std::string piece = text_of(folder / ("frames/block_000000_" + std::to_string(rank) + ".vtu"));
    CHECK(piece.find("header_type=\"UInt64\"") != std::string::npos);
    CHECK(piece.find("<AppendedData encoding=\"raw\">") != std::string::npos);
    CHECK((piece.find("compressor=\"vtkZLibDataCompressor\"") != std::string::npos) ==
          (compression == io::Compression::zlib));
    CHECK((piece.find("compressor=\"vtkLZ4DataCompressor\"") != std::string::npos) ==
          (compression == io::Compression::lz4));
    CHECK(piece.find("ComponentName0=\"XX\" ComponentName1=\"YY\" ComponentName2=\"ZZ\" ComponentName3=\"XY\" "
                     "ComponentName4=\"YZ\" ComponentName5=\"XZ\"") != std::string::npos);
    CHECK(piece.find("<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">") != std::string::npos);
  }
}

TEST_CASE("a frame is the same in any number of files", "[io][frame_writer][parallel]")
{
  const Comm comm;
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  const DistributedBlock block = slabs(comm);
  const auto write = [&](const std::string& name, std::int64_t pieces) {
    io::FrameWriter(comm, folder.path(), name, {.pieces = pieces}).write(block.frame(0.25));
    return read(folder / ("frames/" + name + "_000000.pvtu"));
  };
  const auto apart = contents(*write("apart", comm.size()));
  const int pieces = GENERATE(1, 2, 3);
  CAPTURE(pieces);
  const auto grid = write("together", pieces);
  if (pieces == 1) CHECK(grid->GetNumberOfCells() == block.num_elements());
  CHECK(contents(*grid) == apart);
  CHECK(num_files(folder / "frames", "together") == std::min(pieces, comm.size()));
  if (pieces == 1) CHECK(grid->GetNumberOfPoints() == block.num_nodes());
}

TEST_CASE("a piece's file has the bytes that were announced", "[io][frame_writer]")
{
  const Comm comm(MPI_COMM_SELF);
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  const DistributedBlock block(3, 0, [](std::uint64_t) { return 0; });
  io::FrameWriter(comm, folder.path(), "raw", {.compression = io::Compression::none}).write(block.frame(0));
  const std::string text = text_of(folder / "frames/raw_000000_0.vtu");
  const std::size_t begin = text.find("<AppendedData encoding=\"raw\">"), end = text.rfind("</AppendedData>");
  REQUIRE(begin != std::string::npos);
  constexpr std::int64_t arrays = 16, header = 8, around = 40;  // a header an array; tags and spaces around them all
  const auto bytes = static_cast<std::int64_t>(end - begin);
  const auto announced = io::file_bytes(io::written_piece(block.frame(0), 0), block.num_nodes(), block.num_elements());
  CHECK(bytes >= announced);
  CHECK(bytes <= announced + arrays * header + around);
}

TEST_CASE("ids made during a run keep all their bits", "[io][frame_writer]")
{
  const Comm comm(MPI_COMM_SELF);
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  const DistributedBlock block(1, 0, [](std::uint64_t) { return 0; });
  io::Frame frame = block.frame(0);
  frame.element_id[0] = made_id(1, 2);
  io::FrameWriter(comm, folder.path(), "made").write(frame);
  const auto grid = read(folder / "frames/made_000000.pvtu");
  CHECK(grid->GetCellData()->GetArray("GlobalElementId")->GetVariantValue(0).ToUnsignedLongLong() ==
        frame.element_id[0].low);
}

TEST_CASE("the series lists each frame with its obstacles, and survives a restart", "[io][frame_writer][parallel]")
{
  const Comm comm;
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  const DistributedBlock block(1, comm.rank(), owner_choice(0, comm));
  const std::vector<io::ObstacleShape> ball{io::Sphere{Vec3(0, 0, 2), 0.5}};
  auto series = [&](const std::string& name) { return io::parse_pvd(text_of(folder / name), name); };
  {
    io::FrameWriter writer(comm, folder.path(), "run");
    for (const double time : {0.0, 0.1, 0.2}) writer.write(block.frame(time), ball);
    CHECK(writer.num_frames() == 3);
  }
  comm.barrier();
  const std::vector<io::SeriesEntry> whole = series("run.pvd"), balls = series("run_obstacles.pvd");
  REQUIRE(whole.size() == 3);
  REQUIRE(balls.size() == 3);
  CHECK(whole[2] == io::SeriesEntry{0.2, "frames/run_000002_0.vtu"});
  CHECK(balls[2] == io::SeriesEntry{0.2, "frames/run_obstacles_000002.vtp"});
  for (const auto& entries : {whole, balls})
    for (const auto& entry : entries) CHECK(std::filesystem::exists(folder / entry.file));
  CHECK(std::filesystem::exists(folder / "frames/run_000002.pvtu"));
  comm.barrier();

  io::FrameWriter again(comm, folder.path(), "run", {.resume_time = 0.1});
  CHECK(again.num_frames() == 2);
  comm.barrier();
  CHECK(series("run.pvd").size() == 2);
  CHECK(series("run_obstacles.pvd").size() == 2);
  comm.barrier();
  again.write(block.frame(0.1), ball);  // is there already
  again.write(block.frame(0.2), ball);
  comm.barrier();
  CHECK(series("run.pvd") == whole);
  CHECK(series("run_obstacles.pvd") == balls);
}

TEST_CASE("the obstacle surface is that of the shapes", "[io][frame_writer]")
{
  const Comm comm(MPI_COMM_SELF);
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  const std::vector<io::Sphere> balls{{Vec3(1, 2, 3), 0.5}, {Vec3(-4, 0, 0), 2.0}};
  const io::OrientedBox box{Vec3(5, 1, -2), Vec3(3, 2, 1),
                            Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vec3(2, 3, 6) / 7))};
  const DistributedBlock block(1, 0, [](std::uint64_t) { return 0; });
  const std::vector<io::ObstacleShape> shapes{balls[0], balls[1], box};
  io::FrameWriter(comm, folder.path(), "balls").write(block.frame(0), shapes);

  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName((folder / "frames/balls_obstacles_000000.vtp").c_str());
  reader->Update();
  vtkPolyData* const surface = reader->GetOutput();
  double enclosed[3] = {0, 0, 0};
  for (vtkIdType c = 0; c < surface->GetNumberOfCells(); ++c) {
    const auto k = static_cast<std::size_t>(surface->GetCellData()->GetArray("Obstacle")->GetTuple1(c));
    vtkNew<vtkIdList> ids;
    surface->GetCellPoints(c, ids);
    auto x = [&](vtkIdType i) { return Vec3(surface->GetPoint(ids->GetId(i))); };
    for (vtkIdType i = 0; i < 3; ++i) {
      if (k < 2) {
        CHECK((x(i) - balls[k].center).norm() == Approx(balls[k].radius));
        continue;
      }
      const Vec3 own = box.orientation.conjugate() * (x(i) - box.center);
      CHECK((own.cwiseAbs() - box.size / 2).norm() < 1e-14);
      const Vec3 normal(surface->GetPointData()->GetNormals()->GetTuple(ids->GetId(i)));
      CHECK(normal.dot((x(1) - x(0)).cross(x(2) - x(0)).normalized()) == Approx(1));
    }
    enclosed[k] += x(0).cross(x(1)).dot(x(2)) / 6;
  }
  // Outward and closed: the enclosed volume is positive and just below the ball's.
  for (const std::size_t k : {0u, 1u}) {
    const double exact = 4.0 / 3 * std::numbers::pi * std::pow(balls[k].radius, 3);
    CHECK(enclosed[k] < exact);
    CHECK(enclosed[k] == Approx(exact).epsilon(0.02));
  }
  CHECK(enclosed[2] == Approx(6));
  vtkFieldData* const exact = surface->GetFieldData();
  CHECK(tuple3(exact->GetArray("Center"), 1) == balls[1].center);
  for (const char* length : {"Center", "Radius", "Size"})
    CHECK(std::string(exact->GetArray(length)->GetInformation()->Get(vtkDataArray::UNITS_LABEL())) == "m");
  CHECK(exact->GetArray("Radius")->GetTuple1(0) == 0.5);
  CHECK(exact->GetArray("Radius")->GetTuple1(2) == 0);
  CHECK(tuple3(exact->GetArray("Size"), 2) == box.size);
  const double* const q = exact->GetArray("Orientation")->GetTuple(2);
  CHECK(Eigen::Quaterniond(q[0], q[1], q[2], q[3]).coeffs() == box.orientation.coeffs());
}

TEST_CASE("cylinders, capsules and meshes are drawn closed and outward, and said exactly", "[io][frame_writer]")
{
  const Comm comm(MPI_COMM_SELF);
  const ScratchFolder folder(comm);
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.8, Vec3(1, 2, 2) / 3));
  const std::vector<io::ObstacleShape> shapes{
      io::RoundBar{false, Vec3(1, 2, 3), 0.5, 2, turned}, io::RoundBar{true, Vec3(-4, 0, 0), 0.5, 2, turned},
      io::TriangleSolid{Vec3(0, 9, 0), turned, test::surface_of(test::brick({1, 2, 3}))}};
  io::write_obstacle_surface(folder / "o.vtp", shapes);
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName((folder / "o.vtp").c_str());
  reader->Update();
  vtkPolyData* const surface = reader->GetOutput();
  std::array<double, 3> enclosed{};
  std::array<Vec3, 3> area{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (vtkIdType c = 0; c < surface->GetNumberOfCells(); ++c) {
    const auto k = static_cast<std::size_t>(surface->GetCellData()->GetArray("Obstacle")->GetTuple1(c));
    vtkNew<vtkIdList> ids;
    surface->GetCellPoints(c, ids);
    const auto x = [&](vtkIdType i) { return Vec3(surface->GetPoint(ids->GetId(i))); };
    const Vec3 twice = (x(1) - x(0)).cross(x(2) - x(0));
    area[k] += twice / 2, enclosed[k] += x(0).cross(x(1)).dot(x(2)) / 6;
    CHECK(twice.dot(Vec3(surface->GetPointData()->GetNormals()->GetTuple(ids->GetId(0)))) > 0);
  }
  const double pi = std::numbers::pi;
  CHECK(enclosed[0] == Approx(pi / 4 * 2).epsilon(0.01));
  CHECK(enclosed[1] == Approx(pi / 4 * 2 + pi / 6).epsilon(0.01));
  CHECK(enclosed[2] == Approx(6));
  for (const Vec3& sum : area) CHECK(sum.norm() < 1e-6);
  CHECK(surface->GetFieldData()->GetArray("Shape")->GetTuple1(1) == 3);
  CHECK(tuple3(surface->GetFieldData()->GetArray("Size"), 1) == Vec3(1, 1, 3));
}

TEST_CASE("the series names files that are there, of frames without elements too", "[io][frame_writer][parallel]")
{
  const Comm comm;
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  const DistributedBlock block(1, comm.rank(), owner_choice(0, comm));
  const int pieces = GENERATE(1, 2);
  io::FrameWriter writer(comm, folder.path(), "run", {.pieces = pieces});
  io::Frame nothing = block.frame(0);  // as a series of cracks begins
  nothing.element_id.clear(), nothing.corners.clear();
  for (io::Field& field : nothing.element_fields) field = field.empty_like();
  writer.write(nothing);
  writer.write(block.frame(0.1));
  comm.barrier();
  const auto series = io::parse_pvd(text_of(folder / "run.pvd"), "run.pvd");
  REQUIRE(series.size() == 2);
  for (const io::SeriesEntry& entry : series) CHECK(std::filesystem::exists(folder / entry.file));
}

TEST_CASE("a piece that cannot be written is an error on every rank", "[io][frame_writer][parallel]")
{
  const Comm comm;
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  const std::string piece = "frames/run_000000_" + std::to_string(comm.size() / 2) + ".vtu";
  if (comm.rank() == 0) std::filesystem::create_directory(folder / piece);  // in the way of the one rank that writes
  comm.barrier();
  const DistributedBlock block(1, comm.rank(), owner_choice(1, comm));
  io::FrameWriter writer(comm, folder.path(), "run", {.pieces = comm.size()});
  CHECK_THROWS_WITH(
      writer.write(block.frame(0)),
      Catch::Contains("run_000000.pvtu: rank " + std::to_string(comm.size() / 2)) && Catch::Contains("directory"));
  CHECK(writer.num_frames() == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "run.pvd"));
}

TEST_CASE("only writers need a place to write to, and each of their failures is everybody's",
          "[io][frame_writer][parallel]")
{
  const Comm comm;
  if (comm.size() < 3) return;
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  const DistributedBlock block = slabs(comm);
  io::FrameWriter writer(comm, folder.path(), "run", {.pieces = 2});
  const auto in_the_way_of = [&](const std::string& file) {
    if (comm.rank() == 0) std::filesystem::create_directory(folder / file);
    comm.barrier();
  };
  SECTION("what a rank that does not write would have written")
  {
    in_the_way_of("frames/run_000000_2.vtu");
    writer.write(block.frame(0));
    CHECK(contents(*read(folder / "frames/run_000000.pvtu")).size() == static_cast<std::size_t>(block.num_elements()));
  }
  SECTION("the file of the second group")
  {
    in_the_way_of("frames/run_000000_1.vtu");
    const std::string who = "rank " + std::to_string(comm.size() / 2) + " cannot write its piece";
    CHECK_THROWS_WITH(writer.write(block.frame(0)), Catch::Contains(who) && Catch::Contains("directory"));
  }
  SECTION("no space left for the file of the second group")
  {
    if (comm.rank() == 0) std::filesystem::create_symlink("/dev/full", folder / "frames/run_000000_1.vtu");
    comm.barrier();
    CHECK_THROWS_WITH(writer.write(block.frame(0)), Catch::Contains("no space left", Catch::CaseSensitive::No));
  }
  SECTION("the folder of all files")
  {
    if (comm.rank() == 0) std::filesystem::remove(folder / "frames"), std::ofstream(folder / "frames") << "a file";
    comm.barrier();
    CHECK_THROWS_WITH(writer.write(block.frame(0)), Catch::Contains("rank 0 cannot write its piece"));
  }
  SECTION("the file over the pieces, which the first rank writes")
  {
    in_the_way_of("frames/run_000000.pvtu");
    CHECK_THROWS_WITH(writer.write(block.frame(0)), Catch::Contains("rank 0") && Catch::Contains("directory"));
  }
}

TEST_CASE("a rank that leaves alone, with an error, does not wait for the others", "[io][frame_writer][parallel]")
{
  const Comm comm;
  const test::ScratchFolder folder(comm);
  auto writer = std::make_optional<io::FrameWriter>(comm, folder.path(), "run");
  if (comm.rank() == 0) writer.reset();
  comm.barrier();  // the others come here with theirs: rank 0 would never
}
