#include "io/frames/frame_writer.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/vtk_failure.hpp"
#include "io/files/whole_file.hpp"
#include "io/frames/gather_pieces.hpp"
#include "io/frames/ghost_layer.hpp"
#include "io/frames/obstacle_surface.hpp"
#include "io/frames/piece_index.hpp"
#include "io/run_files/output_folder.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkIntArray.h>
#include <vtkMPI.h>
#include <vtkMPICommunicator.h>
#include <vtkMPIController.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <algorithm>
#include <limits>

namespace sunder::io {
namespace {

constexpr ExitStatus failed = ExitStatus::simulation_failed;

static_assert(sizeof(vtkIdType) == 8, "ids of nodes and elements have 64 bits");

/// A column as VTK sees it: a view, nothing is copied.
template <class Array, class T>
vtkNew<Array> view(const std::string& name, std::vector<T>& column, int components)
{
  constexpr int keep = 1;  // VTK does not free it
  vtkNew<Array> array;
  array->SetName(name.c_str());
  array->SetNumberOfComponents(components);
  array->SetArray(reinterpret_cast<typename Array::ValueType*>(column.data()),
                  static_cast<vtkIdType>(column.size() * sizeof(T) / sizeof(typename Array::ValueType)), keep);
  return array;
}

vtkSmartPointer<vtkDataArray> view(const std::string& name, std::vector<double>& column, int components)
{
  return view<vtkDoubleArray>(name, column, components).Get();
}

vtkSmartPointer<vtkDataArray> view(const std::string& name, std::vector<std::int64_t>& column, int components)
{
  return view<vtkTypeInt64Array>(name, column, components).Get();
}

vtkSmartPointer<vtkDataArray> view(const std::string& name, std::vector<std::int32_t>& column, int components)
{
  return view<vtkIntArray>(name, column, components).Get();
}

/// Files hold what fits a signed 64-bit integer: low words. A plain array: ParaView 5.11 fails on those that are
/// declared as GlobalIds.
vtkNew<vtkIdTypeArray> low_words(const char* name, const std::vector<GlobalId>& ids)
{
  vtkNew<vtkIdTypeArray> array;
  array->SetName(name);
  array->SetNumberOfValues(static_cast<vtkIdType>(ids.size()));
  for (std::size_t i = 0; i < ids.size(); ++i)
    array->SetValue(static_cast<vtkIdType>(i), static_cast<vtkIdType>(ids[i].low));
  return array;
}

void add_fields(std::vector<Field>& fields, vtkFieldData& data)
{
  for (Field& field : fields) {
    const auto array =
        std::visit([&](auto& column) { return view(field.name, column, field.components); }, field.values);
    if (!field.unit.empty()) array->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), field.unit.c_str());
    for (int k = 0; const char* name : field.component_names()) array->SetComponentName(k++, name);
    data.AddArray(array);
  }
}

/// Corners of all elements, one after the other; a view if all are tetrahedra.
vtkNew<vtkIdTypeArray> connectivity_of(Piece& piece, vtkIdTypeArray& offsets)
{
  const vtkIdType elements = offsets.GetNumberOfValues() - 1, all = offsets.GetValue(elements);
  if (all == 4 * elements) return view<vtkIdTypeArray>("connectivity", piece.corners, 1);
  vtkNew<vtkIdTypeArray> connectivity;
  connectivity->SetNumberOfValues(all);
  for (vtkIdType e = 0; e < elements; ++e) {
    const auto& corners = piece.corners[static_cast<std::size_t>(e)];
    std::copy_n(corners.begin(), num_corners(corners), connectivity->GetPointer(offsets.GetValue(e)));
  }
  return connectivity;
}

void add_cells(Piece& piece, vtkUnstructuredGrid& grid)
{
  constexpr std::array<unsigned char, 5> type_of{VTK_EMPTY_CELL, VTK_VERTEX, VTK_LINE, VTK_TRIANGLE, VTK_TETRA};
  const auto elements = static_cast<vtkIdType>(piece.corners.size());
  vtkNew<vtkIdTypeArray> offsets;
  vtkNew<vtkUnsignedCharArray> types;
  offsets->SetNumberOfValues(elements + 1), types->SetNumberOfValues(elements);
  vtkIdType end = 0;
  offsets->SetValue(0, 0);
  for (vtkIdType e = 0; e < elements; ++e) {
    const std::size_t corners = num_corners(piece.corners[static_cast<std::size_t>(e)]);
    types->SetValue(e, type_of[corners]);
    offsets->SetValue(e + 1, end += static_cast<vtkIdType>(corners));
  }
  vtkNew<vtkCellArray> cells;
  cells->SetData(offsets.Get(), connectivity_of(piece, *offsets).Get());
  grid.SetCells(types, cells);
}

/// Looks into the piece, which must outlive it.
vtkNew<vtkUnstructuredGrid> grid_of(Piece& piece, bool ghosts)
{
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetData(view<vtkDoubleArray>("Points", piece.position, 3));
  grid->SetPoints(points);
  add_cells(piece, *grid);
  add_fields(piece.node_fields, *grid->GetPointData());
  grid->GetPointData()->AddArray(low_words("GlobalNodeId", piece.node_id));
  add_fields(piece.element_fields, *grid->GetCellData());
  grid->GetCellData()->AddArray(low_words("GlobalElementId", piece.element_id));
  static_assert(vtkDataSetAttributes::DUPLICATECELL == 1, "what Piece::ghost says");
  if (ghosts)
    grid->GetCellData()->AddArray(view<vtkUnsignedCharArray>(vtkDataSetAttributes::GhostArrayName(), piece.ghost, 1));
  return grid;
}

/// Collective on comm. A file for each group of ranks and the PVTU over them; says what went wrong on this rank. Empty
/// pieces, such as those of ranks that do not write, make no files.
std::optional<std::string> write_pieces(const Comm& comm, vtkMPIController& ranks, Piece& piece,
                                        const FileGroups& groups, const std::string& path, Compression compression,
                                        bool ghosts)
{
  const auto grid = grid_of(piece, ghosts);
  const auto file = static_cast<int>(groups.file_of(comm.rank()));
  vtkNew<vtkXMLPUnstructuredGridWriter> writer;
  writer->SetController(&ranks);  // the summary file is then collective: asking for it on rank 0 only would hang
  writer->SetNumberOfPieces(static_cast<int>(groups.files));
  writer->SetStartPiece(file);
  writer->SetEndPiece(file);
  writer->SetInputData(grid);
  writer->SetFileName(path.c_str());
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetHeaderTypeToUInt64();
  writer->SetBlockSize(1 << 20);  // 32 times VTK's own, so as many times fewer writes and seeks
  switch (compression) {
    case Compression::none:
      writer->SetCompressorTypeToNone();
      break;
    case Compression::lz4:
      writer->SetCompressorTypeToLZ4();
      break;
    case Compression::zlib:
      writer->SetCompressorTypeToZLib();
      writer->SetCompressionLevel(1);  // higher levels cost several times as long for a few percent
  }
  const QuietVtk quiet;
  const SignsOfLife progress(*writer);
  const WaitingForOthers waiting;  // for the rank that writes longest
  const bool done = writer->Write() == 1 && writer->GetErrorCode() == vtkErrorCode::NoError;
  const bool full = fault_point(FaultKind::file, "frame: write");
  if (done && !full) return {};
  const unsigned long reason =
      full ? static_cast<unsigned long>(vtkErrorCode::OutOfDiskSpaceError) : writer->GetErrorCode();
  return fmt::format("{}: rank {} cannot write its piece: {}", path, comm.rank(), vtk_reason(reason));
}

/// Local. A file of its own for a frame without elements, which the writer of pieces would leave out.
std::optional<std::string> write_alone(Piece& piece, const std::string& path)
{
  const auto grid = grid_of(piece, false);
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  writer->SetFileName(path.c_str());
  writer->SetHeaderTypeToUInt64();
  const QuietVtk quiet;
  if (writer->Write() == 1 && writer->GetErrorCode() == vtkErrorCode::NoError) return {};
  return fmt::format("{}: cannot write it: {}", path, vtk_reason(writer->GetErrorCode()));
}

}  // namespace

/// The ranks as VTK knows them. Made once: VTK duplicates the communicator each time.
struct FrameWriter::VtkRanks {
  explicit VtkRanks(MPI_Comm comm) : mpi(comm), handle(&mpi)
  {
    communicator->InitializeExternal(&handle);
    controller->SetCommunicator(communicator);
  }

  MPI_Comm mpi;
  vtkMPICommunicatorOpaqueComm handle;
  vtkNew<vtkMPICommunicator> communicator;
  vtkNew<vtkMPIController> controller;
};

FrameWriter::~FrameWriter() = default;

FrameWriter::FrameWriter(const Comm& comm, std::filesystem::path folder, std::string name, FrameWriterOptions options)
  : comm_(comm),
    vtk_ranks_(std::make_unique<VtkRanks>(comm.mpi())),
    folder_(std::move(folder)),
    name_(std::move(name)),
    compression_(options.compression),
    ghosts_(options.ghosts),
    pieces_(options.pieces),
    run_(std::move(options.run))
{
  if (options.resume_time) resume(*options.resume_time);
}

void FrameWriter::resume(double time)
{
  const auto take_up = [&] {
    entries_ = keep_frames_until(folder_, name_, run_, time);
    obstacles_ = keep_frames_until(folder_, obstacles_name(), run_, time);
    for (const SeriesEntry& e : entries_) next_ = std::max(next_, frame_number(e.file) + 1);
  };
  on_rank_0(comm_, take_up, failed);
  constexpr double never = std::numeric_limits<double>::lowest();
  const double last = comm_.max(entries_.empty() ? never : entries_.back().time);
  if (last > never) last_time_ = last;
  next_ = comm_.max(next_);
}

void FrameWriter::write(Frame frame, std::span<const ObstacleShape> obstacles)
{
  if (last_time_ && frame.time <= *last_time_) return;
  const std::string frame_name = fmt::format("frames/{}_{:06}", name_, next_), all_pieces = frame_name + ".pvtu";
  const std::string surface = fmt::format("frames/{}_{:06}.vtp", obstacles_name(), next_);

  allocation_point("frame: piece");
  Piece piece = written_piece(frame, comm_.rank());
  const FileGroups groups = file_groups(comm_, file_bytes(piece, piece.num_nodes(), piece.num_elements()), pieces_);
  const bool ghosts = ghosts_ && groups.files > 1;
  if (ghosts) {
    PieceUnion with_ghosts(std::move(piece));
    with_ghosts.add(ghost_layer(comm_, frame));
    piece = std::move(with_ghosts).take();
  }
  const double time = frame.time;
  frame = {};
  piece = gather(comm_, std::move(piece), groups);
  std::optional<std::string> problem;
  if (!groups.nothing)
    problem = write_pieces(comm_, *vtk_ranks_->controller, piece, groups, (folder_ / all_pieces).string(), compression_,
                           ghosts);
  else if (comm_.rank() == 0)
    problem = write_alone(piece, (folder_ / (frame_name + "_0.vtu")).string());
  throw_on_all(comm_, problem, failed);

  const auto list = [&] {
    if (!groups.nothing) describe_arrays(folder_ / all_pieces, piece);
    if (!obstacles.empty()) {
      write_obstacle_surface(folder_ / surface, obstacles);
      obstacles_.push_back({time, surface});
      write_atomically(folder_ / (obstacles_name() + ".pvd"), to_pvd(obstacles_, run_));
    }
    // ParaView 5.11 reads a series of .pvtu into grids that Threshold fails on, where memory it has not set looks like
    // a polyhedron. It does not so with .vtu.
    const bool alone = groups.nothing || groups.files == 1;
    entries_.push_back({time, alone ? frame_name + "_0.vtu" : all_pieces});
    write_atomically(folder_ / (name_ + ".pvd"), to_pvd(entries_, run_));
  };
  on_rank_0(comm_, list, failed);
  last_time_ = time;
  ++next_;
}

}  // namespace sunder::io
