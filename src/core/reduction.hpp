#pragma once
/// Sums and maxima of many numbers over all ranks, in one collective.

#include "core/comm.hpp"

#include <vector>

namespace sunder {

/// Numbers of several kinds that ranks reduce together: each is overwritten by its sum or maximum over ranks.
///
///   Reduction all;
///   all.sum(nodes, mass), all.max(seconds);
///   all.over(comm);
///
/// Every rank names the same kinds of numbers in the same order. Sums of doubles are rounded in an order that depends
/// on the number of ranks (core/reproducible_sum.hpp is for those that must not); all ranks get the same bits.
class Reduction {
public:
  /// Local. Any of double, std::int64_t, std::uint64_t (modulo 2^64) and Vec3. They must stay where they are until
  /// over() has returned.
  template <class... T>
  void sum(T&... x)
  {
    (add_sum(x), ...);
  }
  /// Local. Any of double and std::int64_t.
  template <class... T>
  void max(T&... x)
  {
    (add_max(x), ...);
  }

  /// Collective on comm: one MPI_Allreduce.
  void over(const Comm& comm) const;

private:
  enum class Kind : std::int64_t { sum_of_doubles, sum_of_integers, max_of_doubles, max_of_integers };
  struct Term {
    Kind kind;
    void* number;  // 8 bytes of it
  };
  struct Entry;  // of a message
  static void combine(void* in, void* in_out, int* count, MPI_Datatype* type);

  void add_sum(double& x) { terms_.push_back({Kind::sum_of_doubles, &x}); }
  void add_sum(std::int64_t& x) { terms_.push_back({Kind::sum_of_integers, &x}); }
  void add_sum(std::uint64_t& x) { terms_.push_back({Kind::sum_of_integers, &x}); }
  void add_sum(Vec3& x) { sum(x.x(), x.y(), x.z()); }
  void add_max(double& x) { terms_.push_back({Kind::max_of_doubles, &x}); }
  void add_max(std::int64_t& x) { terms_.push_back({Kind::max_of_integers, &x}); }

  std::vector<Term> terms_;
};

}  // namespace sunder
