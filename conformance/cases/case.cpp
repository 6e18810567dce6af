// Reads and writes cases as lines of text.
#include "conformance/cases/case.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <stdexcept>

#include "kernels/core/text.hpp"

namespace warpwright::conformance {
namespace {

constexpr std::array<std::string_view, 9> kFields{"kernel",   "params", "problem",         "input", "check",
                                                  "schedule", "stale",  "multiprocessors", "target"};

/// More than any GPU has.
constexpr int kMostMultiprocessors = 1024;

/// Splits "name=value" fields; a value ends where the next known name begins.
std::map<std::string, std::string> fields_of(std::string_view line) {
  std::map<std::size_t, std::string_view> starts;
  for (const std::string_view field : kFields) {
    const std::string mark = std::string(field) + "=";
    std::size_t at = line.find(mark);
    while (at != std::string_view::npos && at > 0 && line[at - 1] != ' ') at = line.find(mark, at + 1);
    if (at != std::string_view::npos) starts[at] = field;
  }
  std::map<std::string, std::string> fields;
  for (auto start = starts.begin(); start != starts.end(); ++start) {
    const auto next = std::next(start);
    const std::size_t begin = start->first + start->second.size() + 1;
    std::string_view value = line.substr(begin, (next == starts.end() ? line.size() : next->first) - begin);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\n')) value.remove_suffix(1);
    fields[std::string(start->second)] = value;
  }
  return fields;
}

template <class T>
T number_of(std::string_view text, std::string_view field) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("{0}={1}: '{1}' is not a number", field, text));
  return number;
}

/// "FIRST:SECOND"; ":SECOND" may be missing, and so may the whole field.
template <class First, class Second>
void read_pair(const std::map<std::string, std::string>& fields, const std::string& name, First& first,
               Second& second) {
  const auto field = fields.find(name);
  if (field == fields.end()) return;
  const std::string_view text = field->second;
  const std::size_t colon = text.find(':');
  first = number_of<First>(text.substr(0, colon), name);
  if (colon != std::string_view::npos) second = number_of<Second>(text.substr(colon + 1), name);
}

}  // namespace

std::string repro_line(const Case& test) {
  std::string line = fmt::format("kernel={} params={} problem={} input={} check={}", test.kernel->full_name(),
                                 test.kernel->space.text(test.params), problem_text(test.problem),
                                 input_text(test.input), test.law.empty() ? "oracle" : test.law);
  if (is_host(test.target)) line += fmt::format(" schedule={}:{}", test.schedule_seed, test.resident_blocks);
  if (is_host(test.target) && test.stale_loads != 0)
    line += fmt::format(" stale={}:{}", test.stale_loads, test.stale_end);
  if (is_host(test.target) && test.multiprocessors != 0)
    line += fmt::format(" multiprocessors={}", test.multiprocessors);
  return line + " target=" + test.target;
}

Case parse_repro(const Catalogue& catalogue, std::string_view line) {
  const auto fields = fields_of(unfolded(line));
  const auto required = [&](const std::string& name) {
    const auto field = fields.find(name);
    if (field == fields.end())
      throw std::invalid_argument(fmt::format("the line has no {}=; give a line as conform prints it", name));
    return field->second;
  };
  Case test;
  test.kernel = &catalogue.kernel(required("kernel"));
  test.params = test.kernel->default_point;
  if (fields.contains("params")) test.params = test.kernel->space.parse(fields.at("params"), test.params);
  const Problem given = parse_problem(required("problem"));
  const Pattern& pattern = catalogue.pattern(given.pattern);
  test.problem = checked_problem(pattern, given);
  if (given.pattern != test.kernel->pattern)
    throw std::invalid_argument(
        fmt::format("the kernel {} does not solve the problem {}", test.kernel->full_name(), problem_text(given)));
  if (fields.contains("input")) test.input = parse_input(fields.at("input"));
  (void)input_kind(pattern, test.problem, test.input.kind);
  if (fields.contains("check") && fields.at("check") != "oracle") {
    test.law = fields.at("check");
    const bool on_host = fields.contains("target") && is_host(fields.at("target"));
    bool known = test.law == kDeterminism || (on_host && (test.law == kSampled || test.law == kAllSchedules));
    for (const Law& law : pattern.laws) known = known || law.name == test.law;
    if (!known) throw std::invalid_argument(fmt::format("{} has no law '{}'", pattern.name, test.law));
  }
  read_pair(fields, "schedule", test.schedule_seed, test.resident_blocks);
  read_pair(fields, "stale", test.stale_loads, test.stale_end);
  if (fields.contains("multiprocessors")) {
    const std::string& text = fields.at("multiprocessors");
    test.multiprocessors = number_of<int>(text, "multiprocessors");
    if (test.multiprocessors < 1 || test.multiprocessors > kMostMultiprocessors)
      throw std::invalid_argument(
          fmt::format("multiprocessors={}: write a number from 1 to {}", text, kMostMultiprocessors));
  }
  if (fields.contains("target")) test.target = parse_target(fields.at("target"));
  return test;
}

Device device_for(const Case& test, const Device& usual) {
  Device device = usual;
  if (is_host(test.target) && test.multiprocessors != 0) device.sm_count = test.multiprocessors;
  return device;
}

}  // namespace warpwright::conformance
