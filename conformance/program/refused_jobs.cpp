// Words and diagnostics of job files that were refused.
#include "conformance/program/refused_jobs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>

#include "kernels/core/text.hpp"

namespace warpwright::conformance {

Diagnostic diagnostic_of(const job::RefusedJob& refused) {
  Diagnostic one{.kind = "refused job", .at = {.file = refused.file}, .message = refused.why};
  // Of a compiler's output, the first error.
  static const std::regex place(R"((^|\n)([^:\n]+):([0-9]{1,9})(:([0-9]{1,9}))?: (error: )?([^\n]+))");
  if (std::smatch found; std::regex_search(refused.why, found, place)) {
    one.at = {.file = found[2],
              .line = std::stoi(found[3]),
              .column = found[5].matched ? std::stoi(found[5]) : Location{}.column};
    one.message = found[7];
  }
  return one;
}

std::string describe(const std::vector<job::RefusedJob>& refused) {
  std::string text;
  for (const job::RefusedJob& one : refused)
    text += fmt::format("conform: {}\n  {} is refused; the other jobs are checked\n", one.why, printable(one.file));
  return text;
}

std::string reminder_of(const std::vector<job::RefusedJob>& refused) {
  std::vector<std::string> files;
  for (const job::RefusedJob& one : refused) files.push_back(printable(one.file));
  return fmt::format("{} {} refused", fmt::join(files, ", "), files.size() == 1 ? "was" : "were");
}

}  // namespace warpwright::conformance
