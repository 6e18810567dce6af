// Writing JUnit XML.
#include "conformance/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "conformance/remarks.hpp"

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

std::string failure(const CaseResult& result, const std::string& repro) {
  return fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                     escaped(std::string(word_of(result.verdict))), escaped(result.detail), escaped(repro));
}

std::string skipped(const std::string& why) {
  return fmt::format("    <skipped message=\"{}\"/>\n", escaped(why));
}

std::string test_case(const std::string& pattern, const std::string& name, double seconds, const std::string& inner) {
  return fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n{}  </testcase>\n", escaped(pattern),
                     escaped(name), seconds, inner);
}

std::string test_case(const Replay& replay) {
  return test_case(replay.stored.pattern, "stored: " + replay.stored.repro, 0,
                   replay.not_run()  ? skipped(kNotRun)
                   : !replay.result  ? skipped(replay.obsolete)
                   : replay.failed() ? failure(*replay.result, replay.stored.repro)
                                     : "");
}

std::string system_out(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += escaped(line) + "\n";
  return text.empty() ? "" : "    <system-out>" + text + "</system-out>\n";
}

std::string inner_of(const PropertyReport& property) {
  switch (property.verdict()) {
    case Verdict::passed:
      return "";
    case Verdict::not_run:
      return skipped(property.fault.empty() ? kNotRun : "not run: " + property.fault);
    case Verdict::skipped:
      return skipped(property.skipped);
    case Verdict::not_judged:
      return skipped(fmt::format("{}: {}", word_of(Verdict::not_judged), property.not_judged));
    default:
      return failure(property.failure, repro_line(*property.counterexample));
  }
}

std::string test_case(const PropertyReport& property) {
  return test_case(property.kernel->pattern, property.kernel->name, property.seconds,
                   inner_of(property) + system_out(remarks_on(property)));
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
  std::ofstream out(path);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
                     escaped(suite), cases.size(), count("\n    <failure "), count("\n    <skipped "), seconds);
  for (const std::string& one : cases) out << one;
  out << "</testsuite>\n";
  out.close();
  if (!out)
    throw std::runtime_error("cannot write the JUnit report " + path + ": name a file in a folder you can write");
}

}  // namespace

void write_junit(const std::string& path, const std::string& target, const std::vector<Replay>& replays,
                 const std::vector<PropertyReport>& properties) {
  double seconds = 0;
  std::vector<std::string> cases;
  for (const Replay& replay : replays) cases.push_back(test_case(replay));
  for (const PropertyReport& property : properties) {
    seconds += property.seconds;
    cases.push_back(test_case(property));
  }
  write(path, "conform " + target, seconds, cases);
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
