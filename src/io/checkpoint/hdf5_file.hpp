#pragma once
/// Columns of numbers in one HDF5 file: all ranks write it together through MPI, each its own rows; each reads by
/// itself.

#include "core/comm.hpp"

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef H5_HAVE_PARALLEL
#error "expected an HDF5 library built with MPI"
#endif

namespace sunder::io {

/// Closes what it holds.
class Hdf5Handle {
public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() { release(); }
  operator hid_t() const noexcept { return id_; }
  /// Closes it now. False if that failed: data may not have reached the file.
  bool release() noexcept
  {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

template <class T>
hid_t hdf5_type()
{
  if constexpr (std::is_same_v<T, double>)
    return H5T_NATIVE_DOUBLE;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return H5T_NATIVE_UINT64;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return H5T_NATIVE_INT64;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return H5T_NATIVE_UINT32;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return H5T_NATIVE_INT32;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return H5T_NATIVE_UINT16;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return H5T_NATIVE_UINT8;
  else {
    static_assert(std::is_same_v<T, char>);
    return H5T_NATIVE_CHAR;
  }
}

/// A value of a row: a number or several.
template <class Value>
struct Hdf5Value {
  using Number = Value;
  static constexpr std::size_t count = 1;
};
template <class T, std::size_t n>
struct Hdf5Value<std::array<T, n>> {
  using Number = T;
  static constexpr std::size_t count = n;
};
template <>
struct Hdf5Value<GlobalId> {
  using Number = std::uint64_t;
  static constexpr std::size_t count = 2;
};
static_assert(sizeof(GlobalId) == 2 * sizeof(std::uint64_t));

/// Every method is collective. What fails on some rank is remembered, so that all take the same calls;
/// throw_if_failed() tells all.
class Hdf5File {
public:
  enum class Mode { create, read };
  /// The first user_block bytes are left alone. If some ranks can open it and others cannot, the job ends.
  Hdf5File(const Comm& comm, const std::filesystem::path& path, Mode mode, std::size_t user_block);

  /// Rows [first, first + mine.size()) of so many in all.
  template <class Value>
  void write(const std::string& name, std::span<const Value> mine, std::int64_t first, std::int64_t all)
  {
    using V = Hdf5Value<Value>;
    write_rows(name, hdf5_type<typename V::Number>(), mine.data(), mine.size(), V::count, first, all);
  }
  template <class Value>
  std::vector<Value> read(const std::string& name, std::int64_t first, std::int64_t count)
  {
    using V = Hdf5Value<Value>;
    std::vector<Value> rows(static_cast<std::size_t>(count));
    read_rows(name, hdf5_type<typename V::Number>(), rows.data(), rows.size(), V::count, first);
    return rows;
  }
  /// Number of rows; -1 if there is no such column.
  std::int64_t rows(const std::string& name);

  /// Brings everything to the file.
  void close();
  /// Throws Error on every rank if anything failed on any: bad_input for a file that is read, else simulation_failed.
  void throw_if_failed() const;

private:
  void write_rows(const std::string& name, hid_t type, const void* data, std::size_t rows, std::size_t components,
                  std::int64_t first, std::int64_t all);
  void read_rows(const std::string& name, hid_t type, void* data, std::size_t rows, std::size_t components,
                 std::int64_t first);
  template <class Transfer>
  void in_chunks(bool ready, std::size_t rows, std::size_t row_bytes, const Transfer& transfer) const;
  std::int64_t rows_seen(const std::string& name) const;
  void note(bool ok, const std::string& what);
  std::string problem() const;

  Comm comm_;
  std::string path_;
  ExitStatus status_;  // of what fails here
  Hdf5Handle file_, transfer_;
  std::string failed_;
};

}  // namespace sunder::io
