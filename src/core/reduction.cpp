#include "core/reduction.hpp"

#include "core/blocking.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sunder {

/// The kind travels with the number, so that one operation serves any list of them.
struct Reduction::Entry {
  Kind kind;
  std::uint64_t bits;
};

void Reduction::combine(void* in, void* in_out, int* count, MPI_Datatype*)
{
  const auto* a = static_cast<const Entry*>(in);
  auto* b = static_cast<Entry*>(in_out);
  const auto number = [](std::uint64_t bits) { return std::bit_cast<double>(bits); };
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (int k = 0; k < *count; ++k, ++a, ++b) {
    SUNDER_ASSERT(a->kind == b->kind);
    switch (b->kind) {
      case Kind::sum_of_doubles:
        b->bits = bits(number(a->bits) + number(b->bits));
        break;
      case Kind::sum_of_integers:
        b->bits += a->bits;
        break;
      case Kind::max_of_doubles:
        b->bits = bits(std::max(number(a->bits), number(b->bits)));
        break;
      case Kind::max_of_integers:
        b->bits = static_cast<std::uint64_t>(
            std::max(static_cast<std::int64_t>(a->bits), static_cast<std::int64_t>(b->bits)));
        break;
    }
  }
}

void Reduction::over(const Comm& comm) const
{
  std::vector<Entry> entries;
  for (const Term& term : terms_) {
    Entry& entry = entries.emplace_back(Entry{term.kind, 0});
    std::memcpy(&entry.bits, term.number, sizeof(entry.bits));
  }
  MPI_Datatype type;
  MPI_Op op;
  mpi_check(MPI_Type_contiguous(sizeof(Entry), MPI_BYTE, &type), "MPI_Type_contiguous");
  mpi_check(MPI_Type_commit(&type), "MPI_Type_commit");
  mpi_check(MPI_Op_create(&Reduction::combine, 1, &op), "MPI_Op_create");
  blocking::all_reduce(entries.data(), static_cast<int>(entries.size()), type, op, comm.mpi());
  mpi_check(MPI_Op_free(&op), "MPI_Op_free");
  mpi_check(MPI_Type_free(&type), "MPI_Type_free");
  for (std::size_t k = 0; k < terms_.size(); ++k)
    std::memcpy(terms_[k].number, &entries[k].bits, sizeof(entries[k].bits));
}

}  // namespace sunder
