#pragma once
/// Reading that every rank does for itself, and that fails on all of them or none.

#include "core/comm.hpp"
#include "core/error.hpp"

namespace sunder::io {

/// Collective. An Error that `read` throws on some rank is thrown on all: that of the lowest rank, whose share comes
/// first in the file.
template <class Read>
void on_each_rank(const Comm& comm, Read&& read)
{
  std::optional<std::string> problem;
  try {
    read();
  } catch (const Error& error) {
    problem = error.what();
  }
  throw_on_all(comm, problem);
}

}  // namespace sunder::io
