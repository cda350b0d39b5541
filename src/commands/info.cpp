#include "commands/commands.hpp"
#include "commands/scene_argument.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "io/mesh_files/mesh_reader.hpp"
#include "io/run_files/folder_lock.hpp"
#include "io/run_files/output_folder.hpp"
#include "io/run_files/run_identity.hpp"
#include "io/surfaces/surface_check.hpp"
#include "io/surfaces/surface_reader.hpp"
#include "simulation/setup/coarse_mesh_source.hpp"
#include "simulation/stepping/run_state.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

namespace sunder::commands {
namespace {

namespace fs = std::filesystem;

void print_mesh(const std::string& file)
{
  const mesh::MeshData data = io::read_mesh(file);
  Vec3 low = Vec3::Constant(INFINITY), high = -low;
  for (const Vec3& x : data.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  fmt::print("{}: {} nodes, {} tetrahedra\n", file, data.nodes.size(), data.tets.size());
  fmt::print("  box  ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g})\n", low.x(), low.y(), low.z(), high.x(),
             high.y(), high.z());
  for (const auto& set : data.element_sets) fmt::print("  element set {}: {}\n", set.name, set.elements.size());
  for (const auto& set : data.face_sets) fmt::print("  face set {}: {}\n", set.name, set.faces.size());
  for (const auto& set : data.node_sets) fmt::print("  node set {}: {}\n", set.name, set.nodes.size());
}

void print_surface(const std::string& file)
{
  const io::TriangleSurface surface = io::read_welded_surface(file);
  const io::SurfaceMeasure m = io::measure(surface);
  fmt::print("{}: {} points, {} triangles\n", file, surface.points.size(), surface.triangles.size());
  fmt::print("  box  ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g})\n", m.low.x(), m.low.y(), m.low.z(),
             m.high.x(), m.high.y(), m.high.z());
  fmt::print("  area {:.6g} m^2\n", m.area);
  const auto errors = io::check_surface(surface);
  if (errors.empty()) fmt::print("  closed, around {:.6g} m^3\n", m.volume);
  for (const std::string& error : errors) fmt::print("  bounds no solid: {}\n", error);
}

std::string last_line(const fs::path& file)
{
  std::ifstream in(file);
  std::string line, last;
  while (std::getline(in, line)) last = line.empty() ? last : line;
  return last;
}

void print_summary(const fs::path& file)
{
  std::ifstream in(file);
  const auto s = nlohmann::json::parse(in, nullptr, false);
  if (s.is_discarded()) throw Error(fmt::format("{}: expected JSON, found something else", file.string()));
  for (const auto& [key, value] : s.items()) fmt::print("  {}: {}\n", key, value.dump());
}

void print_checkpoint(const fs::path& path)
{
  const auto label = io::label_of(path);
  const Comm alone(MPI_COMM_SELF);
  throw_on_all(alone, io::damage(alone, path, io::FileKind::checkpoint));
  const io::Outline found = io::outline(alone, path);
  const simulation::RunState s = simulation::run_state_from_json(found.state, path.string());
  fmt::print("{}: whole; step {}, t = {:.6g} s, {} nodes, {} elements, {} events; written by {}\n", path.string(),
             s.steps, s.time, found.nodes, found.elements, s.events, counted(s.ranks, "rank"));
  if (label && !label->run.empty()) fmt::print("  of run {}\n", label->run);
}

/// How far a run is that has not ended.
void print_progress(const fs::path& folder, const std::string& last_row)
{
  double time = 0;
  if (const auto comma = last_row.find(','); comma != std::string::npos)
    time = std::strtod(last_row.c_str() + comma + 1, nullptr);
  const Comm alone(MPI_COMM_SELF);
  const double end = fs::exists(folder / "scene.yaml")
                         ? read_scene(alone, (folder / "scene.yaml").string(), {}).time.end
                         : std::numeric_limits<double>::quiet_NaN();
  fmt::print("  no summary.json: the end is not reached, t = {:.6g} of {:.6g} s ({:.0f} %)\n", time, end,
             100 * time / end);
  const auto checkpoints = io::checkpoints_in(folder);
  if (checkpoints.empty()) fmt::print("  no checkpoint: it cannot be gone on with\n");
  for (const io::CheckpointFile& file : checkpoints) fmt::print("  checkpoint {}\n", file.path.string());
}

/// Whose the folder is, and who writes into it.
void print_owner(const fs::path& folder)
{
  if (const auto identity = io::read_identity(folder)) {
    fmt::print("  run {} of {}, begun {} by sunder {}\n", identity->run, identity->name, identity->begun,
               identity->version);
    if (const auto& parent = identity->parent)
      fmt::print("  branched off run {} at step {}\n", parent->run.empty() ? "of an earlier version" : parent->run,
                 parent->step);
  } else {
    fmt::print("  no run.json: no run has been here, or one of an earlier version\n");
  }
  fmt::print("  lock: {}\n", io::lock_holder(folder).value_or("none, nobody writes into it"));
}

/// Nothing of a run is there: not even what one of an earlier version, or one that has just begun, leaves.
bool is_foreign(const fs::path& folder)
{
  constexpr std::array left{"run.json",     "run.lock", "scene.yaml", "history.csv",
                            "summary.json", "log.txt",  "checkpoints"};
  return std::ranges::none_of(left, [&](const char* name) { return fs::exists(folder / name); });
}

void print_folder(const fs::path& folder)
{
  if (is_foreign(folder))
    throw Error(fmt::format("{}: expected an output folder, found nothing of a run", folder.string()));
  std::vector<fs::path> frames;
  if (fs::is_directory(folder / "frames"))
    for (const auto& entry : fs::directory_iterator(folder / "frames")) frames.push_back(entry.path());
  fmt::print("{}: {} frames\n", folder.string(), io::count_frames(frames));
  print_owner(folder);
  std::string last;
  if (const fs::path history = folder / "history.csv"; fs::exists(history)) {
    std::ifstream in(history);
    std::string header;
    std::getline(in, header);
    last = last_line(history);
    fmt::print("  {}\n  {}\n", header, last);
  }
  if (fs::exists(folder / "summary.json"))
    print_summary(folder / "summary.json");
  else
    print_progress(folder, last);
}

void print(const std::string& file)
{
  if (!fs::exists(file))
    throw Error(fmt::format("{}: expected a mesh, a surface, a checkpoint or an output folder, found nothing", file));
  if (fs::is_directory(file))
    print_folder(file);
  else if (const auto label = io::label_of(file); label && label->kind == io::FileKind::mesh)
    fmt::print("{}\n", simulation::describe_coarse_mesh(file));
  else if (fs::path(file).extension() == ".h5")
    print_checkpoint(file);
  else if (io::is_surface_file(file))
    print_surface(file);
  else if (io::is_mesh_file(file))
    print_mesh(file);
  else
    throw Error(fmt::format(
        "{}: expected a mesh (.msh, .vtu, .pvtu, .ele, .node), a surface (.stl, .obj, .ply), a checkpoint or "
        "a decomposed mesh (.h5), or an output folder, got '{}'; of a scene `sunder check` tells",
        file, fs::path(file).extension().string()));
}

}  // namespace

void info(const Comm& comm, const std::string& file)
{
  on_rank_0(comm, [&] { print(file); });
}

}  // namespace sunder::commands
