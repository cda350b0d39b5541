#include "config/value.hpp"
#include "config/suggest.hpp"
#include "core/error.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::config;

namespace {

std::string repeated(const std::string& text, int times)
{
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

std::string error(const std::string& text)
{
  try {
    parse_yaml(text, "t");
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

}  // namespace

TEST_CASE("each value of a tree knows its line and column", "[config][yaml]")
{
  const Value root = parse_yaml("a: 1\nb:\n  - x\n  - {c: \"2\"}\n", "f");
  REQUIRE(root.is_mapping());
  CHECK(root.find("a")->text == "1");
  CHECK(root.find("a")->place.text() == "f:1:4");
  CHECK(root.find("b")->key_place.text() == "f:2:1");
  const Value& c = *root.find("b")->items[1].find("c");
  CHECK(c.quoted);
  CHECK(c.place.text() == "f:4:9");
  CHECK(root.find("d") == nullptr);
}

TEST_CASE("YAML that is written reads back", "[config][yaml]")
{
  for (const char* text : {"a: 1\n", "a: [1, 2, [3, 4]]\nb: {}\nc: []\n", "- - a: 1\n    b: 2\n  - c: 3\n- x\n",
                           "a:\n  - name: \"x: y\"\n    list: [1]\n  - {}\n", "\"a b\": {\"# c\": {d: \"null\"}}\n",
                           "a: \"\\x01\\\\ \\\" ' ä\"\n", "[]\n", "x\n"}) {
    CAPTURE(text);
    const std::string once = yaml_text(parse_yaml(text, "t"));
    CHECK(yaml_text(parse_yaml(once, "t")) == once);
    CHECK(inline_text(parse_yaml(once, "t")) == inline_text(parse_yaml(text, "t")));
  }
}

TEST_CASE("a YAML alias has the value of its anchor", "[config][yaml]")
{
  const Value root = parse_yaml("a: &x [1, 2]\nb: *x\n", "t");
  CHECK(inline_text(*root.find("b")) == "[1, 2]");
}

TEST_CASE("text that is too deep, too large or explodes by aliases is refused", "[config][yaml]")
{
  CHECK(error(repeated("[", 64) + repeated("]", 64)) == "");
  CHECK(error(repeated("[", 65) + repeated("]", 65)) == "t:1:65: expected at most 64 levels of nesting");
  CHECK_FALSE(error(repeated("[", 1'000'000)).empty());
  CHECK_FALSE(error(repeated("{a: ", 100'000)).empty());
  CHECK(error(repeated("- ", 100'000)).ends_with("expected at most 64 levels of nesting"));
  CHECK(error("[" + repeated("1,", 300'000) + "]").ends_with("expected at most 200000 values"));
  CHECK(error(std::string(most_bytes + 1, ' ')) == "t: expected at most 8 MiB of text, got 8388609 bytes");

  std::string bomb = "a0: &a0 [1, 1]\n", chain = "a0: &a0 [1]\n";
  for (int k = 1; k < 100; ++k) {
    const std::string last = "*a" + std::to_string(k - 1), name = "a" + std::to_string(k);
    bomb += name + ": &" + name + " [" + repeated(last + ", ", 9) + "1]\n";
    chain += name + ": &" + name + " [" + last + "]\n";
  }
  CHECK(error(bomb).ends_with("expected at most 200000 values"));
  CHECK(error(chain).ends_with("expected at most 64 levels of nesting"));
  CHECK(error("a: &x [*x]\n").starts_with("t:1:8: expected"));
}

TEST_CASE("a suggestion differs from the word by a third of its letters at most", "[config]")
{
  const std::vector<std::string> words{"density", "toughness", "end", "E"};
  CHECK(nearest("densty", words) == "density");
  CHECK(nearest("desnity", words) == "density");
  CHECK(nearest("ende", words) == "end");
  CHECK(nearest("tuffness", words) == "toughness");
  CHECK(nearest("gravity", words).empty());
  CHECK(nearest(std::string(100'000, 'd'), words).empty());
}

TEST_CASE("text that is not UTF-8 is refused with its place", "[config][yaml]")
{
  const std::string refused = "t:2:4: expected text in UTF-8, got other bytes; save the file in that encoding";
  for (const char* bytes : {"\xe4", "h\xe4user", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                            "\xff", "\xf0\x9f\x98"})
    CHECK(error(std::string("a: 1\nb: ") + bytes + "\n") == refused);
  CHECK(error("a: 1\n\xe4: 2\n").starts_with("t:2:1: expected text in UTF-8"));
  for (const char* text : {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xef\xbf\xbd"})
    CHECK(parse_yaml(std::string("a: ") + text, "t").find("a")->text == text);
}

TEST_CASE("what is suggested has a letter of what was written; case does not count", "[config][suggest]")
{
  const std::vector<std::string> keys{"E", "nu", "lambda", "density"};
  CHECK(nearest("3", keys).empty());
  CHECK(nearest("e", keys) == "E");
  CHECK(nearest("n", keys) == "nu");
  CHECK(nearest("LAMDA", keys) == "lambda");
  CHECK(nearest("dens", keys).empty());
}

TEST_CASE("of many names an error lists forty", "[config][suggest]")
{
  std::vector<std::string> names;
  for (int k = 1; k <= 40; ++k) names.push_back(std::to_string(k));
  CHECK(listed(names).ends_with(" 39 40"));
  names.emplace_back("41");
  CHECK(listed(names).ends_with(" 39 40 ... and 1 more"));
  CHECK(expected_one_of("wall", names).ends_with(" 39 40 ... and 1 more, got 'wall'"));
}
