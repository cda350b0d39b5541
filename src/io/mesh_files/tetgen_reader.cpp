#include "io/mesh_files/tetgen_reader.hpp"

#include "core/sort_unique.hpp"
#include "io/files/text_lines.hpp"
#include "io/files/whole_file.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace sunder::io {
namespace {

namespace fs = std::filesystem;

using NodesOfMarker = std::map<int, std::vector<GlobalIndex>>;

/// The bytes of one of the files, and the lines in them.
struct TetgenFile {
  TetgenFile(const fs::path& path, const char* kind)
    : bytes(read_whole(path.string(), kind)), lines(path.string(), bytes, '#')
  {
  }
  TetgenFile(const TetgenFile&) = delete;
  TetgenFile& operator=(const TetgenFile&) = delete;

  std::string bytes;
  TextLines lines;
};

void expect_end(TextLines& in, const char* things, std::size_t count)
{
  if (in.next()) in.fail(fmt::format("the end of the file after {} {}", count, things), "more");
}

/// How many values there are of something optional behind each record: 0 if the header does not say.
std::size_t columns(const TextLines& in, std::size_t word, std::size_t at_most, const char* what)
{
  if (word >= in.num_words()) return 0;
  const auto n = in.number<std::int64_t>(word, what);
  if (n < 0 || static_cast<std::uint64_t>(n) > at_most)
    in.fail(fmt::format("{} from 0 to {}", what, at_most), fmt::format("{}", n));
  return static_cast<std::size_t>(n);
}

void read_nodes(TextLines& in, mesh::MeshData& data, NodesOfMarker& marked)
{
  in.next("a number of points");
  const std::size_t n = in.count(0, 8, "a number of points");
  if (const int dimension = in.number<int>(1, "the dimension 3"); dimension != 3)
    in.fail("the dimension 3", fmt::format("{}", dimension));
  const std::size_t attributes = columns(in, 2, 1000, "a number of attributes");
  const std::size_t markers = columns(in, 3, 1, "a number of boundary markers");
  for (std::size_t k = 0; k < n; ++k) {
    in.next("another point");
    const auto label = in.number<std::uint64_t>(0, "a point's number");
    const std::uint64_t due = k == 0 ? std::min<std::uint64_t>(label, 1) : data.node_labels.front() + k;
    if (label != due) in.fail(k == 0 ? "point 0 or 1 first" : fmt::format("point {}", due), fmt::format("{}", label));
    data.node_labels.push_back(label), data.nodes.push_back(in.point(1));
    if (markers == 0) continue;
    if (const int marker = in.number<int>(4 + attributes, "a boundary marker"); marker != 0)
      marked[marker].push_back(static_cast<GlobalIndex>(k));
  }
  expect_end(in, "points", n);
}

GlobalIndex node_at(const TextLines& in, std::size_t word, const mesh::MeshData& data)
{
  const auto label = in.number<std::int64_t>(word, "a point's number");
  const auto first = static_cast<std::int64_t>(data.node_labels.empty() ? 0 : data.node_labels.front());
  const auto count = static_cast<std::int64_t>(data.nodes.size());
  if (label < first || label - first >= count)
    in.fail(fmt::format("a point of the .node file ({} to {})", first, first + count - 1), fmt::format("{}", label));
  return label - first;
}

/// TetGen writes attributes as real numbers, regions among them.
std::int64_t region_at(const TextLines& in, std::size_t word)
{
  constexpr double exact = 9007199254740992.0;  // from here on not every whole number is a double
  const auto region = in.number<double>(word, "a region's number");
  if (!(std::abs(region) <= exact) || region != std::floor(region))
    in.fail("a whole number as region", fmt::format("{}", region));
  return static_cast<std::int64_t>(region);
}

void read_elements(TextLines& in, mesh::MeshData& data)
{
  in.next("a number of tetrahedra");
  const std::size_t n = in.count(0, 10, "a number of tetrahedra");
  const auto corners = in.number<int>(1, "4 nodes a tetrahedron");
  if (corners != 4)
    in.fail("4 nodes a tetrahedron", corners == 10 ? "10: quadratic elements (TetGen without -o2 makes linear ones)"
                                                   : fmt::format("{}", corners));
  const std::size_t attributes = columns(in, 2, 1000, "a number of attributes");
  std::map<std::int64_t, std::vector<GlobalIndex>> regions;
  for (std::size_t k = 0; k < n; ++k) {
    in.next("another tetrahedron");
    data.element_labels.push_back(in.number<std::uint64_t>(0, "a tetrahedron's number"));
    std::array<GlobalIndex, 4> tet{};
    for (std::size_t a = 0; a < 4; ++a) tet[a] = node_at(in, 1 + a, data);
    data.tets.push_back(tet);
    if (attributes > 0) regions[region_at(in, 5)].push_back(static_cast<GlobalIndex>(k));
  }
  if (n == 0) in.fail("at least one tetrahedron", "none");
  expect_end(in, "tetrahedra", n);
  for (auto& [region, elements] : regions)
    data.element_sets.push_back({fmt::format("region_{}", region), std::move(elements)});
}

void read_faces(TextLines& in, mesh::MeshData& data, NodesOfMarker& marked)
{
  in.next("a number of faces");
  const std::size_t n = in.count(0, 8, "a number of faces");
  const std::size_t markers = columns(in, 1, 1, "a number of boundary markers");
  std::map<int, mesh::FaceSet> sets;
  for (std::size_t k = 0; k < n; ++k) {
    in.next("another face");
    in.number<std::uint64_t>(0, "a face's number");
    std::array<GlobalIndex, 3> face{};
    for (std::size_t a = 0; a < 3; ++a) face[a] = node_at(in, 1 + a, data);
    const int marker = markers == 0 ? 0 : in.number<int>(4, "a boundary marker");
    if (marker == 0) continue;
    sets[marker].faces.push_back(face);
    marked[marker].insert(marked[marker].end(), face.begin(), face.end());
  }
  expect_end(in, "faces", n);
  for (auto& [marker, set] : sets) data.face_sets.push_back({fmt::format("boundary_{}", marker), std::move(set.faces)});
}

}  // namespace

mesh::MeshData read_tetgen(const std::string& path)
{
  const fs::path name = path;
  mesh::MeshData data;
  NodesOfMarker marked;
  TetgenFile nodes(fs::path(name).replace_extension(".node"), "the points of a TetGen mesh");
  read_nodes(nodes.lines, data, marked);
  TetgenFile elements(fs::path(name).replace_extension(".ele"), "the tetrahedra of a TetGen mesh");
  read_elements(elements.lines, data);
  if (const fs::path faces = fs::path(name).replace_extension(".face"); fs::exists(faces)) {
    TetgenFile file(faces, "the faces of a TetGen mesh");
    read_faces(file.lines, data, marked);
  }
  for (auto& [marker, set] : marked) {
    sort_unique(set);
    data.node_sets.push_back({fmt::format("boundary_{}", marker), std::move(set)});
  }
  return data;
}

}  // namespace sunder::io
