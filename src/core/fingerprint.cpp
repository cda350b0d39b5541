#include "core/fingerprint.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/hash.hpp"
#include "core/host_name.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace sunder {
namespace {

#if defined(__AVX512F__)
constexpr int vector_bits = 512;
#elif defined(__AVX__)
constexpr int vector_bits = 256;
#else
constexpr int vector_bits = 128;
#endif

/// Of the note in which the linker has put a hash of all it linked; empty if it has not.
std::string build_id(const dl_phdr_info& object)
{
  for (int k = 0; k < object.dlpi_phnum; ++k) {
    const ElfW(Phdr)& header = object.dlpi_phdr[k];
    if (header.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + header.p_vaddr);
    const char* const end = at + header.p_memsz;
    const std::size_t align = header.p_align == 8 ? 8 : 4;
    const auto rounded = [align](std::size_t n) { return (n + align - 1) / align * align; };
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof(note));
      const char* const name = at + sizeof(note);
      const char* const value = at + rounded(sizeof(note) + note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        std::string text;
        for (std::size_t i = 0; i < note.n_descsz; ++i)
          text += fmt::format("{:02x}", static_cast<unsigned char>(value[i]));
        return text;
      }
      at = value + rounded(note.n_descsz);
    }
  }
  return {};
}

struct Builds {
  std::string program, library;
  bool first = true;
};

/// The program comes first; what its functions are from has a name of its own.
int note_build(dl_phdr_info* object, std::size_t, void* into)
{
  Builds& builds = *static_cast<Builds*>(into);
  if (std::exchange(builds.first, false)) builds.program = build_id(*object);
  const std::string_view path = object->dlpi_name;
  if (path.substr(path.rfind('/') + 1).starts_with("libm.so")) builds.library = build_id(*object);
  return 0;
}

/// Of many results of each function: variants differ in the last bit of one in some thousands.
std::uint64_t bits_of_functions()
{
  using Function = double (*)(double);
  constexpr std::array<Function, 8> functions{std::exp, std::log,  std::sin,  std::cos,
                                              std::tan, std::atan, std::acos, std::cbrt};
  std::uint64_t hash = 0;
  constexpr int arguments = 4096;
  for (std::uint64_t k = 0; k < arguments; ++k) {
    const double x = static_cast<double>(mix(k) >> 11) * 0x1p-53;  // in [0, 1)
    for (const Function f : functions) hash = combine(hash, f(x + 0x1p-60));
    hash = combine(hash, std::pow(1 + x, 3.7)), hash = combine(hash, std::atan2(x, 0.3)),
    hash = combine(hash, std::sin(40 * x));
  }
  volatile double least = std::numeric_limits<double>::min();  // is a subnormal number one, or zero?
  return combine(hash, least / 8);
}

/// Collective. A line for each group of ranks that are alike, of the lowest rank in it; the first few of them.
std::string groups(const Comm& comm, std::uint64_t hash, const std::string& mine)
{
  constexpr int most = 5;
  std::string lines;
  std::int64_t named = 0;  // ranks
  bool told = false;       // is this rank in one of them?
  for (int group = 0; group < most && named < comm.size(); ++group) {
    const auto leader = static_cast<Rank>(-comm.max(told ? -std::int64_t{comm.size()} : -std::int64_t{comm.rank()}));
    std::string theirs = mine, where = host_name(), key = std::to_string(hash);
    for (std::string* text : {&theirs, &where, &key}) comm.broadcast(*text, leader);
    const bool alike = !told && key == std::to_string(hash);
    told = told || alike;
    const std::int64_t count = comm.sum(std::int64_t{alike});
    named += count;
    lines += fmt::format("{}rank {} on {}", lines.empty() ? "" : "; ", leader, where);
    if (count > 1) lines += fmt::format(" and {} more", count - 1);
    lines += " with " + theirs;
  }
  if (named < comm.size()) lines += fmt::format("; {} ranks more", comm.size() - named);
  return lines;
}

}  // namespace

std::string fingerprint()
{
  static const std::string text = [] {
    Builds builds;
    dl_iterate_phdr(note_build, &builds);
    const auto short_of = [](const std::string& id) { return id.empty() ? "unknown" : id.substr(0, 16); };
    return fmt::format("program:{} libm:{} results:{:016x} vectors:{}", short_of(builds.program),
                       short_of(builds.library), bits_of_functions(), vector_bits);
  }();
  return text;
}

void refuse_unlike_nodes(const Comm& comm)
{
  std::string mine = fingerprint();
  if (fault_point(FaultKind::fingerprint, "fingerprint")) mine += " (faked)";
  std::uint64_t hash = 0;
  for (const char c : mine) hash = combine(hash, static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  const auto word = static_cast<std::int64_t>(hash);
  if (comm.max(word) == ~comm.max(~word)) return;
  throw AgreedError("expected nodes that compute alike, found some that do not, and would not get the same bits: " +
                    groups(comm, hash, mine));
}

}  // namespace sunder
