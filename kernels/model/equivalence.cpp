// Parses .mutants files.
#include "kernels/model/equivalence.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace warpwright {
namespace {

constexpr std::string_view kSuffix = ".mutants";
constexpr std::string_view kDeviceSuffix = ".cuh";
constexpr std::string_view kSeparator = " | ";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Removes and returns the text before the separator, or all of it if there is none.
std::string_view take_field(std::string_view& rest) {
  const std::size_t at = rest.find(kSeparator);
  const std::string_view field = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + kSeparator.size());
  return trimmed(field);
}

bool names_a_place(std::string_view field) {
  return field == "plan" || field.ends_with(kDeviceSuffix);
}

[[noreturn]] void refuse(const Equivalence& entry, const std::string& why) {
  throw std::invalid_argument(entry.place() + ": " + why);
}

/// Removes "#2" from the end of a rule, and stores the number.
void take_occurrence(Equivalence& entry) {
  const std::size_t mark = entry.rule.rfind(" #");
  if (mark == std::string::npos) return;
  const std::string_view digits = std::string_view(entry.rule).substr(mark + 2);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), entry.occurrence);
  if (error != std::errc() || end != digits.data() + digits.size() || entry.occurrence < 1)
    refuse(entry, fmt::format("'#{}' is no occurrence; they count from #1", digits));
  entry.rule.resize(mark);
}

void read_mutant(Equivalence& entry, std::string_view text) {
  entry.file = device_file_of(entry.declared_in);
  std::string_view field = take_field(text);
  if (names_a_place(field)) {
    entry.file = field;
    field = take_field(text);
  }
  entry.rule = field;
  take_occurrence(entry);
  entry.change = trimmed(text);
  if (entry.rule.empty() || entry.change.find(" -> ") == std::string::npos)
    refuse(entry, "a mutant is 'RULE | BEFORE -> AFTER', as `conform --mutants` prints it");
  if (entry.reason.empty()) refuse(entry, "no reason stands above this mutant, at the margin");
}

}  // namespace

std::string Equivalence::place() const {
  return fmt::format("{}:{}", declared_in, line);
}

std::string mutants_file_of(std::string_view device_file) {
  return std::string(device_file.substr(0, device_file.rfind('.'))) + std::string(kSuffix);
}

std::string device_file_of(std::string_view mutants_file) {
  return std::string(mutants_file.substr(0, mutants_file.rfind('.'))) + std::string(kDeviceSuffix);
}

bool is_mutants_file(std::string_view path) {
  return path.ends_with(kSuffix);
}

std::vector<Equivalence> parse_equivalences(const std::string& path, const std::string& text) {
  std::vector<Equivalence> list;
  std::istringstream lines(text);
  Equivalence entry{.file = {}, .rule = {}, .change = {}, .reason = {}, .declared_in = path};
  int reason_line = 0;
  bool used = true;
  const auto check_reason = [&] {
    if (used) return;
    entry.line = reason_line;
    refuse(entry, "this reason holds for no mutant; mutants are indented below it");
  };
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string_view words = trimmed(line);
    if (words.empty() || line.starts_with('#')) continue;
    if (line.front() == ' ' || line.front() == '\t') {
      entry.line = number;
      read_mutant(list.emplace_back(entry), words);
      used = true;
    } else {
      check_reason();
      entry.reason = words;
      reason_line = number;
      used = false;
    }
  }
  check_reason();
  return list;
}

}  // namespace warpwright
