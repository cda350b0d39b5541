#include "io/frame_writer.hpp"

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/obstacle_surface.hpp"
#include "io/repeated_points.hpp"
#include "io/vtk_failure.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkMPI.h>
#include <vtkMPICommunicator.h>
#include <vtkMPIController.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridWriter.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>

namespace sunder::io {
namespace {

static_assert(sizeof(vtkIdType) == 8, "ids of nodes and elements have 64 bits");

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

/// Array of the given type with one tuple an index in [0, n), filled by set(i, tuple).
template <class Array, class Set>
vtkNew<Array> make_array(const char* name, int components, std::size_t n, const Set& set)
{
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(n));
  for (std::size_t i = 0; i < n; ++i) set(i, array->GetPointer(static_cast<vtkIdType>(i) * components));
  return array;
}

void put(const Vec3& a, double* tuple)
{
  std::copy(a.data(), a.data() + 3, tuple);
}

void add_points(const Frame& frame, const PiecePoints& points, vtkUnstructuredGrid& grid)
{
  const auto& nodes = points.nodes;
  const std::size_t n = nodes.size();
  auto X = [&](std::size_t i) -> const Vec3& { return frame.X[at(nodes[i])]; };
  auto x = [&](std::size_t i) { return frame.p[at(nodes[i])].xyz(); };

  vtkNew<vtkPoints> positions;
  positions->SetDataTypeToDouble();
  positions->SetData(make_array<vtkDoubleArray>(
      "Points", 3, n, [&](std::size_t i, double* a) { put(frame.reference_geometry ? X(i) : x(i), a); }));
  grid.SetPoints(positions);

  vtkPointData& data = *grid.GetPointData();
  data.AddArray(
      make_array<vtkDoubleArray>("Displacement", 3, n, [&](std::size_t i, double* a) { put(x(i) - X(i), a); }));
  data.AddArray(make_array<vtkDoubleArray>("Velocity", 3, n,
                                           [&](std::size_t i, double* a) { put(frame.v[at(nodes[i])].xyz(), a); }));
  data.AddArray(make_array<vtkDoubleArray>("MaterialPosition", 3, n, [&](std::size_t i, double* a) { put(X(i), a); }));
  data.AddArray(make_array<vtkUnsignedCharArray>("vtkGhostType", 1, n,
                                                 [&](std::size_t i, unsigned char* a) { *a = points.repeated[i]; }));
  data.SetGlobalIds(make_array<vtkIdTypeArray>("GlobalNodeId", 1, n, [&](std::size_t i, vtkIdType* a) {
    *a = static_cast<vtkIdType>(frame.node_id[at(nodes[i])]);
  }));
}

void add_cells(const Frame& frame, const PiecePoints& points, vtkUnstructuredGrid& grid)
{
  std::vector<vtkIdType> point_of_node(frame.node_id.size(), -1);
  for (std::size_t i = 0; i < points.nodes.size(); ++i) point_of_node[at(points.nodes[i])] = static_cast<vtkIdType>(i);

  const std::size_t n = frame.written.size();
  const auto corners = make_array<vtkIdTypeArray>("connectivity", 1, 4 * n, [&](std::size_t i, vtkIdType* a) {
    *a = point_of_node[at(frame.tets[at(frame.written[i / 4])][i % 4])];
  });
  const auto offsets = make_array<vtkIdTypeArray>(
      "offsets", 1, n + 1, [](std::size_t i, vtkIdType* a) { *a = static_cast<vtkIdType>(4 * i); });
  vtkNew<vtkCellArray> cells;
  cells->SetData(offsets.Get(), corners.Get());
  grid.SetCells(VTK_TETRA, cells);
}

void add_stress(const Frame& frame, vtkCellData& data)
{
  const auto stress = make_array<vtkDoubleArray>("Stress", 6, frame.written.size(), [&](std::size_t i, double* a) {
    std::copy(frame.stress[i].begin(), frame.stress[i].end(), a);
  });
  constexpr std::array<const char*, 6> names{"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
  for (int k = 0; k < 6; ++k) stress->SetComponentName(k, names[static_cast<std::size_t>(k)]);
  data.AddArray(stress);
}

void add_cell_data(const Frame& frame, Rank me, vtkCellData& data)
{
  const std::size_t n = frame.written.size();
  add_stress(frame, data);
  data.AddArray(make_array<vtkDoubleArray>("MaxPrincipalStress", 1, n,
                                           [&](std::size_t i, double* a) { *a = frame.max_principal_stress[i]; }));
  data.AddArray(make_array<vtkDoubleArray>("PlasticStrain", 1, n,
                                           [&](std::size_t i, double* a) { *a = frame.plastic_strain[i]; }));
  data.AddArray(
      make_array<vtkTypeInt64Array>("Fragment", 1, n, [&](std::size_t i, vtkTypeInt64* a) { *a = frame.fragment[i]; }));
  data.AddArray(make_array<vtkIntArray>("Material", 1, n,
                                        [&](std::size_t i, int* a) { *a = frame.material[at(frame.written[i])]; }));
  data.AddArray(make_array<vtkIntArray>("Rank", 1, n, [&](std::size_t, int* a) { *a = me; }));
  data.SetGlobalIds(make_array<vtkIdTypeArray>("GlobalElementId", 1, n, [&](std::size_t i, vtkIdType* a) {
    *a = static_cast<vtkIdType>(frame.element_id[at(frame.written[i])]);
  }));
}

/// This rank's piece.
vtkNew<vtkUnstructuredGrid> make_piece(const Comm& comm, const Frame& frame)
{
  SUNDER_ASSERT(frame.stress.size() == frame.written.size() && frame.fragment.size() == frame.written.size());
  const PiecePoints points = piece_points(comm, frame);
  vtkNew<vtkUnstructuredGrid> grid;
  add_points(frame, points, *grid);
  add_cells(frame, points, *grid);
  add_cell_data(frame, comm.rank(), *grid->GetCellData());
  return grid;
}

/// Collective on comm. Pieces and the PVTU over them; says what went wrong on this rank.
std::optional<std::string> write_pieces(const Comm& comm, vtkUnstructuredGrid& grid, const std::string& path,
                                        bool compress)
{
  MPI_Comm mpi = comm.mpi();
  vtkMPICommunicatorOpaqueComm handle(&mpi);
  vtkNew<vtkMPICommunicator> communicator;
  communicator->InitializeExternal(&handle);
  vtkNew<vtkMPIController> controller;
  controller->SetCommunicator(communicator);

  vtkNew<vtkXMLPUnstructuredGridWriter> writer;
  writer->SetController(controller);  // the summary file is then collective: asking for it on rank 0 only would hang
  writer->SetNumberOfPieces(comm.size());
  writer->SetStartPiece(comm.rank());
  writer->SetEndPiece(comm.rank());
  writer->SetInputData(&grid);
  writer->SetFileName(path.c_str());
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetHeaderTypeToUInt64();
  if (compress) {
    writer->SetCompressorTypeToZLib();
    writer->SetCompressionLevel(1);  // higher levels cost several times as long for a few percent
  } else {
    writer->SetCompressorTypeToNone();
  }
  const QuietVtk quiet;
  const bool done = writer->Write() == 1 && writer->GetErrorCode() == vtkErrorCode::NoError;
  if (done) return {};
  return fmt::format("{}: rank {} cannot write its piece: {}", path, comm.rank(), vtk_reason(writer->GetErrorCode()));
}

/// What f() throws, as the problem throw_on_all() wants.
template <class F>
std::optional<std::string> problem_of(const F& f)
{
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

FrameWriter::FrameWriter(const Comm& comm, std::filesystem::path folder, std::string name, FrameWriterOptions options)
  : comm_(comm), folder_(std::move(folder)), name_(std::move(name)), compress_(options.compress)
{
  if (options.resume_time) resume(*options.resume_time);
}

void FrameWriter::resume(double time)
{
  std::optional<std::string> problem;
  if (comm_.rank() == 0 && std::filesystem::exists(pvd())) {
    problem = problem_of([&] {
      std::ifstream file(pvd(), std::ios::binary);
      entries_ = parse_pvd(std::string(std::istreambuf_iterator<char>(file), {}), pvd().string());
      std::erase_if(entries_, [&](const SeriesEntry& e) { return e.time > time; });
      for (const SeriesEntry& e : entries_) next_ = std::max(next_, frame_number(e.file) + 1);
      // At once, before files of the dropped frames are written over.
      write_atomically(pvd(), to_pvd(entries_));
    });
  }
  throw_on_all(comm_, problem);
  constexpr double never = std::numeric_limits<double>::lowest();
  const double last = comm_.max(entries_.empty() ? never : entries_.back().time);
  if (last > never) last_time_ = last;
  next_ = comm_.max(next_);
}

void FrameWriter::write(const Frame& frame, std::span<const ObstacleShape> obstacles)
{
  if (last_time_ && frame.time <= *last_time_) return;
  const std::string solid = fmt::format("frames/{}_{:06}.pvtu", name_, next_);
  const std::string surface = fmt::format("frames/{}_obstacles_{:06}.vtp", name_, next_);
  constexpr int failed = static_cast<int>(ExitStatus::simulation_failed);

  const auto piece = make_piece(comm_, frame);
  throw_on_all(comm_, write_pieces(comm_, *piece, (folder_ / solid).string(), compress_), failed);

  std::optional<std::string> problem;
  if (comm_.rank() == 0) {
    problem = problem_of([&] {
      entries_.push_back({frame.time, 0, solid});
      if (!obstacles.empty()) {
        write_obstacle_surface(folder_ / surface, obstacles);
        entries_.push_back({frame.time, 1, surface});
      }
      write_atomically(pvd(), to_pvd(entries_));
    });
  }
  throw_on_all(comm_, problem, failed);
  last_time_ = frame.time;
  ++next_;
}

}  // namespace sunder::io
