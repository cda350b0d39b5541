#include "config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::config {
namespace {

/// One row of the documentation.
struct Row {
  std::string key, type, fallback, text;
};

void add_rows(const std::vector<KeyDoc>& docs, const std::string& path, std::vector<Row>& rows)
{
  for (const KeyDoc& doc : docs) {
    const std::string key = path.empty() ? doc.key : path + "." + doc.key;
    std::string fallback = doc.fallback.empty() ? "as below" : doc.fallback;
    std::string text = doc.elsewhere.empty() ? doc.text : doc.text + " Keys: see " + doc.elsewhere + ".";
    rows.push_back({key, type_text(doc), std::move(fallback), std::move(text)});
    if (!doc.elsewhere.empty()) continue;
    add_rows(doc.keys, key + (doc.is_list ? "[]" : doc.is_named ? ".NAME" : ""), rows);
    add_rows(doc.instead, key, rows);
  }
}

std::vector<Row> rows_of(const std::vector<KeyDoc>& docs)
{
  std::vector<Row> rows;
  add_rows(docs, "", rows);
  return rows;
}

std::string in_table(std::string text)
{
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

}  // namespace

std::string schema_text()
{
  const auto rows = rows_of(scene_docs());
  std::size_t key = 0, type = 0, fallback = 0;
  for (const Row& row : rows) {
    key = std::max(key, row.key.size());
    type = std::max(type, row.type.size());
    fallback = std::max(fallback, row.fallback.size());
  }
  std::string out =
      fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", "key", key, "type", type, "default", fallback, "meaning");
  for (const Row& row : rows)
    out += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", row.key, key, row.type, type, row.fallback, fallback, row.text);
  return out;
}

std::string schema_markdown()
{
  std::string out =
      "# The keys of a scene file\n\n"
      "Written by `sunder schema --markdown` from the tables in `config/schema*.cpp`: change those, not this page.\n\n"
      "A scene is a YAML mapping. Units are SI. `[]` stands for an item of a list, NAME for a name of yours. Unknown "
      "keys,\n"
      "keys given twice and values out of range are errors. On the command line `--set key.path=value` sets any key; "
      "an\n"
      "item of a list goes by its number or its `name`: `--set bodies.wall.mesh.size=0.1`, `--set "
      "bodies[0].mesh.size=0.1`.\n"
      "A file that it names is looked for in the working directory first, then as one that the scene names.\n";
  for (const KeyDoc& doc : scene_docs()) {
    out += fmt::format("\n## {}\n\n", doc.key);
    out += "| key | type, range, unit | default | meaning |\n|---|---|---|---|\n";
    for (const Row& row : rows_of({doc}))
      out += fmt::format("| `{}` | {} | {} | {} |\n", row.key, in_table(row.type), in_table(row.fallback),
                         in_table(row.text));
  }
  return out;
}

}  // namespace sunder::config
