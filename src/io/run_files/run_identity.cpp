#include "io/run_files/run_identity.hpp"

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/whole_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>
#include <random>

namespace sunder::io {
namespace {

using Json = nlohmann::ordered_json;

std::filesystem::path path_in(const std::filesystem::path& folder)
{
  return folder / "run.json";
}

}  // namespace

std::string utc_now()
{
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

RunIdentity new_run(const std::string& name, const std::string& version)
{
  std::random_device random;
  RunIdentity identity;
  for (int k = 0; k < 4; ++k) identity.run += fmt::format("{:08x}", random());
  identity.name = name, identity.begun = utc_now(), identity.version = version;
  return identity;
}

std::optional<RunIdentity> read_identity(const std::filesystem::path& folder)
{
  const auto text = read_if_there(path_in(folder), "the identity of a run");
  if (!text) return {};
  try {
    const Json json = Json::parse(*text);
    RunIdentity identity;
    json.at("run").get_to(identity.run), json.at("name").get_to(identity.name);
    json.at("begun").get_to(identity.begun), json.at("version").get_to(identity.version);
    if (json.contains("parent"))
      identity.parent = {json.at("parent").at("run").get<std::string>(),
                         json.at("parent").at("step").get<std::int64_t>()};
    return identity;
  } catch (const nlohmann::json::exception&) {
    throw Error(
        fmt::format("{}: expected the identity of a run as sunder writes it, found something else; choose another "
                    "folder (-o), or move this file away",
                    path_in(folder).string()));
  }
}

void write_identity(const std::filesystem::path& folder, const RunIdentity& identity)
{
  Json json{{"run", identity.run}, {"name", identity.name}, {"begun", identity.begun}, {"version", identity.version}};
  if (identity.parent) json["parent"] = {{"run", identity.parent->run}, {"step", identity.parent->step}};
  write_atomically(path_in(folder), json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

}  // namespace sunder::io
