#include "config/value.hpp"

#include "config/utf8.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace sunder::config {
namespace {

struct Extent {
  std::size_t values = 1;
  int depth = 0;  ///< Of a scalar 0.
};

Extent extent(const Value& value)
{
  Extent all;
  for (const Value& item : value.items) {
    const Extent one = extent(item);
    all.values += one.values, all.depth = std::max(all.depth, one.depth + 1);
  }
  return all;
}

/// Builds the tree from the parser's events and refuses what is too much as soon as it is.
class TreeBuilder : public YAML::EventHandler {
public:
  TreeBuilder(std::shared_ptr<const std::string> origin, bool in_file) : origin_(std::move(origin)), in_file_(in_file)
  {
    root_.place = place(YAML::Mark{});
  }

  Value take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { complete({}, mark, anchor); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override
  {
    const auto target = anchors_.find(anchor);
    if (target == anchors_.end()) refuse(mark, "expected an alias of something complete, got one of what it is in");
    const Extent added = extent(target->second);
    count(added.values, mark);
    if (static_cast<int>(open_.size()) + added.depth > most_nesting) refuse_nesting(mark);
    complete(target->second, mark, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& text) override
  {
    if (!is_utf8(text)) refuse(mark, "expected text in UTF-8, got other bytes; save the file in that encoding");
    if (!open_.empty() && open_.back().value.is_mapping() && !open_.back().has_key) {
      set_key(text, mark);
      if (anchor != 0) refuse(mark, "expected a plain key, got one with an anchor");
    } else {
      complete(make_scalar(text, tag == "!"), mark, anchor);
    }
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override
  {
    open(make_list(), mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override
  {
    open(make_mapping(), mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

private:
  struct Open {
    Value value;
    YAML::Mark mark;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
    std::string key;
    YAML::Mark key_mark;
    std::map<std::string, int> lines;  ///< Line of each key so far.
  };

  Place place(const YAML::Mark& mark) const
  {
    return in_file_ ? Place{origin_, mark.line + 1, mark.column + 1} : Place{origin_, 0, 0};
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& problem) const
  {
    throw Error(place(mark).text() + ": " + problem);
  }
  [[noreturn]] void refuse_nesting(const YAML::Mark& mark) const
  {
    refuse(mark, fmt::format("expected at most {} levels of nesting", most_nesting));
  }

  void count(std::size_t values, const YAML::Mark& mark)
  {
    count_ += values;
    if (count_ > most_values) refuse(mark, fmt::format("expected at most {} values", most_values));
  }

  void set_key(const std::string& key, const YAML::Mark& mark)
  {
    Open& mapping = open_.back();
    const auto [first, is_new] = mapping.lines.try_emplace(key, mark.line + 1);
    if (!is_new)
      refuse(mark, fmt::format("expected each key once, got {} again{}", description(make_scalar(key)),
                               in_file_ ? fmt::format(" (first in line {})", first->second) : ""));
    mapping.has_key = true, mapping.key = key, mapping.key_mark = mark;
  }

  void open(Value value, const YAML::Mark& mark, YAML::anchor_t anchor)
  {
    if (!open_.empty() && open_.back().value.is_mapping() && !open_.back().has_key)
      refuse(mark, "expected a word as key, got " + description(value) + "; is a bracket not closed?");
    if (static_cast<int>(open_.size()) >= most_nesting) refuse_nesting(mark);
    open_.push_back({std::move(value), mark, anchor, false, {}, {}, {}});
  }

  void close()
  {
    Open done = std::move(open_.back());
    open_.pop_back();
    complete(std::move(done.value), done.mark, done.anchor);
  }

  void complete(Value value, const YAML::Mark& mark, YAML::anchor_t anchor)
  {
    count(1, mark);
    value.place = place(mark);
    if (anchor != 0) {
      count(extent(value).values, mark);
      anchors_[anchor] = value;
    }
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.value.is_mapping()) {
      if (!parent.has_key) refuse(mark, "expected a word as key, got " + description(value));
      value.key = parent.key, value.key_place = place(parent.key_mark);
      if (value.is_null()) value.place = value.key_place;  // the parser notices only at what comes next
      parent.has_key = false;
    }
    parent.value.items.push_back(std::move(value));
  }

  std::shared_ptr<const std::string> origin_;
  bool in_file_;
  Value root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Value> anchors_;
  std::size_t count_ = 0;
};

/// What has likely led to a syntax error, or nothing.
std::string likely_cause(const YAML::Exception& error, const std::string& text)
{
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; number <= error.mark.line + 1 && std::getline(lines, line); ++number)
    if (line.find('\t') < line.find_first_not_of(" \t"))
      return fmt::format("; line {} is indented by a tab, where YAML takes blanks alone", number);
  return error.msg.find("flow not found") != std::string::npos ? "; is a bracket not closed?" : "";
}

Value parse(const std::string& text, const std::string& origin, bool in_file)
{
  if (text.size() > most_bytes)
    throw Error(
        fmt::format("{}: expected at most {} MiB of text, got {} bytes", origin, most_bytes >> 20, text.size()));
  const auto shared_origin = std::make_shared<const std::string>(origin);
  const auto at = [&](const YAML::Mark& mark) {
    return (in_file && !mark.is_null() ? Place{shared_origin, mark.line + 1, mark.column + 1}
                                       : Place{shared_origin, 0, 0})
        .text();
  };
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder builder(shared_origin, in_file);
    parser.HandleNextDocument(builder);
    Value root = builder.take();
    TreeBuilder rest(shared_origin, in_file);
    if (parser.HandleNextDocument(rest))
      throw Error(fmt::format("{}: expected one YAML document, got more", rest.take().place.text()));
    return root;
  } catch (const YAML::Exception& error) {
    throw Error(fmt::format("{}: expected YAML, got a syntax error: {}{}", at(error.mark), error.msg,
                            likely_cause(error, text)));
  }
}

bool is_plain(const std::string& text)
{
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/'; };
  const auto inner = [&letter](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; };
  return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), inner) && text != "null" &&
         text != "Null" && text != "NULL";
}

std::string in_quotes(const std::string& text)
{
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + '"';
}

std::string key_text(const Value& item)
{
  return is_plain(item.key) ? item.key : in_quotes(item.key);
}

/// Fits a line: a scalar, nothing, or a list of such.
bool is_short(const Value& value)
{
  return value.items.empty() ||
         (value.is_list() && std::all_of(value.items.begin(), value.items.end(),
                                         [](const auto& i) { return !i.is_mapping() && i.items.empty(); }));
}

void write_block(const Value& value, const std::string& indent, std::string& out)
{
  for (const Value& item : value.items) {
    const bool behind_dash = out.ends_with("- ");  // the first of a block in a list starts on the line of the dash
    out += (behind_dash ? "" : indent) + (value.is_list() ? "-" : key_text(item) + ":");
    if (is_short(item)) {
      out += " " + inline_text(item) + "\n";
    } else {
      out += value.is_list() ? " " : "\n";
      write_block(item, indent + "  ", out);
    }
  }
}

}  // namespace

std::string Place::text() const
{
  if (!origin) return "the scene";
  return line > 0 ? fmt::format("{}:{}:{}", *origin, line, column) : *origin;
}

bool Place::on_command_line() const
{
  return origin && origin->starts_with(command_line_option);
}

const Value* Value::find(std::string_view name) const
{
  const auto found = std::find_if(items.begin(), items.end(), [name](const Value& item) { return item.key == name; });
  return is_mapping() && found != items.end() ? &*found : nullptr;
}

Value* Value::find(std::string_view name)
{
  return const_cast<Value*>(std::as_const(*this).find(name));
}

Value& Value::add(std::string_view name, Value item)
{
  SUNDER_ASSERT(is_mapping() && !find(name));
  item.key = name;
  items.push_back(std::move(item));
  return items.back();
}

Value make_scalar(std::string text, bool quoted)
{
  Value value;
  value.kind = Value::Kind::scalar, value.text = std::move(text), value.quoted = quoted;
  return value;
}

Value make_list(std::vector<Value> items)
{
  Value value;
  value.kind = Value::Kind::list, value.items = std::move(items);
  return value;
}

Value make_mapping()
{
  Value value;
  value.kind = Value::Kind::mapping;
  return value;
}

std::string printable(std::string text)
{
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

std::string description(const Value& value)
{
  if (value.is_list()) return "a list";
  if (value.is_mapping()) return "a mapping";
  if (value.is_null()) return "nothing";
  constexpr std::size_t longest = 60;
  std::string shown = printable(value.text.substr(0, longest));
  if (value.text.size() > longest) shown += "...";
  return value.quoted ? "\"" + shown + "\"" : "'" + shown + "'";
}

Value parse_yaml(const std::string& text, const std::string& origin)
{
  return parse(text, origin, true);
}

Value parse_override_value(const std::string& text, const std::string& origin)
{
  return parse(text, origin, false);
}

std::string yaml_text(const Value& value)
{
  if (is_short(value)) return inline_text(value) + "\n";
  std::string out;
  write_block(value, "", out);
  return out;
}

std::string inline_text(const Value& value)
{
  if (value.is_null()) return "null";
  if (value.is_scalar()) return value.quoted && !is_plain(value.text) ? in_quotes(value.text) : value.text;
  std::string out;
  for (const Value& item : value.items)
    out += (out.empty() ? "" : ", ") + (value.is_mapping() ? key_text(item) + ": " : "") + inline_text(item);
  return value.is_mapping() ? "{" + out + "}" : "[" + out + "]";
}

}  // namespace sunder::config
