/// What messages cost between two ranks: the network of a model of the step (docs/scaling.md).
///   mpirun -n 2 build/bin/network_bench --benchmark_out=network.json --benchmark_out_format=json
#include "partition/halo/kinematics_exchange.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

namespace {

using namespace sunder;

constexpr int trials = 20, repeats = 200;  // the same on both ranks: nobody waits for a message that is not sent

/// The fastest trial's mean: others were disturbed.
template <class Work>
void time_between_ranks(benchmark::State& state, const Work& work)
{
  for (auto _ : state) {
    double fastest = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < trials; ++trial) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      for (int k = 0; k < repeats; ++k) work();
      fastest = std::min(fastest, (MPI_Wtime() - begin) / repeats);
    }
    state.SetIterationTime(fastest);
  }
}

/// Both send at once, as neighbours do.
void both_ways(benchmark::State& state)
{
  const Comm comm;
  const Rank peer = 1 - comm.rank();
  std::vector<char> out(static_cast<std::size_t>(state.range(0))), in(out.size());
  const auto count = static_cast<int>(out.size());
  time_between_ranks(state, [&] {
    MPI_Sendrecv(out.data(), count, MPI_CHAR, peer, 0, in.data(), count, MPI_CHAR, peer, 0, comm.mpi(),
                 MPI_STATUS_IGNORE);
  });
  state.counters["bytes"] = static_cast<double>(count);
}

/// As many messages as if there were so many neighbours, each of some nodes' positions and velocities.
void motion_exchange(benchmark::State& state)
{
  const Comm comm;
  const auto messages = static_cast<std::size_t>(state.range(0)), nodes = static_cast<std::size_t>(state.range(1));
  std::vector<Row4> p(2 * messages * nodes), v(p.size());
  std::vector<partition::Neighbour> neighbours(messages);
  for (std::size_t k = 0; k < messages; ++k) {
    neighbours[k] = {1 - comm.rank(), std::vector<LocalIndex>(nodes), std::vector<LocalIndex>(nodes)};
    std::iota(neighbours[k].mirrors.begin(), neighbours[k].mirrors.end(), static_cast<LocalIndex>(2 * k * nodes));
    std::iota(neighbours[k].ghosts.begin(), neighbours[k].ghosts.end(), static_cast<LocalIndex>((2 * k + 1) * nodes));
  }
  partition::KinematicsExchange exchange(comm, 1);
  exchange.set(neighbours);
  time_between_ranks(state, [&] {
    exchange.start(neighbours, p, v);
    exchange.finish(neighbours, p, v);
  });
  state.counters["messages"] = static_cast<double>(messages);
  state.counters["bytes"] = static_cast<double>(exchange.bytes());
}

/// Of as many integers as a step without obstacles has to tell.
void allreduce(benchmark::State& state)
{
  std::vector<std::int64_t> values(static_cast<std::size_t>(state.range(0)));
  time_between_ranks(state, [&] {
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  state.counters["bytes"] = static_cast<double>(values.size() * sizeof(std::int64_t));
}

}  // namespace

BENCHMARK(both_ways)->RangeMultiplier(8)->Range(8, 1 << 21)->UseManualTime()->Iterations(1);
BENCHMARK(motion_exchange)
    ->ArgNames({"messages", "nodes"})
    ->ArgsProduct({{1, 7, 14, 26}, {1, 20, 200, 1000}})
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK(allreduce)->Arg(15)->UseManualTime()->Iterations(1);

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  const Comm comm;
  // The file of results is rank 0's.
  if (comm.rank() != 0)
    argc = static_cast<int>(
        std::remove_if(argv, argv + argc, [](std::string_view word) { return word.starts_with("--benchmark_out"); }) -
        argv);
  benchmark::Initialize(&argc, argv);
  struct Silent final : benchmark::BenchmarkReporter {
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
  } silent;
  if (comm.size() != 2)
    std::fprintf(stderr, "network_bench: expected 2 ranks, found %d\n", comm.size());
  else if (comm.rank() == 0)
    benchmark::RunSpecifiedBenchmarks();
  else
    benchmark::RunSpecifiedBenchmarks(&silent);
  MPI_Finalize();
  return comm.size() == 2 ? 0 : 2;
}
