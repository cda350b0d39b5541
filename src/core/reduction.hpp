#pragma once
/// Sums and maxima of many numbers over all ranks, in one collective.

#include "core/comm.hpp"

#include <vector>

namespace sunder {

/// A set of numbers that ranks reduce in one call. Each is overwritten by its sum or maximum over ranks.
///
///   Reduction all;
///   all.sum(nodes, mass), all.max(seconds);
///   all.over(comm);
///
/// Every rank must name the same kinds of numbers in the same order. All ranks get the same bits. Sums of doubles are
/// rounded in an order that depends on the number of ranks; use core/reproducible_sum.hpp where that must not be.
class Reduction {
public:
  /// Local. x: double, std::int64_t, std::uint64_t (summed modulo 2^64) or Vec3. They must stay at their addresses
  /// until over() has returned.
  template <class... T>
  void sum(T&... x)
  {
    (add_sum(x), ...);
  }
  /// Local. x: double or std::int64_t, likewise.
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
    void* number;  // 8 bytes
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
