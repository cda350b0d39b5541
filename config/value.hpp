#pragma once
/// A YAML document as a tree in which each value has its place in the file. Only value.cpp uses yaml-cpp; the other
/// files of this room read and write these trees. Local.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::config {

/// A line and column of a file, or (line 0) one --set of the command line.
/// What an override's origin begins with.
inline constexpr std::string_view command_line_option = "--set ";

struct Place {
  std::shared_ptr<const std::string> origin;
  int line = 0, column = 0;

  std::string text() const;  ///< "wall.yaml:14:16" or "--set time.end=1".
  bool on_command_line() const;
};

struct Value {
  enum class Kind { null, scalar, list, mapping };

  Kind kind = Kind::null;
  std::string text;          ///< Of a scalar.
  bool quoted = false;       ///< A scalar in quotes is text, whatever it looks like.
  std::vector<Value> items;  ///< Of a list or mapping, in the order written.
  Place place;
  std::string key;  ///< Within the mapping that holds this value; no two are equal.
  Place key_place;

  bool is_null() const noexcept { return kind == Kind::null; }
  bool is_scalar() const noexcept { return kind == Kind::scalar; }
  bool is_list() const noexcept { return kind == Kind::list; }
  bool is_mapping() const noexcept { return kind == Kind::mapping; }

  const Value* find(std::string_view name) const;  ///< Item of a mapping; nullptr if there is none.
  Value* find(std::string_view name);
  /// Adds an item to a mapping and returns it.
  Value& add(std::string_view name, Value item);
};

Value make_scalar(std::string text, bool quoted = false);
Value make_list(std::vector<Value> items = {});
Value make_mapping();

/// The text with ? for control characters, so that a message stays one line.
std::string printable(std::string text);

/// How a message describes a value that was found: "'0.5x'", "a list", "nothing". Short, without control characters.
std::string description(const Value& value);

/// Bounds of what is read, so that no text exhausts memory or the stack.
inline constexpr std::size_t most_bytes = std::size_t{8} << 20;
inline constexpr std::size_t most_values = 200'000;  ///< An alias counts with all values it stands for.
inline constexpr int most_nesting = 64;

/// Parses a YAML text with one document; Kind::null if it is empty. origin: the name of the text in messages.
/// Throws Error on bad syntax, a key given twice, a key that is no scalar, or when a bound above is passed.
Value parse_yaml(const std::string& text, const std::string& origin);
/// Parses the value of a --set. The place of every value in it is the --set itself.
Value parse_override_value(const std::string& text, const std::string& origin);

/// YAML text in block style; lists of scalars in one line. parse_yaml() reads the same tree back.
std::string yaml_text(const Value& value);
/// In one line, as a user would write it.
std::string inline_text(const Value& value);

}  // namespace sunder::config
