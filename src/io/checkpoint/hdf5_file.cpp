#include "io/checkpoint/hdf5_file.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/mpi_session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>

namespace sunder::io {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} << 20;  // of a rank, at once: each is a sign of life

/// Ranks open a file together. If its folder goes away after some have and before others do, MPI lets those that have
/// wait for ever. While one of these lives, the program is ended with a message then. Calls nothing of MPI: the
/// launcher ends the other ranks.
class FolderWatch {
public:
  FolderWatch(Rank me, const std::filesystem::path& file)
    : thread_([me, file](const std::stop_token& stop) {
        constexpr std::chrono::seconds patience{5};
        const auto first = me == 0 ? patience : 2 * patience;  // rank 0 speaks for all
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        std::error_code none;
        wake.wait_for(lock, stop, first, [] { return false; });
        while (!stop.stop_requested() && std::filesystem::exists(file.parent_path(), none))
          wake.wait_for(lock, stop, patience, [] { return false; });
        if (stop.stop_requested()) return;
        fmt::print(
            stderr,
            "error: rank {}: {}: expected a folder, found none: the folder was removed, moved or taken while the run "
            "was going on\n",
            me, file.parent_path().string());
        std::fflush(stderr);
        ::_exit(static_cast<int>(ExitStatus::simulation_failed));
      })
  {
  }

private:
  std::jthread thread_;
};

hid_t create_together(const Comm& comm, const std::string& path, std::size_t user_block)
{
  const FolderWatch watch(comm.rank(), std::filesystem::absolute(path));
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_fapl_mpio(access, comm.mpi(), MPI_INFO_NULL);
  H5Pset_userblock(creation, user_block);
  return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
}

/// Each rank by itself, without MPI's files and without locks: nobody writes into a file that is read.
hid_t open_alone(const std::string& path)
{
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, false, true);
  return H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
}

hid_t open(const Comm& comm, const std::string& path, Hdf5File::Mode mode, std::size_t user_block)
{
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // what fails is told in our own words
  return mode == Hdf5File::Mode::create ? create_together(comm, path, user_block) : open_alone(path);
}

hid_t transfer_of(Hdf5File::Mode mode)
{
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  if (mode == Hdf5File::Mode::create) H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  return transfer;
}

/// Rows of the space that are this rank's; nothing selected if there are none.
void select(hid_t space, std::int64_t first, std::size_t rows, std::size_t components)
{
  const std::array<hsize_t, 2> start{static_cast<hsize_t>(first), 0}, count{rows, components};
  if (rows == 0)
    H5Sselect_none(space);
  else
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
}

hid_t rows_in_memory(std::size_t rows, std::size_t components)
{
  const std::array<hsize_t, 2> size{rows, components};
  const hid_t space = H5Screate_simple(2, size.data(), nullptr);
  if (rows == 0) H5Sselect_none(space);
  return space;
}

}  // namespace

Hdf5File::Hdf5File(const Comm& comm, const std::filesystem::path& path, Mode mode, std::size_t user_block)
  : comm_(comm),
    path_(path.string()),
    status_(mode == Mode::create ? ExitStatus::simulation_failed : ExitStatus::bad_input),
    file_(open(comm, path_, mode, user_block), H5Fclose),
    transfer_(transfer_of(mode), H5Pclose)
{
  const bool lacks_it = file_ < 0 || fault_point(FaultKind::file, "HDF5: open");
  note(!lacks_it, mode == Mode::create ? "create" : "open");
  const std::int64_t lacking = comm.sum(std::int64_t{lacks_it});
  // Those that have it can close it only together with all: where some lack it, the job ends here.
  if (lacks_it && lacking < comm.size()) end_job(problem(), status_);
  throw_if_failed();
}

/// Every rank does as many transfers as the one with the most rows, for they are done together. None if the column is
/// not ready on some rank.
template <class Transfer>
void Hdf5File::in_chunks(bool ready, std::size_t rows, std::size_t row_bytes, const Transfer& transfer) const
{
  constexpr std::int64_t not_all = std::numeric_limits<std::int64_t>::max();
  const std::size_t at_once = std::max<std::size_t>(1, chunk_bytes / row_bytes);
  const std::size_t mine = std::max<std::size_t>(1, (rows + at_once - 1) / at_once);
  const std::int64_t most = comm_.max(ready ? static_cast<std::int64_t>(mine) : not_all);
  if (most == not_all) return;
  std::size_t done = 0;
  for (std::int64_t k = 0; k < most; ++k) {
    const std::size_t count = std::min(at_once, rows - done);
    transfer(done, count);
    done += count;
    LongWork::advanced();
  }
}

void Hdf5File::write_rows(const std::string& name, hid_t type, const void* data, std::size_t rows,
                          std::size_t components, std::int64_t first, std::int64_t all)
{
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const std::array<hsize_t, 2> size{static_cast<hsize_t>(all), components};
  const Hdf5Handle in_file(H5Screate_simple(2, size.data(), nullptr), H5Sclose);
  Hdf5Handle set(H5Dcreate2(file_, name.c_str(), type, in_file, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const bool ready = set >= 0 && !fault_point(FaultKind::file, "HDF5: make a column");
  note(ready, "write " + name + " to");
  const std::size_t row_bytes = H5Tget_size(type) * components;
  in_chunks(ready, rows, row_bytes, [&](std::size_t done, std::size_t count) {
    const Hdf5Handle in_memory(rows_in_memory(count, components), H5Sclose);
    select(in_file, first + static_cast<std::int64_t>(done), count, components);
    const auto* from = static_cast<const std::byte*>(data) + done * row_bytes;
    const bool written = H5Dwrite(set, type, in_memory, in_file, transfer_, from) >= 0;
    note(written && !fault_point(FaultKind::file, "HDF5: write"), "write " + name + " to");
  });
  note(set.release(), "write " + name + " to");
}

void Hdf5File::read_rows(const std::string& name, hid_t type, void* data, std::size_t rows, std::size_t components,
                         std::int64_t first)
{
  const Hdf5Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  const bool ready = set >= 0 && !fault_point(FaultKind::file, "HDF5: find a column");
  note(ready, "find " + name + " in");
  const Hdf5Handle in_file(ready ? H5Dget_space(set) : -1, H5Sclose);
  const std::size_t row_bytes = H5Tget_size(type) * components;
  in_chunks(ready, rows, row_bytes, [&](std::size_t done, std::size_t count) {
    const Hdf5Handle in_memory(rows_in_memory(count, components), H5Sclose);
    select(in_file, first + static_cast<std::int64_t>(done), count, components);
    auto* to = static_cast<std::byte*>(data) + done * row_bytes;
    const bool is_read = H5Dread(set, type, in_memory, in_file, transfer_, to) >= 0;
    note(is_read && !fault_point(FaultKind::file, "HDF5: read"), "read " + name + " from");
  });
}

std::int64_t Hdf5File::rows(const std::string& name)
{
  const std::int64_t mine = rows_seen(name), most = comm_.max(mine);
  note(mine == most, "find " + name + " in");
  return most;
}

std::int64_t Hdf5File::rows_seen(const std::string& name) const
{
  const Hdf5Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0) return -1;
  const Hdf5Handle space(H5Dget_space(set), H5Sclose);
  std::array<hsize_t, 2> size{};
  return H5Sget_simple_extent_dims(space, size.data(), nullptr) == 2 ? static_cast<std::int64_t>(size[0]) : -1;
}

void Hdf5File::close()
{
  const bool flushed = H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0;
  note(flushed && !fault_point(FaultKind::file, "HDF5: flush"), "flush");
  note(file_.release(), "close");
}

void Hdf5File::note(bool ok, const std::string& what)
{
  if (!ok && failed_.empty()) failed_ = what;
}

std::string Hdf5File::problem() const
{
  return fmt::format("{}: rank {} cannot {} this file", path_, comm_.rank(), failed_);
}

void Hdf5File::throw_if_failed() const
{
  throw_on_all(comm_, failed_.empty() ? std::nullopt : std::optional<Failure>(problem()), status_);
}

}  // namespace sunder::io
