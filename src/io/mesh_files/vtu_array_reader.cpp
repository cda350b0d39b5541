#include "io/mesh_files/vtu_array_reader.hpp"

#include "core/error.hpp"
#include "io/files/number_at.hpp"
#include "io/files/vtk_failure.hpp"

#include <fmt/format.h>
#include <vtkLZ4DataCompressor.h>
#include <vtkNew.h>
#include <vtkZLibDataCompressor.h>

#include <algorithm>

namespace sunder::io {
namespace {

template <class T, class Stored>
void convert(const std::string& bytes, bool swapped, std::vector<T>& values)
{
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Stored))
    values.push_back(static_cast<T>(number_at<Stored>(bytes.data() + at, swapped)));
}

}  // namespace

VtuArrayReader::VtuArrayReader(FileWindow& file, const VtuPiece& piece, const VtuArray& array)
  : file_(file), piece_(piece), array_(array)
{
  if (array && piece.compressor != VtuCompressor::none) read_table();
}

void VtuArrayReader::fail(const char* what) const
{
  throw Error(fmt::format("{}: expected {} of an array at byte {}, got another", piece_.file, what, array_.at));
}

std::uint64_t VtuArrayReader::number(std::uint64_t at)
{
  const std::string_view raw = file_.view(at, piece_.wide ? 8 : 4);
  if (raw.size() < (piece_.wide ? 8u : 4u)) fail("a table of blocks");
  return piece_.wide ? number_at<std::uint64_t>(raw.data(), piece_.swapped)
                     : number_at<std::uint32_t>(raw.data(), piece_.swapped);
}

void VtuArrayReader::read_table()
{
  const std::uint64_t count_size = piece_.wide ? 8 : 4, blocks = number(array_.at);
  block_size_ = blocks > 0 ? number(array_.at + count_size) : 0;
  begin_.push_back(array_.at + (3 + blocks) * count_size);
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t size = number(array_.at + (3 + b) * count_size);
    if (size > file_.size() - std::min(begin_.back(), file_.size())) fail("compressed blocks within the file");
    begin_.push_back(begin_.back() + size);
  }
}

void VtuArrayReader::unpack(std::size_t block)
{
  if (block == unpacked_block_) return;
  const std::uint64_t begin = block * block_size_, size = std::min(block_size_, array_.bytes() - begin);
  if (block + 1 >= begin_.size()) fail("as many blocks as it has values for");
  const std::string_view packed =
      file_.view(begin_[block], static_cast<std::size_t>(begin_[block + 1] - begin_[block]));
  constexpr std::uint64_t greatest_ratio = 1032;  // of bytes that deflate makes of one
  if (size > (packed.size() + 16) * greatest_ratio) fail("blocks of a size that their bytes can have");
  unpacked_.resize(static_cast<std::size_t>(size));
  const VtkErrors errors;
  const auto* from = reinterpret_cast<const unsigned char*>(packed.data());
  auto* to = reinterpret_cast<unsigned char*>(unpacked_.data());
  std::size_t made = 0;
  if (piece_.compressor == VtuCompressor::zlib)
    made = vtkNew<vtkZLibDataCompressor>()->Uncompress(from, packed.size(), to, unpacked_.size());
  else
    made = vtkNew<vtkLZ4DataCompressor>()->Uncompress(from, packed.size(), to, unpacked_.size());
  if (made != unpacked_.size()) fail("sound compressed blocks");
  unpacked_block_ = block;
}

std::string VtuArrayReader::bytes(std::uint64_t first, std::uint64_t count)
{
  if (piece_.compressor == VtuCompressor::none) {
    std::string found(file_.view(array_.at + first, static_cast<std::size_t>(count)));
    if (found.size() < count) throw Error(fmt::format("{}: cannot be read to its end", piece_.file));
    return found;
  }
  std::string found;
  found.reserve(static_cast<std::size_t>(count));
  while (count > 0) {
    unpack(static_cast<std::size_t>(first / block_size_));
    const auto at = static_cast<std::size_t>(first % block_size_);
    const std::size_t some = static_cast<std::size_t>(std::min<std::uint64_t>(count, unpacked_.size() - at));
    found.append(unpacked_, at, some);
    first += some, count -= some;
  }
  return found;
}

template <class T>
std::vector<T> VtuArrayReader::read(std::uint64_t first, std::uint64_t count)
{
  const std::uint64_t size = size_of(array_.type);
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(count));
  const std::string raw = bytes(first * size, count * size);
  const bool swapped = piece_.swapped;
  switch (array_.type) {
    case VtuType::none:
      break;
    case VtuType::i8:
      return convert<T, std::int8_t>(raw, swapped, values), values;
    case VtuType::u8:
      return convert<T, std::uint8_t>(raw, swapped, values), values;
    case VtuType::i16:
      return convert<T, std::int16_t>(raw, swapped, values), values;
    case VtuType::u16:
      return convert<T, std::uint16_t>(raw, swapped, values), values;
    case VtuType::i32:
      return convert<T, std::int32_t>(raw, swapped, values), values;
    case VtuType::u32:
      return convert<T, std::uint32_t>(raw, swapped, values), values;
    case VtuType::i64:
      return convert<T, std::int64_t>(raw, swapped, values), values;
    case VtuType::u64:
      return convert<T, std::uint64_t>(raw, swapped, values), values;
    case VtuType::f32:
      return convert<T, float>(raw, swapped, values), values;
    case VtuType::f64:
      return convert<T, double>(raw, swapped, values), values;
  }
  return values;
}

template std::vector<std::int64_t> VtuArrayReader::read(std::uint64_t, std::uint64_t);
template std::vector<double> VtuArrayReader::read(std::uint64_t, std::uint64_t);

}  // namespace sunder::io
