#include "simulation/stepping/step_reduction.hpp"

#include "core/blocking.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace sunder::simulation {

void StepReduction::set_step_ratio(double ratio)
{
  for (std::size_t k = 0; k < num_ratios; ++k) values_[num_flags + k] = ratio > std::exp2(k);
}

int StepReduction::halvings() const
{
  const auto ratios = std::span(values_).subspan(num_flags, num_ratios);
  return static_cast<int>(std::count_if(ratios.begin(), ratios.end(), [](auto ranks) { return ranks > 0; }));
}

void StepReduction::start(const Comm& comm, const contact::Resultants& resultants)
{
  resultants.append_digits(values_);
  mpi_check(MPI_Iallreduce(MPI_IN_PLACE, values_.data(), static_cast<int>(values_.size()), MPI_INT64_T, MPI_SUM,
                           comm.mpi(), &request_),
            "MPI_Iallreduce");
}

void StepReduction::finish(contact::Resultants& resultants)
{
  blocking::wait(request_);
  resultants.take_digits(std::span(values_).subspan(num_flags + num_ratios));
}

}  // namespace sunder::simulation
