#include "commands/commands.hpp"
#include "core/error.hpp"
#include "io/mesh_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

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

void print_folder(const fs::path& folder)
{
  std::size_t frames = 0;
  if (fs::is_directory(folder / "frames"))
    for (const auto& entry : fs::directory_iterator(folder / "frames")) frames += entry.path().extension() == ".pvtu";
  fmt::print("{}: {} frames\n", folder.string(), frames);
  if (const fs::path history = folder / "history.csv"; fs::exists(history)) {
    std::ifstream in(history);
    std::string header;
    std::getline(in, header);
    fmt::print("  {}\n  {}\n", header, last_line(history));
  }
  if (fs::exists(folder / "summary.json"))
    print_summary(folder / "summary.json");
  else
    fmt::print("  no summary.json: the run has not ended, or it failed\n");
}

}  // namespace

void info(const Comm& comm, const std::string& file)
{
  std::optional<std::string> problem;
  if (comm.rank() == 0) {
    try {
      if (!fs::exists(file)) throw Error(fmt::format("{}: expected a mesh or an output folder, found nothing", file));
      if (fs::is_directory(file))
        print_folder(file);
      else
        print_mesh(file);
    } catch (const Error& error) {
      problem = error.what();
    }
  }
  throw_on_all(comm, problem);
}

}  // namespace sunder::commands
