#include "io/surfaces/mesher.hpp"

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/mesh_files/gmsh_reader.hpp"
#include "io/surfaces/netgen_filler.hpp"
#include "io/surfaces/surface_check.hpp"
#include "io/surfaces/surface_reader.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

extern char** environ;

namespace sunder::io {
namespace {

namespace fs = std::filesystem;

constexpr auto netgen_patience = std::chrono::minutes(30);

constexpr const char* other_folder = "TMPDIR may name another folder";

/// The system's folder for temporary files.
fs::path temporary_folder()
{
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (!error) return folder;
  const char* const named = std::getenv("TMPDIR");
  throw Error(fmt::format("{}: expected a folder for temporary files, which netgen needs, found: {}; {}",
                          named ? named : "/tmp", error.message(), other_folder));
}

/// A private folder that is gone when it is.
class ScratchFolder {
public:
  ScratchFolder()
  {
    std::string name = (temporary_folder() / "sunder-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw Error(fmt::format("{}: cannot make a temporary folder: {}; {}", name, std::strerror(errno), other_folder));
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder()
  {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const char* name) const { return path_ / name; }
  bool is_full() const { return fs::space(path_).available < 4096; }

private:
  fs::path path_;
};

/// Sends what C code prints to a file while it lives: netgen talks on standard output.
class QuietStdout {
public:
  explicit QuietStdout(const fs::path& to)
  {
    std::fflush(stdout);
    kept_ = dup(STDOUT_FILENO);
    const int file = open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDOUT_FILENO);
    close(file);
  }
  QuietStdout(const QuietStdout&) = delete;
  QuietStdout& operator=(const QuietStdout&) = delete;
  ~QuietStdout()
  {
    std::fflush(stdout);
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
  }

private:
  int kept_ = -1;
};

std::string text_of(const fs::path& path)
{
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

std::string last_lines(const std::string& text, int lines)
{
  std::size_t at = text.find_last_not_of('\n');
  if (at == std::string::npos) return {};
  const std::size_t end = at + 1;
  while (at > 0 && lines > 0)
    if (text[--at] == '\n') --lines;
  return text.substr(at == 0 ? 0 : at + 1, end - at);
}

struct SizedGeometry {
  std::string text;
  std::size_t objects = 0;  ///< Solids to be meshed.
};

/// The geometry with the size put on each top-level object.
SizedGeometry with_size(const std::string& path, const std::string& text, double size)
{
  std::istringstream in(text);
  SizedGeometry sized;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line.compare(first, 4, "tlo ") == 0) {
      const std::size_t end = line.rfind(';');
      if (end == std::string::npos) throw Error(fmt::format("{}: expected ';' at the end of '{}'", path, line));
      line.insert(end, fmt::format(" -maxh={}", size));
      ++sized.objects;
    }
    sized.text += line + "\n";
  }
  if (sized.objects == 0)
    throw Error(
        fmt::format("{}: expected netgen's CSG with a top-level object (a line 'tlo NAME;'), found none; a script of "
                    "Gmsh is another language: mesh it with Gmsh",
                    path));
  return sized;
}

/// Environment in which netgen finds its own libraries, leaves its files in the scratch folder, takes no options a user
/// has saved (they would change the mesh), and does not take itself for a rank of this program's job.
std::vector<std::string> netgen_environment(const fs::path& scratch)
{
  std::string libraries = SUNDER_NETGEN_LIBRARIES;
  if (const char* inherited = std::getenv("LD_LIBRARY_PATH")) libraries += std::string(":") + inherited;
  std::vector<std::string> variables{"LD_LIBRARY_PATH=" + libraries, "NETGEN_USER_DIR=" + scratch.string(),
                                     "TMPDIR=" + scratch.string()};
  // Netgen starts MPI for itself alone. Without daemon and network that takes a third of a second less.
  for (const char* alone : {"OMPI_MCA_ess_singleton_isolated=1", "OMPI_MCA_pml=ob1", "OMPI_MCA_btl=self"})
    variables.emplace_back(alone);
  for (char** v = environ; *v; ++v) {
    const std::string_view variable = *v;
    const auto starts = [variable](const char* with) { return variable.starts_with(with); };
    if (!std::ranges::any_of(std::array{"LD_LIBRARY_PATH=", "NETGEN_USER_DIR=", "NG_OPT=", "TMPDIR=", "OMPI_", "PMIX_",
                                        "PMI_", "SLURM_"},
                             starts))
      variables.emplace_back(variable);
  }
  return variables;
}

/// log: of what netgen says; where it takes long, the end of that is passed on after 1, 2, 4 ... minutes.
int wait_for(pid_t child, const std::string& path, const fs::path& log)
{
  const auto begin = std::chrono::steady_clock::now();
  std::chrono::minutes next_word{1};
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (waited > next_word) {
      log_info(
          fmt::format("{}: netgen has been meshing for {} min; if that is too long, try a larger size, or, where the "
                      "solid is thinner than 1 mm somewhere, a line boundingbox (x, y, z; x, y, z); around it in the "
                      "geometry. It says: {}",
                      path, next_word.count(), last_lines(text_of(log), 2)));
      next_word *= 2;
    }
    if (waited > netgen_patience) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      throw Error(fmt::format("{}: netgen made no mesh in 30 minutes; try a larger size", path));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status;
}

/// Becomes netgen, in the child. It ends with parent, however that ends: nobody else would end it. It hears none of the
/// signals that ask a run to stop, which launchers and terminals send to all processes of a job: a run stops once it
/// has begun. Returns if there is no such program.
void become_netgen(pid_t parent, const char* log, char* const* argv, char* const* envp)
{
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) ::signal(signal, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);  // it ended before
  const int file = ::open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) ::_exit(EXIT_FAILURE);
  ::dup2(file, STDOUT_FILENO), ::dup2(file, STDERR_FILENO);
  ::execvpe("netgen", argv, envp);
}

/// Runs netgen without a window; standard output and error go to log.
void run_netgen(const std::string& path, const fs::path& geometry, const fs::path& mesh, const fs::path& log)
{
  std::vector<std::string> words{"netgen", "-batchmode", "-geofile=" + geometry.string(), "-meshfile=" + mesh.string(),
                                 "-meshfiletype=Gmsh2 Format"};
  std::vector<std::string> variables = netgen_environment(mesh.parent_path());
  std::vector<char*> argv, envp;
  for (auto& w : words) argv.push_back(w.data());
  for (auto& v : variables) envp.push_back(v.data());
  argv.push_back(nullptr), envp.push_back(nullptr);

  constexpr int no_program = 127;  // as of a shell
  const pid_t parent = ::getpid(), child = ::fork();
  if (child == 0) {
    become_netgen(parent, log.c_str(), argv.data(), envp.data());
    ::_exit(no_program);
  }
  if (child < 0) throw Error(fmt::format("{}: cannot start netgen: {}", path, std::strerror(errno)));
  const int status = wait_for(child, path, log);
  const std::string said = text_of(log);
  if (WIFEXITED(status) && WEXITSTATUS(status) == no_program && said.empty())
    throw Error(fmt::format("{}: expected the program netgen on the PATH (Debian package netgen)", path));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !fs::exists(mesh))
    throw Error(fmt::format("{}: netgen made no mesh; it ended with: {}", path, last_lines(said, 4)));
}

/// Netgen looks for surfaces in a box of 2 km unless the file says in which, and does not see what is thinner than a
/// millionth of that: of a sheet of 1 mm no element comes, and no error. Then it is told to look nearer.
mesh::MeshData mesh_solid_in(const ScratchFolder& scratch, const std::string& path, double size)
{
  const fs::path geometry = scratch / "sized.geo";
  const SizedGeometry sized = with_size(path, text_of(path), size);
  for (const auto& [box, name] :
       {std::pair{"", "mesh.msh"}, {"boundingbox (-10, -10, -10; 10, 10, 10);\n", "near.msh"}}) {
    const fs::path mesh = scratch / name;  // another one: the first shows that a disk is full
    std::ofstream(geometry) << sized.text << box;
    run_netgen(path, geometry, mesh, scratch / "netgen.log");
    try {
      mesh::MeshData data = read_gmsh(mesh.string());
      if (data.element_sets.size() == sized.objects) return data;
    } catch (const Error&) {  // without elements
    }
  }
  throw Error(fmt::format(
      "{}: expected a solid with volume on each line tlo, within 10 m of the origin and nowhere thinner than "
      "0.1 mm; netgen fills none or not all of them (in larger numbers, which the mesh's scale makes metres, "
      "it finds smaller ones)",
      path));
}

constexpr double most_elements = 1e8, elements_a_cube = 6;  // of edges as long as the size

/// Throws Error where netgen would take days and then all memory: mostly the size is in another unit than the geometry.
void refuse_too_many_elements(const std::string& path, double volume, double size)
{
  const double elements = elements_a_cube * volume / (size * size * size);
  if (elements > most_elements)
    throw Error(
        fmt::format("{}: expected a size that makes {:g} elements at most, got {:g}: some {:.2g} of them in a volume "
                    "of {:g}; the size is in the unit of the file's coordinates",
                    path, most_elements, size, elements, volume));
}

/// The greatest number in the text of a geometry, comments left out: so far from the origin it may reach, or about so.
double greatest_number(const std::string& text)
{
  double greatest = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    static const std::regex number(R"((^|[^\w.])(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?))");
    for (std::sregex_iterator at(line.begin(), line.end(), number), end; at != end; ++at)
      greatest = std::max(greatest, std::strtod((*at)[2].str().c_str(), nullptr));
  }
  return greatest;
}

double volume_of(const mesh::MeshData& mesh)
{
  double volume = 0;
  for (const auto& tet : mesh.tets) {
    std::array<Vec3, 4> x;
    std::ranges::transform(tet, x.begin(), [&mesh](GlobalIndex n) { return mesh.nodes[static_cast<std::size_t>(n)]; });
    volume += std::abs((x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0])) / 6;
  }
  return volume;
}

/// Only netgen knows the volume, from a mesh. A coarse one is made where the box that the numbers span would have too
/// many elements.
void refuse_too_many_elements_of_solid(const std::string& path, double size)
{
  const double reach = greatest_number(text_of(path));
  if (elements_a_cube * std::pow(2 * reach / size, 3) <= most_elements) return;
  const ScratchFolder scratch;
  double volume = 0;
  try {
    volume = volume_of(mesh_solid_in(scratch, path, reach));
  } catch (const Error&) {  // a finer mesh may be made all the same, or netgen says again what is wrong
  }
  refuse_too_many_elements(path, volume, size);
}

mesh::MeshData mesh_solid(const std::string& path, double size)
{
  const ScratchFolder scratch;
  try {
    refuse_too_many_elements_of_solid(path, size);
    return mesh_solid_in(scratch, path, size);
  } catch (const Error&) {
    if (!scratch.is_full()) throw;
    throw Error(fmt::format("{}: cannot be meshed by way of {}: No space left on device; {}", path,
                            temporary_folder().string(), other_folder));
  }
}

/// The filler of netgen_filler.hpp. Its library stands beside the program, or where it is installed.
decltype(&sunder_fill_surface) load_filler()
{
  const fs::path programs = fs::read_symlink("/proc/self/exe").parent_path();
  std::string faults;
  for (const fs::path& folder : {programs, programs / "../lib/sunder"}) {
    // Never closed: what it loads does not expect that.
    if (void* const library = dlopen((folder / SUNDER_NETGEN_FILLER).c_str(), RTLD_NOW | RTLD_LOCAL))
      if (void* const filler = dlsym(library, "sunder_fill_surface"))
        return reinterpret_cast<decltype(&sunder_fill_surface)>(filler);
    faults += fmt::format("{}{}", faults.empty() ? "" : "; ", dlerror());
  }
  throw Error(fmt::format("expected {} beside the program or in ../lib/sunder, to mesh a surface, got: {}",
                          SUNDER_NETGEN_FILLER, faults));
}

/// Fit to be filled, or an Error that says what is wrong with it.
TriangleSurface sound_surface(const std::string& path, Facing facing)
{
  TriangleSurface surface = read_welded_surface(path);
  if (facing == Facing::flipped) {
    if (check_surface(surface).empty())
      throw Error(fmt::format("{}: --flip: expected a surface that is inside out, got one that faces outward", path));
    flip(surface);
  }
  if (const auto errors = check_surface(surface); !errors.empty())
    throw Error(fmt::format("{}: {}", path, fmt::join(errors, "; ")));
  return surface;
}

mesh::MeshData mesh_surface(const std::string& path, double size, double grading, Facing facing)
{
  const TriangleSurface surface = sound_surface(path, facing);
  refuse_too_many_elements(path, measure(surface).volume, size);
  const ScratchFolder scratch;
  const QuietStdout quiet(scratch / "netgen.log");
  mesh::MeshData data;
  std::string fault;
  static const auto fill_surface = load_filler();
  fill_surface(surface, size, grading, data, fault);
  if (!fault.empty()) throw Error(fmt::format("{}: {}", path, fault));
  return data;
}

}  // namespace

mesh::MeshData mesh_geometry(const std::string& path, double size, double grading, Facing facing)
{
  if (!fs::is_regular_file(path)) throw Error(fmt::format("{}: expected a geometry file, found none", path));
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".geo") return mesh_solid(path, size);
  if (is_surface_file(path)) return mesh_surface(path, size, grading, facing);
  throw Error(fmt::format("{}: expected a geometry that ends in .geo, .stl, .obj or .ply, got '{}'", path, ending));
}

}  // namespace sunder::io
