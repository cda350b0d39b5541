#include "io/hdf5_file.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <optional>

namespace sunder::io {
namespace {

hid_t open(const Comm& comm, const std::string& path, Hdf5File::Mode mode, std::size_t user_block)
{
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // what fails is told in our own words
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_fapl_mpio(access, comm.mpi(), MPI_INFO_NULL);
  H5Pset_userblock(creation, user_block);
  return mode == Hdf5File::Mode::create ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access)
                                        : H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
}

hid_t collective_transfer()
{
  const hid_t together = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(together, H5FD_MPIO_COLLECTIVE);
  return together;
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
    file_(open(comm, path_, mode, user_block), H5Fclose),
    together_(collective_transfer(), H5Pclose)
{
  note(file_ >= 0, mode == Mode::create ? "create" : "open");
  throw_if_failed();
}

void Hdf5File::write_rows(const std::string& name, hid_t type, const void* data, std::size_t rows,
                          std::size_t components, std::int64_t first, std::int64_t all)
{
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const std::array<hsize_t, 2> size{static_cast<hsize_t>(all), components};
  const Hdf5Handle in_file(H5Screate_simple(2, size.data(), nullptr), H5Sclose);
  const Hdf5Handle in_memory(rows_in_memory(rows, components), H5Sclose);
  Hdf5Handle set(H5Dcreate2(file_, name.c_str(), type, in_file, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  select(in_file, first, rows, components);
  note(set >= 0 && H5Dwrite(set, type, in_memory, in_file, together_, data) >= 0, "write " + name + " to");
  note(set.release(), "write " + name + " to");
}

void Hdf5File::read_rows(const std::string& name, hid_t type, void* data, std::size_t rows, std::size_t components,
                         std::int64_t first)
{
  const Hdf5Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  note(set >= 0, "find " + name + " in");
  if (set < 0) return;
  const Hdf5Handle in_file(H5Dget_space(set), H5Sclose), in_memory(rows_in_memory(rows, components), H5Sclose);
  select(in_file, first, rows, components);
  note(H5Dread(set, type, in_memory, in_file, together_, data) >= 0, "read " + name + " from");
}

std::int64_t Hdf5File::rows(const std::string& name)
{
  const Hdf5Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0) return -1;
  const Hdf5Handle space(H5Dget_space(set), H5Sclose);
  std::array<hsize_t, 2> size{};
  return H5Sget_simple_extent_dims(space, size.data(), nullptr) == 2 ? static_cast<std::int64_t>(size[0]) : -1;
}

void Hdf5File::close()
{
  note(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "flush");
  note(file_.release(), "close");
}

void Hdf5File::note(bool ok, const std::string& what)
{
  if (!ok && failed_.empty()) failed_ = what;
}

void Hdf5File::throw_if_failed() const
{
  std::optional<std::string> problem;
  if (!failed_.empty()) problem = fmt::format("{}: rank {} cannot {} this file", path_, comm_.rank(), failed_);
  throw_on_all(comm_, problem, static_cast<int>(ExitStatus::simulation_failed));
}

}  // namespace sunder::io
