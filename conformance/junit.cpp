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

}  // namespace

void write_junit(const std::string& path, const std::string& target, const std::vector<PropertyReport>& properties) {
  const auto failures = std::ranges::count_if(properties, [](const PropertyReport& p) { return !p.ok(); });
  double seconds = 0;
  for (const PropertyReport& property : properties) seconds += property.seconds;
  std::ofstream out(path);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format("<testsuite name=\"conform {}\" tests=\"{}\" failures=\"{}\" time=\"{:.3f}\">\n", escaped(target),
                     properties.size(), failures, seconds);
  for (const PropertyReport& property : properties) {
    out << fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", escaped(property.kernel->pattern),
                       escaped(property.kernel->name), property.seconds);
    if (!property.ok())
      out << fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n", escaped(property.failure.verdict),
                         escaped(property.failure.detail), escaped(repro_line(*property.counterexample)));
    else if (property.cases == 0)
      out << "    <skipped message=\"interrupted before the first case\"/>\n";
    out << "  </testcase>\n";
  }
  out << "</testsuite>\n";
  out.close();
  if (!out)
    throw std::runtime_error("cannot write the JUnit report " + path + ": name a file in a folder you can write");
}

}  // namespace warpwright::conformance
