#include "partition/halo/kinematics_exchange.hpp"

#include "core/blocking.hpp"

namespace sunder::partition {
KinematicsExchange::~KinematicsExchange()
{
  free_requests();
}

void KinematicsExchange::free_requests()
{
  for (MPI_Request& r : requests_) MPI_Request_free(&r);
  requests_.clear();
}

void KinematicsExchange::set(std::span<const Neighbour> neighbours)
{
  free_requests();
  const std::size_t n = neighbours.size(), values_per_node = with_scalar_ ? 7 : 6;
  outgoing_.resize(n), incoming_.resize(n), requests_.resize(2 * n);
  bytes_ = 0;
  for (std::size_t k = 0; k < n; ++k) {
    outgoing_[k].resize(values_per_node * neighbours[k].mirrors.size());
    incoming_[k].resize(values_per_node * neighbours[k].ghosts.size());
    bytes_ += static_cast<std::int64_t>(outgoing_[k].size() * sizeof(double));
    const Rank peer = neighbours[k].rank;
    mpi_check(MPI_Send_init(outgoing_[k].data(), static_cast<int>(outgoing_[k].size()), MPI_DOUBLE, peer, tag_,
                            comm_.mpi(), &requests_[k]),
              "MPI_Send_init");
    mpi_check(MPI_Recv_init(incoming_[k].data(), static_cast<int>(incoming_[k].size()), MPI_DOUBLE, peer, tag_,
                            comm_.mpi(), &requests_[n + k]),
              "MPI_Recv_init");
  }
}

void KinematicsExchange::start(std::span<const Neighbour> neighbours, std::span<const Row4> from_p,
                               std::span<const Row4> from_v)
{
  if (requests_.empty()) return;
  const std::size_t n = neighbours.size();
  mpi_check(MPI_Startall(static_cast<int>(n), requests_.data() + n), "MPI_Startall");
  for (std::size_t k = 0; k < n; ++k) {
    double* out = outgoing_[k].data();
    for (const LocalIndex m : neighbours[k].mirrors) {
      const Row4 &a = from_p[static_cast<std::size_t>(m)], &b = from_v[static_cast<std::size_t>(m)];
      *out++ = a.x, *out++ = a.y, *out++ = a.z, *out++ = b.x, *out++ = b.y, *out++ = b.z;
      if (with_scalar_) *out++ = a.w;
    }
  }
  mpi_check(MPI_Startall(static_cast<int>(n), requests_.data()), "MPI_Startall");
}

void KinematicsExchange::finish(std::span<const Neighbour> neighbours, std::span<Row4> to_p, std::span<Row4> to_v)
{
  if (requests_.empty()) return;
  blocking::wait_all(requests_);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    const double* in = incoming_[k].data();
    for (const LocalIndex g : neighbours[k].ghosts) {
      Row4 &a = to_p[static_cast<std::size_t>(g)], &b = to_v[static_cast<std::size_t>(g)];
      a.x = *in++, a.y = *in++, a.z = *in++, b.x = *in++, b.y = *in++, b.z = *in++;
      if (with_scalar_) a.w = *in++;
    }
  }
}

}  // namespace sunder::partition
