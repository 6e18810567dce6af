// Formats a suite's results for people.
#include "conformance/program/suite_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "conformance/properties/remarks.hpp"
#include "kernels/core/caveats.hpp"
#include "kernels/core/text.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {
namespace {

constexpr std::size_t kWidth = 100;
/// Width limits of the column of kernel names.
constexpr std::size_t kLeast = 24, kMost = 40;

struct Word {
  std::string_view word;
  bool FailOn::*what;
};
constexpr std::array kWords{Word{"not-modelled", &FailOn::not_modelled}, Word{"skipped", &FailOn::skipped},
                            Word{"tolerated", &FailOn::tolerated}, Word{"warnings", &FailOn::warnings}};

/// The verdict in words, without its reasons.
std::string verdict_words(const PropertyReport& report) {
  if (!report.fault.empty()) return "not run: " + report.fault;
  if (!report.ok()) return fmt::format("FAILED: {}", failure_kind(*report.counterexample, report.failure));
  switch (report.verdict()) {
    case Verdict::not_run:
      return "not run";
    case Verdict::skipped:
      return "skipped: " + report.skipped;
    case Verdict::not_modelled:
      return "not modelled: " + (report.not_modelled_at ? report.not_modelled_at->message : report.not_modelled);
    default:
      break;
  }
  if (report.interrupted) return "interrupted";
  // A single execution says only that threads do not wait for each other.
  return fmt::format("passed{}{}{}", has_unchecked_values(report.caveats) ? ", values not checked" : "",
                     report.tolerated.empty() ? "" : fmt::format(", {} tolerated", report.tolerated.size()),
                     report.exhausted > 1 ? fmt::format(", exhausted: {} executions", report.exhausted) : "");
}

Tone tone_of(const PropertyReport& report) {
  if (!report.ok() || !report.fault.empty()) return Tone::bad;
  const bool is_clean = report.tolerated.empty() && !has_unchecked_values(report.caveats);
  return report.verdict() == Verdict::passed && is_clean ? Tone::good : Tone::notice;
}

/// All columns except the verdict.
std::string line_of(const std::string& name, const std::string& cases, const std::string& time,
                    const std::string& bound, std::size_t name_width) {
  const std::string shown = cut(printable(name), name_width);
  return fmt::format("{}{}  {:>7}  {:>9}  {:>8}  ", shown, std::string(name_width - width_of(shown), ' '), cases, time,
                     bound);
}

Diagnostic requested(const Catalogue& catalogue, const PropertyReport& report, std::string kind, std::string message) {
  return {.kind = std::move(kind),
          .at = definition_of(catalogue, *report.kernel),
          .message = std::move(message),
          .kernel = report.kernel->full_name()};
}

}  // namespace

std::optional<double> share_of_bound(const PropertyReport& report) {
  // If nothing else was found, outputs were compared. A finding says nothing about the outputs.
  const bool is_compared = report.checked() > 0 && report.fault.empty();
  if (report.ok()) return is_compared ? std::optional(report.worst_error_ratio) : std::nullopt;
  const CaseResult& failure = report.failure;
  if (failure.verdict != Verdict::failed || failure.finding || failure.error_ratio <= 0 ||
      !std::isfinite(failure.error_ratio))
    return std::nullopt;
  return failure.error_ratio;
}

std::string verdict_of(const PropertyReport& report) {
  if (!report.fault.empty()) return std::string(word_of(Verdict::not_run));
  if (!report.ok()) return std::string(word_of(Verdict::failed));
  return std::string(word_of(report.verdict()));
}

bool FailOn::has_warning(const std::string& words) const {
  return warnings || (no_oracle && has_unchecked_values({words}));
}

std::vector<std::string> FailOn::options() const {
  std::vector<std::string> all;
  if (std::ranges::any_of(kWords, [this](const Word& one) { return this->*one.what; })) all.emplace_back("--fail-on");
  if (no_oracle) all.emplace_back("--require-oracle");
  return all;
}

std::vector<std::string> fail_on_words() {
  std::vector<std::string> words;
  for (const Word& one : kWords) words.emplace_back(one.word);
  return words;
}

FailOn fail_on(const std::vector<std::string>& words) {
  FailOn chosen;
  for (const std::string& word : words) {
    const auto known = std::ranges::find(kWords, word, &Word::word);
    if (known == kWords.end())
      throw std::invalid_argument(fmt::format("--fail-on takes {}, not '{}'", fmt::join(fail_on_words(), ", "), word));
    chosen.*known->what = true;
  }
  return chosen;
}

std::vector<Diagnostic> diagnostics_of(const Catalogue& catalogue, const PropertyReport& report,
                                       const FailOn& fail_on) {
  std::vector<Diagnostic> all;
  if (auto one = diagnostic_of(catalogue, report)) {
    if (one->kind == "not modelled" && fail_on.not_modelled) one->level = Level::error;
    all.push_back(std::move(*one));
  }
  if (fail_on.skipped && report.verdict() == Verdict::skipped)
    all.push_back(requested(catalogue, report, "skipped", report.skipped));
  if (fail_on.tolerated)
    for (const CountedTolerated& counted : report.tolerated) {
      Diagnostic one = requested(catalogue, report, "tolerated", "");
      point_at(one, counted.finding.found);
      one.message = fmt::format("{}: {}", std::exchange(one.kind, "tolerated"), one.message);
      one.more = {fmt::format("tolerated in {} of {} cases: {}", counted.cases, report.cases,
                              reason_for(*report.kernel, counted.finding.rule))};
      all.push_back(std::move(one));
    }
  for (const std::string& caveat : report.warnings())
    if (fail_on.has_warning(caveat)) all.push_back(requested(catalogue, report, "warning", caveat));
  return all;
}

Diagnostic diagnostic_of(const Catalogue& catalogue, const Replay& replay) {
  Diagnostic one = diagnostic_of(catalogue, replay.test.value(), replay.result.value());
  one.more.emplace_back("a stored counterexample, which fails still");
  return one;
}

bool has_error(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::find(diagnostics, Level::error, &Diagnostic::level) != diagnostics.end();
}

SuiteTable::SuiteTable(const std::vector<std::string>& kernels, Screen screen) : name_width_(kLeast), screen_(screen) {
  for (const std::string& name : kernels) name_width_ = std::max(name_width_, std::min(kMost, width_of(name)));
}

std::string SuiteTable::header() const {
  return painted(line_of("KERNEL", "CASES", "TIME", "OF BOUND", name_width_) + "VERDICT", Tone::heading, screen_);
}

std::string SuiteTable::row(const PropertyReport& report) const {
  const bool has_run = report.cases > 0;
  const std::optional<double> of_bound = share_of_bound(report);
  const std::string line = line_of(report.kernel->full_name(), std::to_string(report.cases),
                                   has_run ? fmt::format("{:.1f} s", report.seconds) : "-",
                                   of_bound ? fmt::format("{:.2f}", *of_bound) : "-", name_width_);
  const std::string words = cut(printable(verdict_words(report)), kWidth - width_of(line));
  return line + painted(words, tone_of(report), screen_);
}

std::vector<std::string> verbose_lines(const PropertyReport& report) {
  std::vector<std::string> lines;
  if (report.cases > 0 && report.seconds > 0) {
    const std::string rate = rate_of(report.steps, report.threads, report.seconds);
    lines.push_back(fmt::format("{:.3g} cases/s{}{}", report.cases / report.seconds, rate.empty() ? "" : ", ", rate));
  }
  if (report.refused > 0)
    lines.push_back(fmt::format("{} replaced: the kernel does not support {}", counted(report.refused, "drawn case"),
                                report.refused == 1 ? "it" : "them"));
  if (report.first_failure) lines.push_back("as drawn: " + repro_line(*report.first_failure));
  for (std::string& hint : hints_on(report)) lines.push_back(std::move(hint));
  return lines;
}

std::string summary_of(const SuiteReport& report, const std::vector<Replay>& replays, std::size_t refused,
                       const std::string& target, std::uint64_t seed) {
  std::vector<std::string> ends;
  // Only the first count has the noun.
  const auto add = [&](std::int64_t count, std::string_view words) {
    if (count > 0)
      ends.push_back(fmt::format("{} {}", ends.empty() ? counted(count, "kernel") : grouped(count), words));
  };
  const auto kernels = static_cast<std::int64_t>(report.properties.size());
  const int passed = report.count(Verdict::passed);
  const bool all_passed = passed == kernels && report.failures() == 0 && refused == 0;
  if (!all_passed) add(passed, "passed");
  add(report.failures(), "FAILED");
  add(report.count(Verdict::not_run), "NOT RUN");
  add(report.count(Verdict::not_modelled), "not modelled");
  add(report.count(Verdict::skipped), "skipped");
  const auto stored = [&](std::int64_t count, std::string_view words) {
    if (count > 0) ends.push_back(fmt::format("{} {}", counted(count, "stored case"), words));
  };
  stored(std::ranges::count_if(replays, &Replay::failed), "FAILED");
  stored(std::ranges::count_if(replays, &Replay::not_run), "NOT RUN");
  if (refused > 0) ends.push_back(fmt::format("{} refused", counted(static_cast<std::int64_t>(refused), "job file")));
  if (ends.empty()) ends.emplace_back("all passed");
  const auto unchecked = std::ranges::count_if(report.properties, [](const PropertyReport& property) {
    return property.verdict() == Verdict::passed && has_unchecked_values(property.caveats);
  });
  if (unchecked > 0)
    ends.back() += kernels == 1 ? fmt::format("; {}", kValuesNotChecked)
                                : fmt::format("; values of {} were not checked", counted(unchecked, "kernel"));
  return fmt::format("{} of {} in {:.1f} s on {}, seed {}: {}", counted(report.cases(), "case"),
                     counted(kernels, "kernel"), report.seconds, target, seed, fmt::join(ends, ", "));
}

std::string rate_of(std::uint64_t steps, std::uint64_t threads, double seconds) {
  if (steps == 0 || seconds <= 0) return {};
  const auto a_second = [&](std::uint64_t count) {
    return grouped(std::llround(static_cast<double>(count) / seconds));
  };
  return fmt::format("{} accesses/s, {} threads/s", a_second(steps), a_second(threads));
}

}  // namespace warpwright::conformance
