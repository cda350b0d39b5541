#include "partition/halo.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace sunder::partition {
namespace {

constexpr int halo_tag = 70;
constexpr int values_per_node = 6;

void sort_unique_by_id(std::vector<LocalIndex>& nodes, const mesh::TetMesh& mesh)
{
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::sort(nodes.begin(), nodes.end(),
            [&mesh](LocalIndex a, LocalIndex b) { return mesh.node(a).id < mesh.node(b).id; });
}

}  // namespace

Halo::Halo(const Comm& comm, const mesh::TetMesh& mesh) : comm_(comm)
{
  std::vector<LocalIndex> all(static_cast<std::size_t>(mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  rebuild(mesh, all);
}

Halo::~Halo()
{
  free_requests();
}

void Halo::free_requests()
{
  for (MPI_Request& r : requests_) MPI_Request_free(&r);
  requests_.clear();
}

void Halo::rebuild(const mesh::TetMesh& mesh, std::span<const LocalIndex> touched)
{
  border_.insert(border_.end(), touched.begin(), touched.end());
  std::sort(border_.begin(), border_.end());
  border_.erase(std::unique(border_.begin(), border_.end()), border_.end());
  std::erase_if(border_, [&mesh](LocalIndex e) { return !mesh.alive(e) || !mesh.on_border(e); });
  free_requests();
  derive(mesh);
  make_requests();
}

void Halo::derive(const mesh::TetMesh& mesh)
{
  std::map<Rank, Neighbour> by_rank;
  for (const LocalIndex e : border_) {
    const Tet& tet = mesh.tet(e);
    for (const LocalIndex q : tet) {
      const Rank owner = mesh.node(q).owner;
      if (owner != mesh.me()) {
        by_rank[owner].ghosts.push_back(q);
      } else {
        for (const LocalIndex other : tet)
          if (const Rank r = mesh.node(other).owner; r != owner) by_rank[r].mirrors.push_back(q);
      }
    }
  }
  neighbours_.clear(), peers_.clear(), bytes_ = 0;
  for (auto& [rank, neighbour] : by_rank) {
    neighbour.rank = rank;
    sort_unique_by_id(neighbour.mirrors, mesh);
    sort_unique_by_id(neighbour.ghosts, mesh);
    bytes_ += static_cast<std::int64_t>(neighbour.mirrors.size() * values_per_node * sizeof(double));
    peers_.push_back(rank);
    neighbours_.push_back(std::move(neighbour));
  }
}

void Halo::make_requests()
{
  const std::size_t n = neighbours_.size();
  outgoing_.resize(n), incoming_.resize(n), requests_.resize(2 * n);
  for (std::size_t k = 0; k < n; ++k) {
    outgoing_[k].resize(values_per_node * neighbours_[k].mirrors.size());
    incoming_[k].resize(values_per_node * neighbours_[k].ghosts.size());
    const Rank peer = neighbours_[k].rank;
    mpi_check(MPI_Send_init(outgoing_[k].data(), static_cast<int>(outgoing_[k].size()), MPI_DOUBLE, peer, halo_tag,
                            comm_.mpi(), &requests_[k]),
              "MPI_Send_init");
    mpi_check(MPI_Recv_init(incoming_[k].data(), static_cast<int>(incoming_[k].size()), MPI_DOUBLE, peer, halo_tag,
                            comm_.mpi(), &requests_[n + k]),
              "MPI_Recv_init");
  }
}

void Halo::owners_to_ghosts(std::span<Row4> p, std::span<Row4> v)
{
  if (requests_.empty()) return;
  const std::size_t n = neighbours_.size();
  mpi_check(MPI_Startall(static_cast<int>(n), requests_.data() + n), "MPI_Startall");
  for (std::size_t k = 0; k < n; ++k) {
    double* out = outgoing_[k].data();
    for (const LocalIndex m : neighbours_[k].mirrors) {
      const Row4 &a = p[static_cast<std::size_t>(m)], &b = v[static_cast<std::size_t>(m)];
      *out++ = a.x, *out++ = a.y, *out++ = a.z, *out++ = b.x, *out++ = b.y, *out++ = b.z;
    }
  }
  mpi_check(MPI_Startall(static_cast<int>(n), requests_.data()), "MPI_Startall");
  mpi_check(MPI_Waitall(static_cast<int>(2 * n), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  for (std::size_t k = 0; k < n; ++k) {
    const double* in = incoming_[k].data();
    for (const LocalIndex g : neighbours_[k].ghosts) {
      Row4 &a = p[static_cast<std::size_t>(g)], &b = v[static_cast<std::size_t>(g)];
      a.x = *in++, a.y = *in++, a.z = *in++, b.x = *in++, b.y = *in++, b.z = *in++;
    }
  }
}

}  // namespace sunder::partition
