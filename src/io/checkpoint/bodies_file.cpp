#include "io/checkpoint/bodies_file.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/hash.hpp"
#include "core/host_name.hpp"
#include "io/checkpoint/bodies_columns.hpp"
#include "io/checkpoint/hdf5_file.hpp"
#include "io/files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace sunder::io {
namespace {

namespace fs = std::filesystem;
using partition::BlockDistribution;
using partition::ElementTable;
using partition::LinkRecord;
using partition::NodeRecord;
using partition::PairRecord;
using partition::RowSlice;
using Face = partition::MarkedFace<GlobalIndex>;

constexpr ExitStatus failed = ExitStatus::simulation_failed;

template <class Row>
auto writer(Hdf5File& file, const std::vector<Row>& rows, std::int64_t first, std::int64_t all)
{
  return [&file, &rows, first, all](const char* name, auto field) {
    using Value = std::decay_t<decltype(field(rows.front()))>;
    std::vector<Value> column;
    column.reserve(rows.size());
    for (const Row& r : rows) column.push_back(field(r));
    file.write<Value>(name, column, first, all);
  };
}

/// Rows come with nothing in them. Only what is something is filled in, so that sparse columns stay short.
template <class Row>
auto reader(Hdf5File& file, std::vector<Row>& rows, std::int64_t first)
{
  return [&file, &rows, first](const char* name, auto field) {
    using Value = std::decay_t<decltype(field(rows.front()))>;
    const auto column = file.read<Value>(name, first, static_cast<std::int64_t>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!partition::is_nothing(column[i])) field(rows[i]) = column[i];
  };
}

void write_faces(const Comm& comm, Hdf5File& file, const std::vector<Face>& faces)
{
  const auto mine = static_cast<std::int64_t>(faces.size()), all = comm.sum(mine), first = comm.sum_before(mine);
  if (all > 0) visit_faces(writer(file, faces, first, all));
}

void write_links(const Comm& comm, Hdf5File& file, const RowSlice& bodies)
{
  const auto mine = static_cast<std::int64_t>(bodies.links.size()), all = comm.sum(mine), first = comm.sum_before(mine);
  visit_links(writer(file, bodies.links, first, all));
  file.write<std::array<GlobalIndex, 3>>("links/nodes", bodies.link_nodes, first, all);
}

/// Collective. Over all ranks.
Unusual unusual_of(const Comm& comm, const RowSlice& bodies)
{
  const ElementTable& elements = bodies.elements;
  const auto any = [&comm](bool mine) { return comm.max(static_cast<std::int64_t>(mine)) > 0; };
  const auto& faces = elements.faces.values();
  const auto marked = [](const mesh::ElementFaces& f) { return f.marks != mesh::FaceMarks{}; };
  const auto cracked = [](const mesh::ElementFaces& f) { return f.cracks.made != 0; };
  return {any(std::any_of(faces.begin(), faces.end(), marked)),
          any(std::any_of(faces.begin(), faces.end(), cracked)),
          any(!elements.plastic_strains.values().empty()),
          any(std::any_of(elements.rows.begin(), elements.rows.end(), [](const auto& e) { return e.level != 0; })),
          any(!elements.lattice.values().empty()),
          any(std::any_of(bodies.nodes.begin(), bodies.nodes.end(),
                          [](const NodeRecord& n) { return n.a != std::array<double, 3>{}; })),
          any(!bodies.links.empty())};
}

/// Collective. At most, with what HDF5 adds.
std::uint64_t bytes_of(const Comm& comm, const StoredBodies& mine, const Unusual& unusual)
{
  const RowSlice& b = mine.bodies;
  std::size_t element = sizeof(b.corners[0]);
  visit_elements(b.elements, unusual, [&](const char*, auto field) {
    element += sizeof(std::decay_t<decltype(field(b.elements.rows.front()))>);
  });
  const std::size_t bytes = b.nodes.size() * sizeof(NodeRecord) + b.elements.size() * element +
                            b.pairs.size() * sizeof(PairRecord) +
                            b.links.size() * (sizeof(LinkRecord) + sizeof(b.link_nodes[0])) +
                            b.faces.size() * sizeof(Face) + mine.state.size();
  return comm.sum(static_cast<std::uint64_t>(bytes)) + (1 << 18);
}

/// On rank 0. Blocks for so many bytes, which leave the file as long as it is. A file system that cannot promise any
/// is taken at its word when it is written to.
std::optional<std::string> take_room(const fs::path& path, std::uint64_t bytes)
{
  if (fault_point(FaultKind::file, "sealed file: room"))
    return fmt::format("{}: cannot write there: {}", path.parent_path().string(), std::strerror(errno));
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return fmt::format("{}: cannot write there: {}", path.parent_path().string(), std::strerror(errno));
  const bool full = ::fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) != 0 &&
                    (errno == ENOSPC || errno == EDQUOT || errno == EFBIG);
  ::close(fd);
  if (!full) return {};
  return fmt::format("{}: the disk is full: what is to be written takes up to {:.3g} MB, which are not free",
                     path.string(), static_cast<double>(bytes) / 1e6);
}

/// Collective. Before HDF5 writes anything: where one rank cannot write, its ranks wait for each other for ever.
void reserve(const Comm& comm, const fs::path& path, std::uint64_t bytes)
{
  throw_on_all(comm, comm.rank() == 0 ? take_room(path, bytes) : std::nullopt, failed);
}

void write_columns(const Comm& comm, const fs::path& path, const StoredBodies& mine)
{
  allocation_point("sealed file: columns");
  const RowSlice& bodies = mine.bodies;
  const auto nodes = static_cast<std::int64_t>(bodies.nodes.size()),
             elements = static_cast<std::int64_t>(bodies.elements.size()),
             pairs = static_cast<std::int64_t>(bodies.pairs.size());
  const std::int64_t before_nodes = comm.sum_before(nodes), before_elements = comm.sum_before(elements),
                     before_pairs = comm.sum_before(pairs), all_elements = comm.sum(elements),
                     all_pairs = comm.sum(pairs);
  const Unusual unusual = unusual_of(comm, bodies);

  const std::uint64_t bytes = bytes_of(comm, mine, unusual);
  reserve(comm, path, bytes);  // so that no file is begun without room
  Hdf5File file(comm, path, Hdf5File::Mode::create, user_block);
  reserve(comm, path, bytes);  // making the file gave the room back
  const bool first = comm.rank() == 0;
  const auto length = static_cast<std::int64_t>(mine.state.size());
  file.write<char>("state", std::span(mine.state.data(), first ? mine.state.size() : 0), 0, length);
  visit_nodes(unusual, writer(file, bodies.nodes, before_nodes, comm.sum(nodes)));
  visit_elements(bodies.elements, unusual, writer(file, bodies.elements.rows, before_elements, all_elements));
  file.write<std::array<GlobalIndex, 4>>("elements/corners", bodies.corners, before_elements, all_elements);
  visit_pairs(writer(file, bodies.pairs, before_pairs, all_pairs));
  file.write<GlobalIndex>("pairs/element", bodies.pair_elements, before_pairs, all_pairs);
  if (unusual.links) write_links(comm, file, bodies);
  write_faces(comm, file, bodies.faces);
  file.close();
  file.throw_if_failed();
}

std::string read_state(Hdf5File& file)
{
  const auto text = file.read<char>("state", 0, std::max<std::int64_t>(0, file.rows("state")));
  return {text.begin(), text.end()};
}

// ---- the seal: what the rest must be ----

/// Collective. Of all bytes after the user block: of each word with its place, added modulo 2^64, so that any number of
/// ranks finds the same. Nothing if a rank cannot read its slice.
std::optional<std::uint64_t> hash_of(const Comm& comm, const fs::path& path, std::uint64_t size)
{
  const std::uint64_t words = size < user_block ? 0 : (size - user_block + 7) / 8;
  const BlockDistribution distribution{static_cast<GlobalIndex>(words), comm.size()};
  const auto first = static_cast<std::uint64_t>(distribution.begin(comm.rank())),
             last = static_cast<std::uint64_t>(distribution.begin(comm.rank() + 1));
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(user_block + 8 * first));
  std::vector<std::uint64_t> chunk;
  std::uint64_t sum = 0;
  bool ok = file.good();
  for (std::uint64_t at = first; ok && at < last; at += chunk.size()) {
    chunk.assign(std::min<std::uint64_t>(last - at, 1 << 17), 0);
    const std::uint64_t begin = user_block + 8 * at, bytes = std::min<std::uint64_t>(8 * chunk.size(), size - begin);
    file.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(bytes));
    ok = file.good() && !fault_point(FaultKind::file, "sealed file: read");
    LongWork::advanced();
    for (std::size_t k = 0; k < chunk.size(); ++k) sum += mix(chunk[k] ^ mix(at + k + 1));
  }
  if (comm.max(static_cast<std::int64_t>(!ok)) > 0) return {};
  return comm.sum(sum);
}

/// Collective. As rank 0 sees it; 0 if there is none.
std::uint64_t size_of(const Comm& comm, const fs::path& path)
{
  std::error_code none;
  std::int64_t size = 0;
  if (comm.rank() == 0 && fs::is_regular_file(path, none)) size = static_cast<std::int64_t>(fs::file_size(path, none));
  return static_cast<std::uint64_t>(comm.max(size));
}

std::optional<std::string> put_seal(const fs::path& path, const std::string& text)
{
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  bool ok = fd >= 0 && !fault_point(FaultKind::file, "sealed file: seal") &&
            ::pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  ok = ok && (::fsync(fd) == 0 || errno == EINVAL);
  const int reason = errno;
  if (fd >= 0) ok = ::close(fd) == 0 && ok;
  if (ok) return {};
  return fmt::format("{}: cannot finish the file: {}", path.string(), std::strerror(reason));
}

std::optional<std::string> rename_and_flush(const fs::path& from, const fs::path& to)
{
  std::error_code error;
  if (fault_point(FaultKind::file, "sealed file: rename"))
    error.assign(errno, std::generic_category());
  else
    fs::rename(from, to, error);
  if (error) return fmt::format("{}: cannot rename the file: {}", to.string(), error.message());
  if (const int fd = ::open(to.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); fd >= 0)
    ::fsync(fd), ::close(fd);  // or the new name may be lost although the bytes are safe
  return {};
}

/// As a user knows it.
const char* known_as(FileKind kind)
{
  return kind == FileKind::checkpoint ? "checkpoint" : "mesh of sunder partition";
}

/// What is wrong with a file of so many bytes, of which those after the seal have this hash: nothing if it is whole.
std::optional<std::string> unlike_seal(const fs::path& path, FileKind kind, std::uint64_t size,
                                       const std::optional<std::uint64_t>& hash)
{
  if (size == 0)
    return fmt::format("{}: expected a {}, found no such file, or an empty one", path.string(), known_as(kind));
  try {
    const auto label = label_of(path);
    if (label && label->kind != kind)
      return fmt::format("{}: expected a {}, got a {}", path.string(), known_as(kind), known_as(label->kind));
    if (label && !readable(*label)) return of_another_format(path, *label);
    if (!hash) return fmt::format("{}: cannot be read to its end", path.string());
    if (label && user_block_of(path) == seal(kind, size, *hash, label->run)) return {};
  } catch (const Error& unreadable) {
    return unreadable.what();
  }
  return fmt::format("{}: damaged, or not a {} at all: its {} bytes are not those that were sealed", path.string(),
                     known_as(kind), size);
}

/// Collective.
Unusual unusual_in(Hdf5File& file)
{
  return {file.rows("elements/face_marks") >= 0,
          file.rows("elements/crack_faces") >= 0,
          file.rows("elements/plastic_strain") >= 0,
          file.rows("elements/level") >= 0,
          file.rows("elements/bonded_faces") >= 0,
          file.rows("nodes/a") >= 0,
          file.rows("links/plus") >= 0};
}

/// Collective. Columns of one table that are not equally long, or longer than the file can be; nothing if all is well.
std::optional<std::string> uneven_columns(Hdf5File& file, std::uint64_t bytes)
{
  std::optional<std::string> problem;
  const auto expect = [&](const std::string& name, const std::string& as) {
    const std::int64_t found = file.rows(name), expected = file.rows(as);
    if (problem || (found == expected && static_cast<std::uint64_t>(std::max<std::int64_t>(0, found)) <= bytes / 8))
      return;
    problem = fmt::format("{} rows in {} and {} in {}", found, name, expected, as);
  };
  const auto as = [&](const char* first) { return [&expect, first](const char* name, auto) { expect(name, first); }; };
  visit_nodes(unusual_in(file), as("nodes/id"));
  const ElementTable none;
  visit_elements(none, unusual_in(file), as("elements/id"));
  expect("elements/corners", "elements/id");
  visit_pairs(as("pairs/element"));
  if (file.rows("links/plus") >= 0) visit_links(as("links/plus")), expect("links/nodes", "links/plus");
  if (file.rows("faces/corners") >= 0) visit_faces(as("faces/corners"));
  return problem;
}

/// Local. Of a file that rank 0 has found. Where it does not open, as on a machine that does not see the folder,
/// nothing is known of it, least of all that it is damaged.
void expect_opens(const fs::path& path)
{
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fault_point(FaultKind::file, "sealed file: open"))
    throw Error(fmt::format("{}: cannot open the file on {}: {}", path.string(), host_name(), std::strerror(errno)));
  ::close(fd);
}

}  // namespace

void write_bodies(const Comm& comm, const fs::path& given, FileKind kind, const StoredBodies& mine)
{
  std::string target, beside;
  // Open MPI gives what it shares about a file the file's own name, without its folder, and a run that is killed leaves
  // it behind: a run that wrote a file of the same name would wait for it for ever, or find that it is another user's.
  on_rank_0(comm, [&] { target = file_to_replace(given).string(), beside = aside_of_this_process(target).string(); });
  comm.broadcast(target), comm.broadcast(beside);
  const fs::path path = target, aside = beside;
  try {
    write_columns(comm, aside, mine);
    const std::uint64_t size = size_of(comm, aside);
    const auto hash = hash_of(comm, aside, size);
    std::optional<std::string> problem;
    if (!hash)
      problem = fmt::format("{}: cannot read back what was written", aside.string());
    else if (comm.rank() == 0)
      problem = put_seal(aside, seal(kind, size, *hash, mine.run));
    throw_on_all(comm, problem, failed);
    if (comm.rank() == 0) problem = rename_and_flush(aside, path);
    throw_on_all(comm, problem, failed);
  } catch (const Error&) {  // of all that comm has
    std::error_code ignored;
    if (comm.rank() == 0) fs::remove(aside, ignored);
    throw;
  }
}

std::optional<std::string> damage(const Comm& comm, const fs::path& path, FileKind kind)
{
  const std::uint64_t size = size_of(comm, path);
  if (size > 0) on_every_rank(comm, [&path] { expect_opens(path); });
  const auto hash = hash_of(comm, path, size);
  return first_of(comm, comm.rank() == 0 ? unlike_seal(path, kind, size, hash) : std::nullopt);
}

Outline outline(const Comm& comm, const fs::path& path)
{
  Hdf5File file(comm, path, Hdf5File::Mode::read, user_block);
  Outline found{read_state(file), file.rows("nodes/id"), file.rows("elements/id")};
  file.throw_if_failed();
  return found;
}

StoredBodies read_bodies(const Comm& comm, const fs::path& path)
{
  allocation_point("sealed file: rows");
  Hdf5File file(comm, path, Hdf5File::Mode::read, user_block);
  file.throw_if_failed();
  const auto uneven = uneven_columns(file, size_of(comm, path));
  throw_on_all(comm,
               uneven ? std::optional(fmt::format("{}: expected columns that agree, found {}", path.string(), *uneven))
                      : std::nullopt);
  StoredBodies stored;
  stored.state = read_state(file);
  RowSlice& bodies = stored.bodies;
  const auto read_slice = [&](const char* column, auto& rows) {
    const BlockDistribution distribution{std::max<std::int64_t>(0, file.rows(column)), comm.size()};
    const GlobalIndex first = distribution.begin(comm.rank());
    rows.resize(static_cast<std::size_t>(distribution.begin(comm.rank() + 1) - first));
    return first;
  };
  bodies.all_nodes = file.rows("nodes/id"), bodies.all_elements = file.rows("elements/id");
  visit_nodes(unusual_in(file), reader(file, bodies.nodes, read_slice("nodes/id", bodies.nodes)));
  const GlobalIndex first = read_slice("elements/id", bodies.elements.rows);
  visit_elements(bodies.elements, unusual_in(file), reader(file, bodies.elements.rows, first));
  bodies.corners = file.read<std::array<GlobalIndex, 4>>("elements/corners", first,
                                                         static_cast<std::int64_t>(bodies.elements.size()));
  const GlobalIndex first_pair = read_slice("pairs/element", bodies.pairs);
  visit_pairs(reader(file, bodies.pairs, first_pair));
  bodies.pair_elements =
      file.read<GlobalIndex>("pairs/element", first_pair, static_cast<std::int64_t>(bodies.pairs.size()));
  if (unusual_in(file).links) {
    const GlobalIndex first_link = read_slice("links/plus", bodies.links);
    visit_links(reader(file, bodies.links, first_link));
    bodies.link_nodes = file.read<std::array<GlobalIndex, 3>>("links/nodes", first_link,
                                                              static_cast<std::int64_t>(bodies.links.size()));
  }
  if (file.rows("faces/corners") >= 0)
    visit_faces(reader(file, bodies.faces, read_slice("faces/corners", bodies.faces)));
  file.throw_if_failed();
  return stored;
}

}  // namespace sunder::io
