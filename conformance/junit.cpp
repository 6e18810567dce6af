// Writing JUnit XML.
#include "conformance/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace warpwright::conformance {
namespace {

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
                   !replay.result        ? skipped(replay.obsolete)
                   : replay.result->ok() ? ""
                                         : failure(*replay.result, replay.stored.repro));
}

std::string test_case(const PropertyReport& property) {
  return test_case(
      property.kernel->pattern, property.kernel->name, property.seconds,
      !property.ok()        ? failure(property.failure, repro_line(*property.counterexample))
      : property.cases == 0 ? skipped(property.skipped.empty() ? "interrupted before the first case" : property.skipped)
      : !property.not_judged.empty() ? skipped(fmt::format("{}: {}", word_of(Verdict::not_judged), property.not_judged))
                                     : "");
}

}  // namespace

void write_junit(const std::string& path, const std::string& target, const std::vector<Replay>& replays,
                 const std::vector<PropertyReport>& properties) {
  const auto failures =
      std::ranges::count_if(properties, [](const PropertyReport& p) { return !p.ok(); }) +
      std::ranges::count_if(replays, [](const Replay& replay) { return replay.result && !replay.result->ok(); });
  double seconds = 0;
  for (const PropertyReport& property : properties) seconds += property.seconds;
  std::ofstream out(path);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format("<testsuite name=\"conform {}\" tests=\"{}\" failures=\"{}\" time=\"{:.3f}\">\n", escaped(target),
                     replays.size() + properties.size(), failures, seconds);
  for (const Replay& replay : replays) out << test_case(replay);
  for (const PropertyReport& property : properties) out << test_case(property);
  out << "</testsuite>\n";
  out.close();
  if (!out)
    throw std::runtime_error("cannot write the JUnit report " + path + ": name a file in a folder you can write");
}

}  // namespace warpwright::conformance
