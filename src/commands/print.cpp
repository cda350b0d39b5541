#include "commands/commands.hpp"
#include "config/materials.hpp"
#include "config/schema.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace sunder::commands {

void print_schema(const Comm& comm, bool markdown)
{
  if (comm.rank() == 0) std::fputs((markdown ? config::schema_markdown() : config::schema_text()).c_str(), stdout);
}

void print_materials(const Comm& comm)
{
  if (comm.rank() == 0) std::fputs(config::materials_text().c_str(), stdout);
}

void finish_printing(const Comm& comm)
{
  const auto finish = [] {
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error(fmt::format("standard output: cannot write all of it: {}", std::strerror(errno)));
  };
  on_rank_0(comm, finish, ExitStatus::simulation_failed);
}

}  // namespace sunder::commands
