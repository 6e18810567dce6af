// Writes JUnit XML.
#include "conformance/program/junit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "conformance/properties/remarks.hpp"
#include "kernels/system/output_file.hpp"

namespace warpwright::conformance {
namespace {

constexpr const char* kNotRun = "not run: the run ended before it";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return out;
}

/// The first error; empty if there is none.
std::string failure(const std::vector<Diagnostic>& diagnostics) {
  const auto first = std::ranges::find(diagnostics, Level::error, &Diagnostic::level);
  if (first == diagnostics.end()) return {};
  std::string text;
  for (const Diagnostic& one : diagnostics)
    if (one.level == Level::error) text += text_of(one, true);
  return fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n", escaped(first->kind),
                     escaped(headline(*first)), escaped(text));
}

std::string skipped(const std::string& why) {
  return fmt::format("    <skipped message=\"{}\"/>\n", escaped(why));
}

std::string test_case(const std::string& pattern, const std::string& name, double seconds, const std::string& inner) {
  return fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n{}  </testcase>\n", escaped(pattern),
                     escaped(name), seconds, inner);
}

std::string test_case(const SuiteResults::Stored& stored) {
  const Replay& replay = stored.replay;
  return test_case(replay.stored.pattern, "stored: " + replay.stored.repro, 0,
                   replay.not_run() ? skipped(kNotRun)
                   : !replay.result ? skipped(replay.obsolete)
                                    : failure(stored.diagnostics));
}

std::string system_out(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += escaped(line) + "\n";
  return text.empty() ? "" : "    <system-out>" + text + "</system-out>\n";
}

std::string inner_of(const SuiteResults::OfKernel& kernel) {
  const PropertyReport& property = kernel.report;
  // A kernel for which no case can be drawn counts as not run.
  if (!property.fault.empty()) return skipped("not run: " + property.fault);
  if (std::string wrong = failure(kernel.diagnostics); !wrong.empty()) return wrong;
  switch (property.verdict()) {
    case Verdict::not_run:
      return skipped(kNotRun);
    case Verdict::skipped:
      return skipped(property.skipped);
    case Verdict::not_modelled:
      return skipped(headline(kernel.diagnostics.front()));
    default:
      return "";
  }
}

std::string test_case(const SuiteResults::OfKernel& kernel) {
  const PropertyReport& property = kernel.report;
  return test_case(property.kernel->pattern, property.kernel->name, property.seconds,
                   inner_of(kernel) + system_out(remarks_on(property)));
}

std::string test_case(const Mutant& mutant, const MutantResult& result) {
  const Mutation& mutation = mutant.mutation;
  const std::string name = fmt::format("{} {}:{} {}", mutation.rule, mutation.file, mutation.line, mutation.change);
  std::string inner;
  if (result.outcome == "survived")
    inner = fmt::format("    <failure type=\"survived\" message=\"{}\"/>\n", escaped(result.detail));
  else if (result.outcome.empty())
    inner = skipped(kNotRun);
  else if (result.outcome != "killed" && result.outcome != "equivalent")
    inner = skipped(fmt::format("{}: {}", result.outcome, result.detail));
  return test_case(mutant.kernel->full_name(), name, result.seconds, inner);
}

/// Writes the test cases of a suite.
void write(const std::string& path, const std::string& suite, double seconds, const std::vector<std::string>& cases) {
  const auto count = [&](const char* element) {
    return std::ranges::count_if(cases, [&](const std::string& one) { return one.find(element) != std::string::npos; });
  };
  const std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}</testsuite>\n",
      escaped(suite), cases.size(), count("\n    <failure "), count("\n    <skipped "), seconds, fmt::join(cases, ""));
  write_file(path, "the JUnit report", text);
}

}  // namespace

void write_junit(const std::string& path, const SuiteResults& results) {
  double seconds = 0;
  std::vector<std::string> cases;
  for (const auto& stored : results.stored) cases.push_back(test_case(stored));
  for (const auto& kernel : results.kernels) {
    seconds += kernel.report.seconds;
    cases.push_back(test_case(kernel));
  }
  for (const auto& refused : results.refused)
    cases.push_back(test_case("job file", refused.file, 0, failure({refused.diagnostic})));
  write(path, "conform " + results.target, seconds, cases);
}

void write_junit(const std::string& path, const std::string& target, const std::vector<Mutant>& mutants,
                 const std::vector<MutantResult>& results) {
  double seconds = 0;
  std::vector<std::string> cases;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    seconds += results[i].seconds;
    cases.push_back(test_case(mutants[i], results[i]));
  }
  write(path, "conform --mutants " + target, seconds, cases);
}

}  // namespace warpwright::conformance
