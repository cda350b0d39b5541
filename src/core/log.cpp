#include "core/log.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <memory>
#include <vector>

namespace sunder {
namespace {

/// What is said before there is a file; nothing once there is one.
std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt>& kept()
{
  constexpr std::size_t most_messages = 1000;
  static auto sink = std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(most_messages);
  return sink;
}

spdlog::logger& logger()
{
  static spdlog::logger instance("sunder", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  return instance;
}

}  // namespace

void set_up_log(bool speak, bool quiet)
{
  auto& l = logger();
  l.set_pattern("%^%l%$: %v");
  if (speak && kept()) l.sinks().push_back(kept());
  l.set_level(speak ? spdlog::level::debug : spdlog::level::off);
  for (const auto& sink : l.sinks()) sink->set_level(quiet ? spdlog::level::warn : spdlog::level::info);
  if (kept()) kept()->set_level(spdlog::level::debug);
}

void log_to_file(const std::string& path, bool append)
{
  std::shared_ptr<spdlog::sinks::sink> sink;
  try {
    if (fault_point(FaultKind::file, "log.txt: open")) throw spdlog::spdlog_ex("no space left", errno);
    sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path, !append);
  } catch (const spdlog::spdlog_ex& error) {
    throw Error(path + ": cannot open the log: " + error.what());
  }
  sink->set_pattern("%Y-%m-%d %H:%M:%S %l: %v");
  auto& sinks = logger().sinks();
  if (kept()) {
    for (const auto& message : kept()->last_raw()) sink->log(message);
    std::erase(sinks, kept());
    kept().reset();
  }
  sinks.push_back(sink);
  logger().flush_on(spdlog::level::debug);
}

void log_last(const std::string& message)
{
  logger().set_pattern("%^%l%$: %v");  // it may be before set_up_log()
  logger().set_level(spdlog::level::info);
  logger().error(message);
  logger().flush();
}

void log(LogLevel level, const std::string& message)
{
  switch (level) {
    case LogLevel::debug:
      logger().debug(message);
      break;
    case LogLevel::info:
      logger().info(message);
      break;
    case LogLevel::warning:
      logger().warn(message);
      break;
    case LogLevel::error:
      logger().error(message);
      break;
  }
}

}  // namespace sunder
