// Turns a result into a diagnostic: what is wrong with a kernel, and where.
#include "conformance/suite/diagnostics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <utility>

#include "conformance/mutants/source.hpp"
#include "kernels/core/text.hpp"
#include "kernels/runtime/simulator/module/source_text.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {
namespace {

using simulator::Finding;
using simulator::ThreadLocation;

Location at_of(const ThreadLocation& at) {
  return {.file = at.file, .line = at.line, .column = std::max(at.column, 1)};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// The parts of a text after its separators "; ", as lines.
std::vector<std::string> further(std::string_view text) {
  constexpr std::string_view mark = "; note: ";
  std::vector<std::string> lines;
  while (text.starts_with("; ")) {
    const std::size_t next = text.find(mark, 1);
    lines.emplace_back(text.substr(2, next == std::string_view::npos ? next : next - 2));
    text.remove_prefix(next == std::string_view::npos ? text.size() : next);
  }
  return lines;
}

/// The role of a finding's second location.
std::string_view other_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::race:
      return "the other access";
    case FindingKind::unfinished_copy:
      return "the copy";
    case FindingKind::signed_overflow:
      return "the access";
    default:
      return "the other thread";
  }
}

std::string_view kind_of(FindingKind finding) {
  return finding == FindingKind::no_model ? "not modelled" : word_of(finding);
}

/// Takes location and message from the first error in a compiler's output.
void point_at_error(Diagnostic& one) {
  // The formats of g++ and of NVRTC.
  static const std::regex gnu(R"(^(.+?):([0-9]+):([0-9]+): (?:fatal )?error: (.*)$)");
  static const std::regex nvidia(R"(^(.+?)\(([0-9]+)\): (?:catastrophic )?error(?: #[^:]*)?: (.*)$)");
  for (const std::string& line : one.more) {
    std::smatch found;
    if (std::regex_match(line, found, gnu))
      one.at = {.file = found[1], .line = std::stoi(found[2]), .column = std::max(1, std::stoi(found[3]))};
    else if (std::regex_match(line, found, nvidia))
      one.at = {.file = found[1], .line = std::stoi(found[2])};
    else
      continue;
    one.message = found[found.size() - 1];
    return;
  }
}

constexpr std::string_view kNotCompiled = "does not compile";

constexpr std::array kKinds{
    DiagnosticKind{"race", "Two accesses to one memory location, one of them a store, that nothing orders.",
                   "Put a barrier, a fence with a flag, or an atomic operation between them."},
    DiagnosticKind{"out of bounds", "An access outside every buffer, or outside the array that it indexes.",
                   "Test the index against the extent before the access."},
    DiagnosticKind{"misaligned", "An access at an address that is no multiple of its size.",
                   "Use a narrower type where the pointer or the row is not aligned."},
    DiagnosticKind{"input written", "A store to a buffer that the kernel only reads.",
                   "Write to an output, or declare the buffer as one that is read and written."},
    DiagnosticKind{"barrier divergence", "Threads of a block that do not meet at one barrier.",
                   "Move the barrier out of the branch, and let no thread leave before it."},
    DiagnosticKind{"bad warp mask", "A mask that omits its caller, names absent lanes, or disagrees with another.",
                   "Give every lane that takes part the same mask, of exactly these lanes."},
    DiagnosticKind{"hang", "No thread can continue, or a loop does not end.",
                   "Look for a barrier or a flag that somebody waits for and nobody reaches."},
    DiagnosticKind{"illegal launch", "A launch that the device refuses.", "Keep to the limits of the architecture."},
    DiagnosticKind{"unknown entry", "A kernel or constant that the program does not have.", "Check its name."},
    DiagnosticKind{
        "trap", "The kernel stopped itself (__trap, assert), divided by zero, called no function or recursed forever.",
        "See what failed at that line."},
    DiagnosticKind{"uninitialised read", "A load of memory that nobody wrote.",
                   "Write the memory first, or do not read what lies beyond the valid part."},
    DiagnosticKind{"uninitialised local", "A local variable without a value reached an output.",
                   "Give the variable a value on every path."},
    DiagnosticKind{"wrong arguments", "A launch passes what its kernel does not take.",
                   "Compare the arguments of the launch with the kernel's parameters."},
    DiagnosticKind{"unfinished copy", "Memory is used while an asynchronous copy of it is under way.",
                   "Wait for the copy, and let the other threads know."},
    DiagnosticKind{"scratch not restored", "Scratch that must be zero after the run is not.",
                   "Let the kernel set back what it used."},
    DiagnosticKind{"kept state", "A run uses what an earlier run left in a variable of the kernel's file.",
                   "Let the last block set the variable back, or pass a buffer that a step sets."},
    DiagnosticKind{"wrong value", "An output differs from the oracle's by more than the bound.",
                   "Run the repro command and compare the element that is named."},
    DiagnosticKind{"broken law", "Outputs do not have a relation to one another that they must have.",
                   "Run the repro command and compare the elements that are named."},
    DiagnosticKind{"not deterministic", "Outputs depend on the order in which threads run.",
                   "Fix the order of the updates, or do not declare the kernel deterministic."},
    DiagnosticKind{"oracle fault", "The reference itself does something wrong.", "Correct the reference first."},
    DiagnosticKind{kNotCompiled, "The compiler refuses the kernel.", "Read the compiler's message."},
    DiagnosticKind{"not launchable", "The device refuses the launch.", "Keep to the limits of the architecture."},
    DiagnosticKind{"crash", "The process that ran the kernel died.", "Run the repro command under a debugger."},
    DiagnosticKind{"refused job", "A job file is wrong, or its source is.", "Correct the line that the message names."},
    DiagnosticKind{"invalid default", "The kernel's default parameters are no point of its space.",
                   "Correct the default or the space."},
    DiagnosticKind{"mutant survived", "The kernel with one mistake in it passes its tests.",
                   "Test what the mistake changes, or declare it equivalent with the reason."},
    DiagnosticKind{"not mutated", "No rule finds anything to break in the kernel, so nothing was shown of its tests.",
                   "See whether its default is valid and what it launches."},
    DiagnosticKind{"signed overflow",
                   "The result of signed arithmetic does not fit its type, and an access out of bounds comes from it.",
                   "Compute indices in 64 bits: convert one factor before the product."},
    DiagnosticKind{"too much work", "A case reached its limit of work, so it was not checked.",
                   "State the work in the job file, or check smaller cases with --max-steps."},
    DiagnosticKind{"not modelled", "The simulator has no model of what the kernel does, so it was not checked.",
                   "Check the kernel on a GPU: conform --target native."},
    DiagnosticKind{"skipped", "Nothing that was drawn fits the kernel, so it was not checked.",
                   "See the reason: what the kernel takes, and on which device."},
    DiagnosticKind{"tolerated", "Something that the kernel or --strict off asks to tolerate was found.",
                   "Correct it, or keep the reason that is given for it."},
    DiagnosticKind{"warning", "The check is weaker than it could be: no oracle, a guessed bound, a header left out.",
                   "Give the job an oracle, a bound, or the folders of its headers."},
};

/// Width of text for people, and the indentation of continuation lines.
constexpr std::size_t kColumns = 100, kFurther = 6;

/// Calls `use` with path and text of each of the kernel's files, until it returns true.
template <class Use>
void among_files(const Catalogue& catalogue, const Kernel& kernel, Use use) {
  const SourceTree& sources = catalogue.sources();
  for (const std::string& file : includes_of(sources, kernel.source)) {
    const std::string& text = sources.at(file);
    // The text of a job contains several files of the user.
    auto files = simulator::marked_files(text);
    if (files.empty()) files.emplace(file, text);
    for (const auto& [path, part] : files)
      if (use(path, part)) return;
  }
}

/// For a race whose two accesses are on one line or in one loop: a hint that they may be in different iterations, which
/// is easily overlooked. The simulator does not count iterations.
std::string hint_at_passes(const Catalogue& catalogue, const Kernel& kernel, const Finding& found) {
  if (found.kind != FindingKind::race || found.location.file != found.other.file) return {};
  const Location one = at_of(found.location), other = at_of(found.other);
  std::optional<int> loop;
  among_files(catalogue, kernel, [&](const std::string& path, const std::string& text) {
    if (path == one.file) loop = loop_around(text, one, other);
    return path == one.file;
  });
  if (loop) return fmt::format(", maybe in another pass of the loop at line {}", *loop);
  return one.line == other.line ? ", on the same line at another time" : "";
}

}  // namespace

std::optional<int> loop_around(const std::string& text, const Location& one, const Location& other) {
  const DeviceSource source(one.file, text);
  const auto column_of = [&](const Token& token) {
    const std::size_t before = token.begin == 0 ? std::string::npos : text.rfind('\n', token.begin - 1);
    return static_cast<int>(token.begin - (before == std::string::npos ? 0 : before + 1)) + 1;
  };
  const auto is_in = [&](const TokenRange& range, const Location& at) {
    const Token &first = source.tokens()[range.first], &last = source.tokens()[range.last];
    return std::pair(first.line, column_of(first)) <= std::pair(at.line, at.column) &&
           std::pair(at.line, at.column) <= std::pair(last.line, column_of(last));
  };
  std::optional<int> line;
  for (const DeviceFunction& function : source.functions())
    for (const Statement& statement : function.statements)
      if (statement.kind == Statement::Kind::loop && is_in(statement.all, one) && is_in(statement.all, other))
        line = source.tokens()[statement.all.first].line;
  return line;
}

std::string text_of(const Location& at) {
  return fmt::format("{}:{}:{}", printable(at.file), at.line, at.column);
}

std::string headline(const Diagnostic& one) {
  return fmt::format("{}: {}: {}", text_of(one.at), one.kind, printable(one.message));
}

std::string text_of(const Diagnostic& one, bool verbose) {
  std::string why;
  const auto add = [&](const std::string& words, const std::string& code) {
    if (words.empty() && code.empty()) return;
    why += why.empty() ? "  " : why.ends_with(';') ? " " : "; ";  // code may end with one
    why += printable(words + (words.empty() || code.empty() ? "" : ": ") + code);
  };
  const bool on_one_line = one.other && one.other->at.file == one.at.file && one.other->at.line == one.at.line;
  add(one.by, on_one_line ? "" : one.code);
  if (one.other) add(fmt::format("{}: {}", text_of(one.other->at), one.other->words), one.other->code);
  // A compiler's output shows source lines, so its lines and columns are kept.
  const bool is_compilers = one.kind == kNotCompiled;
  if (!is_compilers)
    for (const std::string& more : one.more) add(more, "");
  std::string text = wrapped(headline(one), kColumns, kFurther - 2);
  if (!why.empty()) text += wrapped(why, kColumns, kFurther);
  if (is_compilers)
    for (const std::string& line : one.more) text += fmt::format("  {}\n", printable(line));
  if (verbose && !one.detail.empty()) text += wrapped("  " + printable(one.detail), kColumns, kFurther);
  if (!one.repro.empty()) text += folded_command(fmt::format("  reproduce: {}", one.repro), kColumns, kFurther) + "\n";
  return text;
}

std::string code_at(const Catalogue& catalogue, const Location& at) {
  std::string text;
  if (std::ifstream file(at.file, std::ios::binary); file)
    text.assign(std::istreambuf_iterator<char>(file), {});
  else if (const auto known = catalogue.sources().find(at.file); known != catalogue.sources().end())
    text = known->second;
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < at.line; ++i)
    if (!std::getline(lines, line)) return {};
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view failure_kind(const Case& test, const CaseResult& result) {
  if (result.finding) return kind_of(*result.finding);
  const std::string_view detail = result.detail;
  switch (result.verdict) {
    case Verdict::not_modelled:
      return "not modelled";
    case Verdict::not_compiled:
      return kNotCompiled;
    case Verdict::timed_out:
      return word_of(FindingKind::hang);
    case Verdict::crashed:
      return "crash";
    case Verdict::failed:
      break;
    default:
      return word_of(result.verdict);
  }
  // The wording of the GPU's worker.
  if (detail.starts_with("wrote beside the buffer ")) return word_of(FindingKind::out_of_bounds);
  if (detail.starts_with("changed its input ")) return word_of(FindingKind::input_written);
  if (detail.starts_with("left the self-restoring scratch ")) return word_of(FindingKind::scratch_not_restored);
  if (detail.starts_with("the oracle of ")) return "oracle fault";
  if (test.law == kDeterminism) return "not deterministic";
  const bool is_law = !test.law.empty() && test.law != kAllSchedules && test.law != kSampled;
  return is_law ? "broken law" : "wrong value";
}

void point_at(Diagnostic& one, const Finding& found) {
  one.kind = kind_of(found.kind);
  one.message = found.message;
  one.about = found.buffer;
  if (found.location.line != 0) {
    one.at = at_of(found.location);
    one.by = "by " + thread_of(found.location);
  }
  std::vector<std::string> details;
  if (found.address != 0) details.push_back(fmt::format("at address {:#x}", found.address));
  if (!found.entry.empty()) details.push_back("in " + unqualified(found.entry));
  one.detail = fmt::format("{}", fmt::join(details, ", "));
  if (found.other.line != 0)
    one.other = {.at = at_of(found.other),
                 .words = fmt::format("{}, by {}", other_of(found.kind), thread_of(found.other))};
}

Diagnostic diagnostic_of(const Catalogue& catalogue, const Case& test, const CaseResult& result) {
  Diagnostic one{.level = result.verdict == Verdict::not_modelled ? Level::note : Level::error,
                 .at = definition_of(catalogue, *test.kernel),
                 .kernel = test.kernel->full_name(),
                 .repro = repro_command(test.kernel->file, repro_line(test))};
  if (result.found) {
    point_at(one, *result.found);
    one.code = code_at(catalogue, one.at);
    if (one.other) {
      one.other->words += hint_at_passes(catalogue, *test.kernel, *result.found);
      one.other->code = code_at(catalogue, one.other->at);
    }
    if (const std::string spelt = describe(*result.found); result.detail.starts_with(spelt))
      one.more = further(std::string_view(result.detail).substr(spelt.size()));
    return one;
  }
  one.kind = failure_kind(test, result);
  if (result.verdict == Verdict::not_compiled) {
    one.more = lines_of(result.detail);
    if (!one.more.empty()) one.message = one.more.front();
    point_at_error(one);
    return one;
  }
  const std::size_t end = std::min(result.detail.find("; note: "), result.detail.find("; the host compiler warns: "));
  one.message = result.detail.substr(0, end);
  if (end != std::string::npos) one.more = further(std::string_view(result.detail).substr(end));
  one.detail = "in " + test.kernel->full_name();
  one.about = one.message.substr(0, one.message.find('['));
  return one;
}

std::optional<Diagnostic> diagnostic_of(const Catalogue& catalogue, const PropertyReport& report) {
  if (report.counterexample) return diagnostic_of(catalogue, *report.counterexample, report.failure);
  Diagnostic one{.at = definition_of(catalogue, *report.kernel), .kernel = report.kernel->full_name()};
  if (!report.fault.empty()) {
    one.kind = "invalid default";
    one.message = report.fault;
    return one;
  }
  if (report.verdict() != Verdict::not_modelled) return std::nullopt;
  one.level = Level::note;
  one.kind = "not modelled";
  one.message = report.not_modelled;
  if (report.not_modelled_at) {
    one.at = at_of(report.not_modelled_at->location);
    one.message = report.not_modelled_at->message;
  }
  one.message += fmt::format(" (in {} of {} cases)", report.unmodelled, report.cases);
  return one;
}

std::optional<Location> definition_in(const std::string& file, const std::string& text, const std::string& function) {
  const DeviceSource source(file, text);
  for (const DeviceFunction& one : source.functions()) {
    if (!one.is_kernel || one.name != function) continue;
    for (std::size_t i = one.head.first; i <= one.head.last; ++i) {
      const Token& token = source.tokens()[i];
      if (text.compare(token.begin, token.end - token.begin, function) != 0) continue;
      const std::size_t before = token.begin == 0 ? std::string::npos : text.rfind('\n', token.begin - 1);
      return Location{.file = file,
                      .line = token.line,
                      .column = static_cast<int>(token.begin - (before == std::string::npos ? 0 : before + 1)) + 1};
    }
  }
  return std::nullopt;
}

Location definition_of(const Catalogue& catalogue, const Kernel& kernel) {
  std::optional<Location> found;
  among_files(catalogue, kernel, [&](const std::string& path, const std::string& part) {
    found = definition_in(path, part, kernel.name);
    // The name of a kernel from a job file begins with its namespaces.
    if (const std::size_t scope = kernel.name.rfind("__"); !found && scope != std::string::npos)
      found = definition_in(path, part, kernel.name.substr(scope + 2));
    return found.has_value();
  });
  // A job of several kernels has a name of its own.
  const bool is_of_job = !kernel.file.empty();
  return found.value_or(Location{.file = is_of_job ? kernel.file : kernel.source, .line = is_of_job ? 1 : 0});
}

std::span<const DiagnosticKind> diagnostic_kinds() {
  return kKinds;
}

std::string rule_id(std::string_view kind) {
  std::string id(kind);
  std::ranges::replace(id, ' ', '-');
  return id;
}

}  // namespace warpwright::conformance
