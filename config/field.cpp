#include "config/field.hpp"

#include "config/suggest.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace sunder::config {
namespace {

/// Larger ones are no quantities of a scene, and their squares would not be finite.
constexpr double largest = 1e100;
constexpr std::size_t longest_name = 60;

bool only_digits(const std::string& text)
{
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The whole text as a decimal number; empty if it is none, or not finite.
std::optional<double> decimal(const std::string& text)
{
  const char* first = text.data();
  const char* const last = text.data() + text.size();
  if (text.size() > 1 && *first == '+' && text[1] != '-') ++first;
  double x = 0;
  const auto [end, error] = std::from_chars(first, last, x);
  if (error != std::errc{} || end != last || !std::isfinite(x)) return std::nullopt;
  return x;
}

/// The shortest text that reads back to the same bits.
std::string shortest(double x)
{
  std::string text = fmt::format("{}", x);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string joined(const std::string& a, const std::string& b)
{
  return a.empty() || b.empty() ? a + b : a + " " + b;
}

}  // namespace

bool Range::holds(double x) const noexcept
{
  return (above_min ? x > min : x >= min) && (below_max ? x < max : x <= max);
}

std::string Range::text() const
{
  const bool low = std::isfinite(min), high = std::isfinite(max);
  if (low && high)
    return fmt::format("in {}{}, {}{}", above_min ? '(' : '[', shortest(min), shortest(max), below_max ? ')' : ']');
  if (low) return (above_min ? "> " : ">= ") + shortest(min);
  if (high) return (below_max ? "< " : "<= ") + shortest(max);
  return "";
}

void refuse(const Place& place, const std::string& path, const std::string& expected, const std::string& found)
{
  throw Error(fmt::format("{}: {}expected {}, got {}", place.text(), path.empty() ? "" : path + ": ", expected, found));
}

void refuse(const Value& value, const std::string& path, const std::string& expected)
{
  refuse(value.place, path, expected, description(value));
}

std::string type_text(const KeyDoc& doc)
{
  const std::string colon = doc.type == "choice" ? ":" : "";
  const std::string base = joined(joined(doc.type + colon, doc.range), doc.unit.empty() ? "" : "[" + doc.unit + "]");
  return doc.word.empty() ? base : base + " or " + doc.word;
}

std::string NumberRule::expected(const char* kind) const
{
  const std::string base = joined(joined(kind, range.text()), unit.empty() ? "" : "[" + unit + "]");
  return word.empty() ? base : base + " or " + word;
}

double read_number(const Value& value, const std::string& path, const NumberRule& rule)
{
  if (!value.is_scalar() || value.quoted) refuse(value, path, rule.expected());
  if (!rule.word.empty() && value.text == rule.word) return rule.word_value;
  const auto x = decimal(value.text);
  if (!x || !rule.range.holds(*x)) refuse(value, path, rule.expected());
  if (std::abs(*x) > largest) refuse(value, path, fmt::format("a number no larger than {:g}", largest));
  return *x;
}

Value write_number(double x, const NumberRule& rule)
{
  if (!rule.word.empty() && x == rule.word_value) return make_scalar(rule.word);
  return make_scalar(shortest(x));
}

std::int64_t read_integer(const Value& value, const std::string& path, const NumberRule& rule)
{
  const std::string expected = rule.expected("a whole number");
  if (!value.is_scalar() || value.quoted) refuse(value, path, expected);
  if (!rule.word.empty() && value.text == rule.word) return static_cast<std::int64_t>(rule.word_value);
  const char* const last = value.text.data() + value.text.size();
  std::int64_t x = 0;
  const auto [end, error] = std::from_chars(value.text.data(), last, x);
  if (error != std::errc{} || end != last || !rule.range.holds(static_cast<double>(x))) refuse(value, path, expected);
  return x;
}

Value write_integer(std::int64_t x, const NumberRule& rule)
{
  if (!rule.word.empty() && static_cast<double>(x) == rule.word_value) return make_scalar(rule.word);
  return make_scalar(std::to_string(x));
}

bool read_flag(const Value& value, const std::string& path)
{
  if (value.is_scalar() && !value.quoted && (value.text == "true" || value.text == "false"))
    return value.text == "true";
  refuse(value, path, "true or false");
}

std::string read_text(const Value& value, const std::string& path)
{
  if (!value.is_scalar()) refuse(value, path, "text");
  return value.text;
}

std::string read_word(const Value& value, const std::string& path)
{
  if (!value.is_scalar() || value.text.empty()) refuse(value, path, "text that is not empty");
  return value.text;
}

bool is_name(const std::string& text)
{
  const auto wrong = [](char c) { return c == '.' || c == '=' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return text.size() <= longest_name && !only_digits(text) && std::none_of(text.begin(), text.end(), wrong);
}

std::string read_name(const Value& value, const std::string& path)
{
  if (!value.is_scalar() || !is_name(value.text))
    refuse(value, path, fmt::format("a name (at most {} letters, no dot, no =, not only digits)", longest_name));
  return value.text;
}

std::string read_choice(const Value& value, const std::string& path, const std::vector<std::string>& names,
                        const FormerNames& former)
{
  if (!value.is_scalar()) refuse(value, path, fmt::format("one of {}", fmt::join(names, " ")));
  for (const auto& [old_name, name] : former)
    if (value.text == old_name)
      throw Error(fmt::format("{}: {}: expected one of {}, got '{}', which is called '{}' now", value.place.text(),
                              path, fmt::join(names, " "), old_name, name));
  if (std::find(names.begin(), names.end(), value.text) == names.end())
    throw Error(fmt::format("{}: {}: {}", value.place.text(), path, expected_one_of(value.text, names)));
  return value.text;
}

std::vector<std::string> read_choices(const Value& value, const std::string& path,
                                      const std::vector<std::string>& names)
{
  if (!value.is_list()) refuse(value, path, fmt::format("a list of some of {}", fmt::join(names, " ")));
  std::vector<std::string> chosen;
  for (std::size_t k = 0; k < value.items.size(); ++k) {
    const std::string item = fmt::format("{}.{}", path, k);
    const std::string name = read_choice(value.items[k], item, names);
    if (std::find(chosen.begin(), chosen.end(), name) != chosen.end())
      refuse(value.items[k].place, item, "each name once", fmt::format("{} twice", name));
    chosen.push_back(name);
  }
  return chosen;
}

Vec3 read_vector(const Value& value, const std::string& path, const std::string& unit)
{
  if (!value.is_list() || value.items.size() != 3)
    refuse(value.place, path, fmt::format("three numbers [x, y, z] [{}]", unit),
           value.is_list() ? fmt::format("a list of {}", value.items.size()) : description(value));
  Vec3 v;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    v[axis] = read_number(value.items[i], fmt::format("{}.{}", path, i), {unit, any_number});
  }
  return v;
}

Vec3 read_direction(const Value& value, const std::string& path)
{
  Vec3 v = read_vector(value, path, "-");
  const double size = v.cwiseAbs().maxCoeff();
  if (size == 0) refuse(value.place, path, "a vector that is not zero", inline_text(value));
  constexpr double round_off = 4e-15;
  if (std::abs(v.squaredNorm() - 1) > round_off) v = (v / size).normalized();
  return v;
}

Value write_vector(const Vec3& v)
{
  const NumberRule rule{};
  return make_list({write_number(v.x(), rule), write_number(v.y(), rule), write_number(v.z(), rule)});
}

std::string message_key(const Value& value, const std::string& path)
{
  return fmt::format("{}: {}", value.place.text(), path);
}

std::string key_path(const std::string& path, const std::string& key)
{
  return path.empty() ? key : path + "." + key;
}

std::string item_path(const std::string& path, const Value& list, std::size_t index)
{
  const Value* name = list.items[index].find("name");
  const bool usable = name && name->is_scalar() && is_name(name->text);
  return key_path(path, usable ? name->text : std::to_string(index));
}

namespace {

/// What has likely made a key of what is none, or nothing.
const char* likely_cause(const std::string& key)
{
  if (!key.empty() && key.front() >= '0' && key.front() <= '9')
    return "is a number written with a comma? Its decimal sign is a point";
  return key.find(':') != std::string::npos ? "is there no blank after the colon?" : "";
}

}  // namespace

void check_keys(const Value& value, const std::string& path, const std::vector<std::string>& keys)
{
  if (!value.is_mapping()) refuse(value, path, fmt::format("a mapping with the keys {}", fmt::join(keys, " ")));
  for (const Value& item : value.items)
    if (std::find(keys.begin(), keys.end(), item.key) == keys.end()) {
      std::string shown = description(make_scalar(item.key));
      shown = shown.substr(1, shown.size() - 2);
      throw Error(fmt::format("{}: {}: {}", item.key_place.text(), key_path(path, shown),
                              expected_one_of(item.key, keys, likely_cause(item.key))));
    }
}

const Value* one_of(const Value& value, const std::string& path, const std::vector<const char*>& keys)
{
  const Value* found = nullptr;
  for (const char* key : keys) {
    const Value* const item = value.find(key);
    if (item && found)
      refuse(item->key_place, path, fmt::format("one of {}", fmt::join(keys, " ")),
             fmt::format("{} and {}", found->key, key));
    if (item) found = item;
  }
  return found;
}

void check_names_once(const Value* list, const std::string& path)
{
  std::set<std::string> seen;
  for (std::size_t i = 0; list && i < list->items.size(); ++i) {
    const Value& name = *list->items[i].find("name");
    if (!seen.insert(name.text).second)
      refuse(name.place, fmt::format("{}.{}.name", path, i), "each name once", description(name) + " again");
  }
}

void refuse_missing(const Value& mapping, const std::string& path, const KeyDoc& doc)
{
  refuse(mapping.place, path, "a value (" + type_text(doc) + ")", "nothing");
}

}  // namespace sunder::config
