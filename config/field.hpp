#pragma once
/// The entries of the tables of the schema. A field states key, type, unit, range and meaning once; from that the value
/// is read, checked, written and documented. Its default is that of the struct it fills. Local; what reads throws
/// Error.

#include "config/scene.hpp"
#include "config/scene_files.hpp"
#include "config/value.hpp"

#include <concepts>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sunder::config {

/// What the readers of values need besides the value itself.
struct Context {
  SceneFiles* files = nullptr;                              ///< Not null while a scene is read.
  std::string scene_name;                                   ///< If the scene does not give one itself.
  std::map<std::string, material::Material> own_materials;  ///< The scene's own, of its section `materials`.
  std::vector<material::Material> materials;  ///< Materials in use so far; a MaterialIndex is a position here.
  /// The library's materials; null while the library itself is read.
  const std::vector<material::Material>& (*library)() = nullptr;
};

struct Range {
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  bool above_min = false, below_max = false;  ///< true: the bound itself is not allowed.

  bool holds(double x) const noexcept;  ///< False for NaN.
  std::string text() const;             ///< "in [0, 1)", "> 0", "" if unbounded.
};
inline constexpr Range any_number{}, positive{.min = 0, .above_min = true}, not_negative{.min = 0},
    share{.min = 0, .max = 1};

/// Documentation of one key and of the keys below it.
struct KeyDoc {
  std::string key{};
  std::string type{};      ///< number, text, ...
  std::string unit{};      ///< Empty: no unit.
  std::string word{};      ///< A word that may stand there instead: auto, none, mapping.
  std::string range{};     ///< Empty: any.
  std::string fallback{};  ///< The default as a user would write it, or "required".
  std::string text{};
  std::vector<KeyDoc> keys{};
  bool is_list = false;           ///< A list of mappings with these keys.
  std::vector<KeyDoc> instead{};  ///< Keys of a mapping that may stand in place of the list.
  bool is_named = false;          ///< A mapping of NAMEs to mappings with these keys.
  std::string elsewhere{};        ///< Not empty: the keys below are documented under that path.
  std::string shorthand{};  ///< The key a bare value stands for, as in `toughness: 40` for `toughness: {force: 40}`.
};

/// What may stand there, such as "number in [0, 1] [rad] or auto".
std::string type_text(const KeyDoc& doc);

/// One key of a mapping that fills a T.
template <class T>
struct Field {
  KeyDoc doc;
  std::function<void(T&, const Value&, const std::string& path, Context&)> read;
  std::function<std::optional<Value>(const T&, const Context&)> write;  ///< Nothing: the key is left out.
};

/// The keys of a mapping that fills a T, and the conditions between them.
template <class T>
struct Table {
  std::vector<Field<T>> fields;
  std::function<void(T&, const Value&, const std::string& path, Context&)> check{};
};

/// Throws "PLACE: PATH: expected EXPECTED, got FOUND".
[[noreturn]] void refuse(const Place& place, const std::string& path, const std::string& expected,
                         const std::string& found);
[[noreturn]] void refuse(const Value& value, const std::string& path, const std::string& expected);

/// How the number of a field is checked, and the word that stands for a special value, if there is one.
struct NumberRule {
  std::string unit;
  Range range;
  std::string word{};
  double word_value = 0;

  std::string expected(const char* kind = "a number") const;  ///< "a number in [0, 1] [rad] or auto"
};
inline constexpr double unlimited = std::numeric_limits<double>::infinity();

double read_number(const Value& value, const std::string& path, const NumberRule& rule);
Value write_number(double x, const NumberRule& rule);
std::int64_t read_integer(const Value& value, const std::string& path, const NumberRule& rule);
Value write_integer(std::int64_t x, const NumberRule& rule);
bool read_flag(const Value& value, const std::string& path);
std::string read_text(const Value& value, const std::string& path);
std::string read_word(const Value& value, const std::string& path);  ///< Text that is not empty.
/// Can the text stand in a key path and in a message? It must be short, without dots and control characters, and not
/// only digits.
bool is_name(const std::string& text);
std::string read_name(const Value& value, const std::string& path);
/// former: names that are refused with the one that stands for them now.
using FormerNames = std::vector<std::pair<std::string, std::string>>;
std::string read_choice(const Value& value, const std::string& path, const std::vector<std::string>& names,
                        const FormerNames& former = {});
std::vector<std::string> read_choices(const Value& value, const std::string& path,
                                      const std::vector<std::string>& names);
Vec3 read_vector(const Value& value, const std::string& path, const std::string& unit);
/// The vector scaled to length 1. A vector that has this length, up to round-off, keeps its bits.
Vec3 read_direction(const Value& value, const std::string& path);
Value write_vector(const Vec3& v);
/// How a list's item is named in a key path: by its `name` if that is usable, else by number.
std::string item_path(const std::string& path, const Value& list, std::size_t index);
std::string key_path(const std::string& path, const std::string& key);
/// "FILE:LINE:COLUMN: PATH", as messages begin.
std::string message_key(const Value& value, const std::string& path);
/// Throws Error if value is no mapping, or has a key that is not in docs.
void check_keys(const Value& value, const std::string& path, const std::vector<std::string>& keys);
/// The item of value under one of these keys; null if there is none. Throws Error if there are several.
const Value* one_of(const Value& value, const std::string& path, const std::vector<const char*>& keys);
/// Throws Error if two items of a list, which may be null, have the same `name`.
void check_names_once(const Value* list, const std::string& path);
[[noreturn]] void refuse_missing(const Value& mapping, const std::string& path, const KeyDoc& doc);

template <class T>
void read_mapping(T& target, const Value& value, const std::string& path, const Table<T>& table, Context& context)
{
  std::vector<std::string> keys;
  for (const auto& field : table.fields) keys.push_back(field.doc.key);
  check_keys(value, path, keys);
  for (const auto& field : table.fields) {
    if (const Value* item = value.find(field.doc.key))
      field.read(target, *item, key_path(path, field.doc.key), context);
    else if (field.doc.fallback == "required")
      refuse_missing(value, key_path(path, field.doc.key), field.doc);
  }
  if (table.check) table.check(target, value, path, context);
}

template <class T>
Value write_mapping(const T& source, const Table<T>& table, const Context& context)
{
  Value mapping = make_mapping();
  for (const auto& field : table.fields)
    if (auto item = field.write(source, context)) mapping.add(field.doc.key, std::move(*item));
  return mapping;
}

template <class T>
std::vector<KeyDoc> docs_of(const Table<T>& table)
{
  std::vector<KeyDoc> docs;
  for (const auto& field : table.fields) docs.push_back(field.doc);
  return docs;
}

/// The default in the documentation is that of a fresh T.
template <class T>
Field<T> with_default(Field<T> field)
{
  const auto item = field.write(T{}, Context{});
  field.doc.fallback = item ? inline_text(*item) : "none";
  return field;
}
template <class T>
Field<T> required(Field<T> field)
{
  field.doc.fallback = "required";
  return field;
}
template <class T>
Field<T> with_default_text(std::string text, Field<T> field)
{
  field.doc.fallback = std::move(text);
  return field;
}

/// Not written out if it is the default of a fresh T: for keys that have no meaning then.
template <class T>
Field<T> left_out_if_default(std::string text, Field<T> field)
{
  const auto fresh = field.write(T{}, Context{});
  field.write = [write = field.write, shown = fresh ? inline_text(*fresh) : ""](const T& t, const Context& c) {
    auto item = write(t, c);
    return item && inline_text(*item) == shown ? std::nullopt : std::move(item);
  };
  return with_default_text(std::move(text), std::move(field));
}

template <class T>
Field<T> number(const char* key, double T::*member, NumberRule rule, const char* text)
{
  return with_default(Field<T>{
      {.key = key, .type = "number", .unit = rule.unit, .word = rule.word, .range = rule.range.text(), .text = text},
      [=](T& t, const Value& v, const std::string& path, Context&) { t.*member = read_number(v, path, rule); },
      [=](const T& t, const Context&) { return write_number(t.*member, rule); }});
}

template <class T, std::integral I>
Field<T> integer(const char* key, I T::*member, NumberRule rule, const char* text)
{
  return with_default(
      Field<T>{{.key = key, .type = "whole number", .word = rule.word, .range = rule.range.text(), .text = text},
               [=](T& t, const Value& v, const std::string& path, Context&) {
                 t.*member = static_cast<I>(read_integer(v, path, rule));
               },
               [=](const T& t, const Context&) { return write_integer(t.*member, rule); }});
}
template <class T, std::integral I>
Field<T> integer(const char* key, I T::*member, Range range, const char* text)
{
  return integer(key, member, NumberRule{.unit = "", .range = range}, text);
}

template <class T>
Field<T> flag(const char* key, bool T::*member, const char* text)
{
  return with_default(
      Field<T>{{.key = key, .type = "true or false", .text = text},
               [=](T& t, const Value& v, const std::string& path, Context&) { t.*member = read_flag(v, path); },
               [=](const T& t, const Context&) { return make_scalar(t.*member ? "true" : "false"); }});
}

/// Text, with a reader for its kind (read_text, read_name, ...). Not written out if empty.
template <class T>
Field<T> words(const char* key, std::string T::*member, std::string (*read)(const Value&, const std::string&),
               const char* text)
{
  return with_default(
      Field<T>{{.key = key, .type = "text", .text = text},
               [=](T& t, const Value& v, const std::string& path, Context&) { t.*member = read(v, path); },
               [=](const T& t, const Context&) {
                 return (t.*member).empty() ? std::nullopt : std::optional(make_scalar(t.*member, true));
               }});
}

/// One of a few words, each for a value of type E. With E a string each word stands for itself. former: as
/// read_choice().
template <class T, class E>
Field<T> choice(const char* key, E T::*member, std::vector<std::pair<std::string, E>> meanings, const char* text,
                FormerNames former = {})
{
  std::vector<std::string> names;
  std::string shown;
  for (const auto& [name, meaning] : meanings) names.push_back(name), shown += (shown.empty() ? "" : " ") + name;
  return with_default(Field<T>{{.key = key, .type = "choice", .range = shown, .text = text},
                               [=](T& t, const Value& v, const std::string& path, Context&) {
                                 const std::string name = read_choice(v, path, names, former);
                                 for (const auto& [word, meaning] : meanings)
                                   if (word == name) t.*member = meaning;
                               },
                               [=](const T& t, const Context&) -> std::optional<Value> {
                                 for (const auto& [word, meaning] : meanings)
                                   if (t.*member == meaning) return make_scalar(word);
                                 return std::nullopt;
                               }});
}

/// A list of some of a few words, each at most once.
template <class T>
Field<T> choices(const char* key, std::vector<std::string> T::*member, std::vector<std::string> words, const char* text)
{
  std::string shown;
  for (const std::string& word : words) shown += (shown.empty() ? "" : " ") + word;
  return with_default(Field<T>{
      {.key = key, .type = "list of choices", .range = shown, .text = text},
      [=](T& t, const Value& v, const std::string& path, Context&) { t.*member = read_choices(v, path, words); },
      [=](const T& t, const Context&) -> std::optional<Value> {
        std::vector<Value> items;
        for (const std::string& word : t.*member) items.push_back(make_scalar(word));
        return make_list(std::move(items));
      }});
}

template <class T>
Field<T> vector(const char* key, Vec3 T::*member, const char* unit, const char* text)
{
  return with_default(Field<T>{{.key = key, .type = "[x, y, z]", .unit = unit, .text = text},
                               [=, u = std::string(unit)](T& t, const Value& v, const std::string& path, Context&) {
                                 t.*member = read_vector(v, path, u);
                               },
                               [=](const T& t, const Context&) { return write_vector(t.*member); }});
}

template <class T>
Field<T> direction(const char* key, Vec3 T::*member, const char* text)
{
  return with_default(
      Field<T>{{.key = key, .type = "[x, y, z]", .unit = "-", .range = "not zero", .text = text},
               [=](T& t, const Value& v, const std::string& path, Context&) { t.*member = read_direction(v, path); },
               [=](const T& t, const Context&) { return write_vector(t.*member); }});
}

/// A mapping that fills a member.
template <class T, class M>
Field<T> mapping(const char* key, M T::*member, Table<M> table, const char* text)
{
  return {
      {.key = key, .type = "mapping", .text = text, .keys = docs_of(table)},
      [=](T& t, const Value& v, const std::string& path, Context& c) { read_mapping(t.*member, v, path, table, c); },
      [=](const T& t, const Context& c) { return write_mapping(t.*member, table, c); }};
}

/// A mapping that fills an optional member. Without the mapping the member is empty.
template <class T, class M>
Field<T> mapping(const char* key, std::optional<M> T::*member, Table<M> table, const char* text)
{
  return {{.key = key, .type = "mapping", .fallback = "none", .text = text, .keys = docs_of(table)},
          [=](T& t, const Value& v, const std::string& path, Context& c) {
            t.*member = M{};
            read_mapping(*(t.*member), v, path, table, c);
          },
          [=](const T& t, const Context& c) {
            return t.*member ? std::optional(write_mapping(*(t.*member), table, c)) : std::nullopt;
          }};
}

/// A mapping whose keys fill the same T: keys that are grouped for the user only.
template <class T>
Field<T> group(const char* key, Table<T> table, const char* text)
{
  return {{.key = key, .type = "mapping", .text = text, .keys = docs_of(table)},
          [=](T& t, const Value& v, const std::string& path, Context& c) { read_mapping(t, v, path, table, c); },
          [=](const T& t, const Context& c) { return write_mapping(t, table, c); }};
}

/// Makes a field of M a field of a T that has a member M. The key stands beside T's own keys.
template <class T, class M>
Field<T> within(M T::*member, Field<M> field)
{
  return {field.doc,
          [=](T& t, const Value& v, const std::string& path, Context& c) { field.read(t.*member, v, path, c); },
          [=](const T& t, const Context& c) { return field.write(t.*member, c); }};
}

template <class M>
void read_list(std::vector<M>& items, const Value& value, const std::string& path, const Table<M>& table, Context& c)
{
  if (!value.is_list()) refuse(value, path, "a list of mappings");
  for (std::size_t i = 0; i < value.items.size(); ++i)
    read_mapping(items.emplace_back(), value.items[i], item_path(path, value, i), table, c);
}

template <class M>
Value write_list(const std::vector<M>& items, const Table<M>& table, const Context& c)
{
  Value list = make_list();
  for (const M& item : items) list.items.push_back(write_mapping(item, table, c));
  return list;
}

/// A list of mappings, each an M.
template <class T, class M>
Field<T> list(const char* key, std::vector<M> T::*member, Table<M> table, const char* text)
{
  return {
      {.key = key, .type = "list of mappings", .fallback = "[]", .text = text, .keys = docs_of(table), .is_list = true},
      [=](T& t, const Value& v, const std::string& path, Context& c) {
        (t.*member).clear();
        read_list(t.*member, v, path, table, c);
      },
      [=](const T& t, const Context& c) { return write_list(t.*member, table, c); }};
}

/// The key `rotation` of any T with rotation_axis and rotation_angle.
template <class T>
Field<T> rotation_field(const char* text, const char* axis_text)
{
  const Table<T> table{.fields = {direction("axis", &T::rotation_axis, axis_text),
                                  number("angle", &T::rotation_angle, {"rad", any_number}, "By how much.")}};
  return group<T>("rotation", table, text);
}

}  // namespace sunder::config
