// Formats stored findings as lines of text.
#include "tuner/program/finding_text.hpp"

#include <fmt/format.h>

#include <regex>

#include "conformance/suite/diagnostics.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::tuner {
namespace {

constexpr std::string_view kReproduce = "; reproduce: ";
constexpr std::size_t kMostLines = 5;  ///< of compiler output

std::string_view kind_of(std::string_view verdict) {
  if (verdict == word_of(Verdict::failed)) return "wrong result";
  return verdict == word_of(Verdict::not_compiled) ? "does not compile" : verdict;
}

/// The first part of a message as a line, then the other parts, indented; without addresses.
std::string in_lines(const std::string& message) {
  static const std::regex address("; address 0x[0-9a-f]+");
  const std::string what = std::regex_replace(message, address, "");
  const std::size_t head = std::min(what.find("; "), what.find('\n'));
  std::string text = printable(what.substr(0, head)) + "\n";
  std::size_t lines = 0;
  for (std::size_t at = head; at < what.size() && lines < kMostLines; ++lines) {
    const std::size_t begin = at + (what[at] == '\n' ? 1 : 2);
    const std::size_t end = std::min(what.find('\n', begin), what.size());
    text += "  " + printable(what.substr(begin, end - begin)) + "\n";
    at = end;
  }
  return text;
}

}  // namespace

std::string finding_text(const Catalogue& catalogue, const Kernel& kernel, const db::TrialView& trial) {
  static const std::regex has_place(R"(^[^\n]*?:[0-9]+:[0-9]+: )");
  const std::string& detail = trial.trial.detail;
  const std::size_t repro = detail.find(kReproduce);
  const std::string what = detail.substr(0, repro);
  std::string text = in_lines(what);
  if (!std::regex_search(what, has_place))
    text = fmt::format("{}: {}: {}", conformance::text_of(conformance::definition_of(catalogue, kernel)),
                       kind_of(trial.trial.verdict), text);
  // The command names the kernel and its params.
  if (repro != std::string::npos)
    return text + fmt::format("  reproduce: {}\n", printable(detail.substr(repro + kReproduce.size())));
  return text + fmt::format("  in {}/{} {}\n", trial.pattern, trial.kernel, printable(unqualified(trial.params)));
}

std::string oracle_fault_text(const conformance::OracleFault& fault) {
  if (fault.is_of_data)
    return fmt::format(
        "tune: {}: the function that makes its data fails itself, on {}\n{}  Correct it. Then run tune again.\n",
        fault.pattern, printable(fault.problem), in_lines(fault.reason));
  return fmt::format(
      "tune: {0} has a wrong reference: the code that gives the right answers fails itself, on {1}\n{2}"
      "  Correct it: the \"oracle\" of the job or, where it has none, its default configuration. Then run tune "
      "again.\n",
      fault.pattern, printable(fault.problem), in_lines(fault.reason));
}

}  // namespace warpwright::tuner
