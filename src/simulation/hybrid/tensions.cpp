#include "simulation/hybrid/tensions.hpp"

#include "core/bytes.hpp"

#include <algorithm>
#include <utility>

namespace sunder::simulation {

bool Tension::operator<(const Tension& other) const
{
  return excess != other.excess ? excess > other.excess : element < other.element;
}

bool Tensions::Candidate::operator<(const Candidate& other) const
{
  if (excess != other.excess || !tension || !other.tension)
    return std::pair(excess, !tension) < std::pair(other.excess, !other.tension);
  return *other.tension < *tension;
}

Tensions::Tensions(std::vector<Candidate> candidates, std::function<Tension(LocalIndex)> tension_of)
  : heap_(std::move(candidates)), tension_of_(std::move(tension_of))
{
  std::make_heap(heap_.begin(), heap_.end());
}

std::optional<Tension> Tensions::next()
{
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    Candidate& c = heap_.back();
    if (c.tension) {
      const Tension first = *c.tension;
      heap_.pop_back();
      return first;
    }
    c.tension = tension_of_(c.e), c.excess = c.tension->excess;
    std::push_heap(heap_.begin(), heap_.end());
  }
  return std::nullopt;
}

std::optional<Tension> first_of_all(const Comm& comm, const std::optional<Tension>& mine)
{
  Bytes out;
  if (mine) put(out, *mine);
  std::optional<Tension> first;
  const Bytes gathered = gather_on_all(comm, out);
  for (ByteReader in(gathered); !in.done();)
    if (const auto tension = in.get<Tension>(); !first || tension < *first) first = tension;
  return first;
}

}  // namespace sunder::simulation
