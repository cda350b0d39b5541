#include "commands/commands.hpp"
#include "config/materials.hpp"
#include "config/schema.hpp"

#include <fmt/format.h>

namespace sunder::commands {

void print_schema(const Comm& comm, bool markdown)
{
  if (comm.rank() == 0) fmt::print("{}", markdown ? config::schema_markdown() : config::schema_text());
}

void print_materials(const Comm& comm)
{
  if (comm.rank() == 0) fmt::print("{}", config::materials_text());
}

}  // namespace sunder::commands
