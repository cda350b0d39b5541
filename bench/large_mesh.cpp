/// Writes a mesh file of any size without holding it: a cube of n x n x n cells, six tetrahedra each.
///
///   large_mesh n FILE.msh [shuffled]   Gmsh 4.1, binary; shuffled: node tags and elements in no order
///   large_mesh n FILE.vtu              VTK, appended raw
///
/// For measuring how much memory reading takes (docs/meshes.md).

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

class Cube {
public:
  Cube(std::int64_t n, bool shuffled) : n_(n), shuffled_(shuffled) {}

  std::int64_t num_nodes() const { return (n_ + 1) * (n_ + 1) * (n_ + 1); }
  std::int64_t num_elements() const { return 6 * n_ * n_ * n_; }
  /// The k-th in the file. Counts do not have the prime as a factor, so each comes once.
  std::int64_t node_at(std::int64_t k) const { return shuffled_ ? k * factor_of(num_nodes()) % num_nodes() : k; }
  std::int64_t element_at(std::int64_t k) const
  {
    return shuffled_ ? k * factor_of(num_elements()) % num_elements() : k;
  }

  std::array<double, 3> point(std::int64_t node) const
  {
    const std::int64_t row = n_ + 1;
    const auto x = [this](std::int64_t i) { return static_cast<double>(i) / static_cast<double>(n_); };
    return {x(node % row), x(node / row % row), x(node / row / row)};
  }
  /// A path along the axes from one corner of its cell to the opposite one; positive.
  std::array<std::int64_t, 4> corners(std::int64_t element) const
  {
    constexpr int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const std::int64_t cell = element / 6, row = n_ + 1;
    const std::array<std::int64_t, 3> step{1, row, row * row};
    std::array<std::int64_t, 4> nodes{cell % n_ + row * (cell / n_ % n_ + row * (cell / n_ / n_))};
    const auto& path = axes[element % 6];
    for (std::size_t a = 0; a < 3; ++a) nodes[a + 1] = nodes[a] + step[static_cast<std::size_t>(path[a])];
    if (element % 6 >= 3) std::swap(nodes[2], nodes[3]);
    return nodes;
  }

private:
  static std::int64_t factor_of(std::int64_t count)
  {
    for (const std::int64_t prime : {1000003, 104729, 7919})
      if (count % prime != 0) return prime;
    return 1;
  }

  std::int64_t n_;
  bool shuffled_;
};

class File {
public:
  explicit File(const char* path) : out_(path, std::ios::binary) {}
  template <class T>
  void put(const T& value)
  {
    out_.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const std::string& text) { out_ << text; }
  bool close()
  {
    out_.close();
    return !out_.fail();
  }

private:
  std::ofstream out_;
};

void write_gmsh(const Cube& cube, File& file)
{
  const auto nodes = static_cast<std::uint64_t>(cube.num_nodes()),
             elements = static_cast<std::uint64_t>(cube.num_elements());
  file.text("$MeshFormat\n4.1 1 8\n"), file.put(std::int32_t{1}), file.text("\n$EndMeshFormat\n$Nodes\n");
  for (const std::uint64_t v : {std::uint64_t{1}, nodes, std::uint64_t{1}, nodes}) file.put(v);
  for (const std::int32_t v : {3, 1, 0}) file.put(v);
  file.put(nodes);
  for (std::int64_t k = 0; k < cube.num_nodes(); ++k) file.put(cube.node_at(k) + 1);
  for (std::int64_t k = 0; k < cube.num_nodes(); ++k) file.put(cube.point(cube.node_at(k)));
  file.text("\n$EndNodes\n$Elements\n");
  for (const std::uint64_t v : {std::uint64_t{1}, elements, std::uint64_t{1}, elements}) file.put(v);
  for (const std::int32_t v : {3, 1, 4}) file.put(v);
  file.put(elements);
  for (std::int64_t k = 0; k < cube.num_elements(); ++k) {
    file.put(k + 1);
    for (const std::int64_t n : cube.corners(cube.element_at(k))) file.put(n + 1);
  }
  file.text("\n$EndElements\n");
}

void write_vtu(const Cube& cube, File& file)
{
  const auto nodes = static_cast<std::uint64_t>(cube.num_nodes()),
             elements = static_cast<std::uint64_t>(cube.num_elements());
  const std::array<std::uint64_t, 4> bytes{24 * nodes, 32 * elements, 8 * elements, elements};
  std::uint64_t offset = 0;
  std::size_t next = 0;
  const auto array = [&](const std::string& attributes) {
    file.text("<DataArray " + attributes + " format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n");
    offset += 8 + bytes[next++];
  };
  file.text(R"(<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">)");
  file.text("<UnstructuredGrid><Piece NumberOfPoints=\"" + std::to_string(nodes) + "\" NumberOfCells=\"" +
            std::to_string(elements) + "\">\n<Points>");
  array("type=\"Float64\" NumberOfComponents=\"3\" Name=\"Points\"");
  file.text("</Points>\n<Cells>");
  array("type=\"Int64\" Name=\"connectivity\""), array("type=\"Int64\" Name=\"offsets\"");
  array("type=\"UInt8\" Name=\"types\"");
  file.text("</Cells></Piece></UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
  file.put(bytes[0]);
  for (std::int64_t n = 0; n < cube.num_nodes(); ++n) file.put(cube.point(n));
  file.put(bytes[1]);
  for (std::int64_t e = 0; e < cube.num_elements(); ++e) file.put(cube.corners(e));
  file.put(bytes[2]);
  for (std::int64_t e = 0; e < cube.num_elements(); ++e) file.put(4 * (e + 1));
  file.put(bytes[3]);
  for (std::int64_t e = 0; e < cube.num_elements(); ++e) file.put(std::uint8_t{10});
  file.text("\n</AppendedData></VTKFile>\n");
}

}  // namespace

int main(int argc, char** argv)
{
  const std::string path = argc > 2 ? argv[2] : "";
  const bool vtu = path.ends_with(".vtu"), gmsh = path.ends_with(".msh");
  const std::int64_t n = argc > 2 ? std::strtoll(argv[1], nullptr, 10) : 0;
  if (n < 1 || n > 10000 || (!vtu && !gmsh)) {
    std::fprintf(stderr,
                 "large_mesh: expected a number of cells along an edge (1 to 10000) and FILE.msh or FILE.vtu\n");
    return 2;
  }
  const Cube cube(n, argc > 3 && std::strcmp(argv[3], "shuffled") == 0);
  File file(argv[2]);
  gmsh ? write_gmsh(cube, file) : write_vtu(cube, file);
  if (!file.close()) {
    std::fprintf(stderr, "large_mesh: cannot write %s\n", argv[2]);
    return 3;
  }
  std::printf("%s: %lld nodes, %lld elements\n", argv[2], static_cast<long long>(cube.num_nodes()),
              static_cast<long long>(cube.num_elements()));
  return 0;
}
