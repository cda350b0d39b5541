#include "config/overrides.hpp"

#include "config/suggest.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <regex>

namespace sunder::config {
namespace {

/// bodies[0].mesh is bodies.0.mesh: the reference writes bodies[].mesh.
std::vector<std::string> split(const std::string& path)
{
  static const std::regex number_in_brackets(R"(\[(\d+)\])");
  std::vector<std::string> keys{""};
  for (const char c : std::regex_replace(path, number_in_brackets, ".$1")) {
    if (c == '.')
      keys.emplace_back();
    else
      keys.back() += c;
  }
  return keys;
}

Value empty_mapping(const Place& place)
{
  Value mapping = make_mapping();
  mapping.place = place;
  return mapping;
}

std::size_t item_of(const Value& list, const std::string& key, const std::string& path, const Place& place)
{
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Value* const name = list.items[i].find("name");
    const bool named = name && name->is_scalar() && is_name(name->text);
    if (named && name->text == key) return i;
    names.push_back(named ? name->text : std::to_string(i));
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error == std::errc{} && end == key.data() + key.size() && index < list.items.size()) return index;
  if (list.items.empty()) refuse(place, path, "an item of the list, which is empty", description(make_scalar(key)));
  throw Error(fmt::format("{}: {}: {}", place.text(), path, expected_one_of(key, names)));
}

const KeyDoc* doc_of(const std::vector<KeyDoc>& docs, const std::string& key)
{
  const auto found = std::find_if(docs.begin(), docs.end(), [&key](const KeyDoc& doc) { return doc.key == key; });
  return found == docs.end() ? nullptr : &*found;
}

/// Makes a mapping of what stands there, so that a key below it can be set.
void open_up(Value& value, const KeyDoc* doc, const Place& place)
{
  if (value.is_mapping() || value.is_list()) return;
  Value opened = empty_mapping(place);
  opened.key = value.key, opened.key_place = value.key_place;
  if (value.is_scalar() && doc && !doc->shorthand.empty()) {
    Value& bare = opened.add(doc->shorthand, make_scalar(value.text, value.quoted));
    bare.place = bare.key_place = opened.place = value.place;
  } else if (value.is_scalar()) {
    return;
  }
  value = std::move(opened);
}

/// Walks down a tree, with the documentation of the keys there as far as there is any.
class Walk {
public:
  Walk(Value& root, const std::vector<KeyDoc>& docs, Place place) : at_(&root), below_(&docs), place_(std::move(place))
  {
    if (root.is_null()) root = empty_mapping(place_);
  }

  Value& at() noexcept { return *at_; }

  void down(const std::string& key)
  {
    const bool is_number = key.find_first_not_of("0123456789") == std::string::npos;
    if (at_->is_null() && is_number && !is_named_)
      refuse(place_, path_, fmt::format("a list in the scene, to set item {} of it", key), description(*at_));
    open_up(*at_, doc_, place_);
    if (at_->is_list())
      to_item(key);
    else if (at_->is_mapping())
      to_key(key);
    else
      refuse(place_, path_, fmt::format("a mapping or a list, to set {} in it", description(make_scalar(key))),
             description(*at_));
    path_ = key_path(path_, printable(key));
  }

private:
  void to_item(const std::string& key)
  {
    at_ = &at_->items[item_of(*at_, key, path_, place_)];
    doc_ = nullptr;  // its keys are those of the list
  }

  void to_key(const std::string& key)
  {
    Value* const found = at_->find(key);
    at_ = found ? found : &at_->add(key, Value{});
    at_->key_place = found ? at_->key_place : place_;
    if (is_named_) {  // the key is a name of the user's, with the keys documented for all names
      is_named_ = false, doc_ = nullptr;
      return;
    }
    doc_ = below_ ? doc_of(*below_, key) : nullptr;
    below_ = doc_ ? &doc_->keys : nullptr;
    is_named_ = doc_ && doc_->is_named;
  }

  Value* at_;
  const KeyDoc* doc_ = nullptr;
  const std::vector<KeyDoc>* below_;
  bool is_named_ = false;
  Place place_;
  std::string path_;
};

}  // namespace

void apply_override(Value& root, const std::string& text, const std::vector<KeyDoc>& docs)
{
  const Place place{std::make_shared<const std::string>(std::string(command_line_option) + printable(text))};
  const std::size_t equals = text.find('=');
  const auto keys = split(text.substr(0, equals));
  const bool has_empty = std::any_of(keys.begin(), keys.end(), [](const std::string& key) { return key.empty(); });
  if (equals == std::string::npos || has_empty || keys.size() > static_cast<std::size_t>(most_nesting))
    refuse(place, "", "key.path=value", description(make_scalar(text)));
  Value value = parse_override_value(text.substr(equals + 1), *place.origin);

  Walk walk(root, docs, place);
  for (const std::string& key : keys) walk.down(key);
  value.key = walk.at().key, value.key_place = place;
  walk.at() = std::move(value);
}

}  // namespace sunder::config
