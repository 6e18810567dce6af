// Words of a drafted job: quotes and lists of JSON, and what is said of a kernel's buffers.
#include "kernels/job/draft_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace warpwright::job {

std::string in_quotes(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string listed(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(in_quotes(text));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string around(std::int64_t number) {
  if (number < 4 || number % 2 != 0) return fmt::format("{}", number);
  return fmt::format("{}, {}, {}", number / 2, number, number * 2);
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

std::string drafted_role(const Parameter& parameter) {
  const PointerUse use = parameter.use;
  if (parameter.is_const || (!use.writes && !use.escapes)) return "in";
  return use.reads || use.escapes ? "inout" : "out";
}

std::string what_to_see_to(const std::string& role, const Parameter& parameter) {
  if (role == "in") return "Its number of elements ???";
  if (role == "out") return "Its number of elements; or is it scratch ???";
  return parameter.use.escapes
             ? "inout, out or scratch (what the kernel does with it was not seen), and its number of elements ???"
             : "inout, out or scratch (it is read and written), and its number of elements ???";
}

std::string no_oracle() {
  return "  // A plain kernel of the same text, {\"kernel\": \"plain\", \"grid\": ..., \"block\": ...}, or a C++ "
         "function\n"
         "  // {\"function\": \"f\", \"file\": \"f.cpp\", \"arguments\": [...]}; default: the first configuration "
         "???\n"
         "  \"oracle\": \"default\",\n";
}

}  // namespace warpwright::job
