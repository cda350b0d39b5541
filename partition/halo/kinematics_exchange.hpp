#pragma once
/// Sends positions and velocities of nodes from their owners to the ranks that have copies, once a step, by persistent
/// requests.

#include "core/comm.hpp"
#include "core/types.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

/// A rank that this one exchanges nodes with.
struct Neighbour {
  Rank rank = 0;
  std::vector<LocalIndex> mirrors;  ///< Our nodes it has copies of, ascending by id.
  std::vector<LocalIndex> ghosts;   ///< Where our copies of its nodes are, ascending by id.
};

class KinematicsExchange {
public:
  /// Local. tag: must differ from the tags of all other exchanges on the communicator. with_scalar: sends p.w too.
  KinematicsExchange(const Comm& comm, int tag, bool with_scalar = false)
    : comm_(comm), tag_(tag), with_scalar_(with_scalar)
  {
  }
  KinematicsExchange(const KinematicsExchange&) = delete;
  KinematicsExchange& operator=(const KinematicsExchange&) = delete;
  ~KinematicsExchange();

  /// Local. Makes the requests. Entry by entry, my ghosts from b must be b's mirrors for me.
  void set(std::span<const Neighbour> neighbours);
  std::int64_t bytes() const noexcept { return bytes_; }  ///< Local. Sent by this rank an exchange.

  /// Collective on neighbours. start() sends from_p and from_v of mirrors; finish() waits and writes what came to to_p
  /// and to_v of ghosts. neighbours: those given to set().
  void start(std::span<const Neighbour> neighbours, std::span<const Row4> from_p, std::span<const Row4> from_v);
  void finish(std::span<const Neighbour> neighbours, std::span<Row4> to_p, std::span<Row4> to_v);

private:
  void free_requests();

  Comm comm_;
  int tag_;
  bool with_scalar_;
  std::vector<std::vector<double>> outgoing_, incoming_;
  std::vector<MPI_Request> requests_;  // sends, then receives
  std::int64_t bytes_ = 0;
};

}  // namespace sunder::partition
