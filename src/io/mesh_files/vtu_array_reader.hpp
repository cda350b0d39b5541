#pragma once
/// Some of the numbers of an array in a VTK file, without the others. Local.

#include "io/files/file_window.hpp"
#include "io/mesh_files/vtu_layout.hpp"

#include <vector>

namespace sunder::io {

class VtuArrayReader {
public:
  /// All outlive it.
  VtuArrayReader(FileWindow& file, const VtuPiece& piece, const VtuArray& array);

  /// Values [first, first + count), which the array must have, as T whatever they are stored as. Throws Error.
  template <class T>
  std::vector<T> read(std::uint64_t first, std::uint64_t count);

private:
  /// Bytes [first, first + count) of the array.
  std::string bytes(std::uint64_t first, std::uint64_t count);
  void read_table();
  void unpack(std::size_t block);
  std::uint64_t number(std::uint64_t at);
  [[noreturn]] void fail(const char* what) const;

  FileWindow& file_;
  const VtuPiece& piece_;
  const VtuArray& array_;
  std::vector<std::uint64_t> begin_;  // of each compressed block in the file, and the last one's end
  std::uint64_t block_size_ = 0;      // unpacked
  std::size_t unpacked_block_ = ~std::size_t{0};
  std::string unpacked_;
};

}  // namespace sunder::io
