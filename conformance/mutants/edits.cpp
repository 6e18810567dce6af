// Makes edits of device source and describes them.
#include "conformance/mutants/edits.hpp"

#include <algorithm>

namespace warpwright::conformance {
namespace {

std::size_t begin_of(const Site& site, std::size_t token) {
  return site.source.tokens()[token].begin;
}
std::size_t end_of(const Site& site, std::size_t token) {
  return site.source.tokens()[token].end;
}

}  // namespace

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

Edit replace(const Site& site, TokenRange range, std::string by) {
  return {begin_of(site, range.first), end_of(site, range.last), std::move(by)};
}
Edit before(const Site& site, std::size_t token, std::string text) {
  return {begin_of(site, token), begin_of(site, token), std::move(text)};
}
Edit after(const Site& site, std::size_t token, std::string text) {
  return {end_of(site, token), end_of(site, token), std::move(text)};
}

std::string edited_words(const Site& site, TokenRange range, std::vector<Edit> edits) {
  std::ranges::sort(edits, std::greater{}, &Edit::begin);
  std::string text =
      site.source.text().substr(begin_of(site, range.first), end_of(site, range.last) - begin_of(site, range.first));
  for (const Edit& edit : edits)
    text.replace(edit.begin - begin_of(site, range.first), edit.end - edit.begin, edit.replacement);
  return DeviceSource("", text).words({0, DeviceSource("", text).tokens().size() - 1});
}

Change change_of(const Site& site, std::vector<Edit> edits, TokenRange shown) {
  std::string told = site.source.words(shown) + " -> " + edited_words(site, shown, edits);
  return {.edits = std::move(edits), .at = shown.first, .change = std::move(told), .equivalent = {}};
}

Change removal(const Site& site, TokenRange statement) {
  return {.edits = {replace(site, statement, ";")},
          .at = statement.first,
          .change = site.source.words(statement) + " -> (nothing)",
          .equivalent = {}};
}

std::size_t call_open(const DeviceSource& source, std::size_t name) {
  std::size_t at = name + 1;
  if (source.word(at) == "<")
    while (at < source.tokens().size() && !is_one_of(source.word(at), {">", ";", "{"})) ++at;
  if (source.word(at) == ">") ++at;
  return source.word(at) == "(" ? at : 0;
}

}  // namespace warpwright::conformance
