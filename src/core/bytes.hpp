#pragma once
/// Writes trivially copyable values to message buffers and reads them back. Local.

#include "core/error.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace sunder {

using Bytes = std::vector<std::byte>;

template <class T>
requires std::is_trivially_copyable_v<T>
void put(Bytes& out, const T& value)
{
  const std::size_t at = out.size();
  out.resize(at + sizeof(T));
  std::memcpy(out.data() + at, &value, sizeof(T));
}

template <class T>
requires std::is_trivially_copyable_v<T>
void put(Bytes& out, const std::vector<T>& values)
{
  put(out, values.size());
  const std::size_t at = out.size(), size = values.size() * sizeof(T);
  out.resize(at + size);
  if (size > 0) std::memcpy(out.data() + at, values.data(), size);
}

/// Reads what put() wrote, in the same order.
class ByteReader {
public:
  explicit ByteReader(const Bytes& bytes) : bytes_(bytes) {}
  bool done() const noexcept { return at_ == bytes_.size(); }

  template <class T>
  requires std::is_trivially_copyable_v<T> T get()
  {
    SUNDER_ASSERT(at_ + sizeof(T) <= bytes_.size());
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  template <class T>
  requires std::is_trivially_copyable_v<T> std::vector<T> get_vector()
  {
    std::vector<T> values(get<std::size_t>());
    const std::size_t size = values.size() * sizeof(T);
    SUNDER_ASSERT(at_ + size <= bytes_.size());
    if (size > 0) std::memcpy(values.data(), bytes_.data() + at_, size);
    at_ += size;
    return values;
  }

private:
  const Bytes& bytes_;
  std::size_t at_ = 0;
};

}  // namespace sunder
