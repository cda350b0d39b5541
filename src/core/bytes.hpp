#pragma once
/// Plain values in and out of message buffers. Local.

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
void put(Bytes& out, const std::vector<T>& values)
{
  put(out, values.size());
  for (const T& v : values) put(out, v);
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
  std::vector<T> get_vector()
  {
    std::vector<T> values(get<std::size_t>());
    for (T& v : values) v = get<T>();
    return values;
  }

private:
  const Bytes& bytes_;
  std::size_t at_ = 0;
};

}  // namespace sunder
