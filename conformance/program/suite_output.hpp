// A suite's results for people: a table with one line per kernel, diagnostics below it, and a summary.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/counterexamples.hpp"
#include "conformance/suite/diagnostics.hpp"
#include "conformance/suite/suite.hpp"
#include "kernels/system/screen.hpp"

namespace warpwright::conformance {

/// What counts as a failure in addition to wrong kernels.
struct FailOn {
  bool not_modelled = false;  ///< the simulator does not model an operation of a kernel
  bool skipped = false;       ///< no drawn case fits a kernel
  bool tolerated = false;     ///< a finding was tolerated, because a kernel or --strict off asks for it
  bool warnings = false;      ///< no oracle, a guessed bound, an omitted header
  bool no_oracle = false;     ///< a kernel has no source of right answers but itself

  /// Whether a warning with these words is a failure.
  bool has_warning(const std::string& words) const;
  /// The options that ask for this: "--fail-on", "--require-oracle".
  std::vector<std::string> options() const;
};

/// The words that --fail-on accepts.
std::vector<std::string> fail_on_words();

/// Throws std::invalid_argument for an unknown word.
FailOn fail_on(const std::vector<std::string>& words);

/// The diagnostics for a kernel: its failure, or that it was not modelled, then what `fail_on` turns into an error.
std::vector<Diagnostic> diagnostics_of(const Catalogue& catalogue, const PropertyReport& report, const FailOn& fail_on);

/// A stored counterexample that still fails.
Diagnostic diagnostic_of(const Catalogue& catalogue, const Replay& replay);

/// Whether one of them is an error.
bool has_error(const std::vector<Diagnostic>& diagnostics);

/// The greatest error as a fraction of its bound; nothing if no output was compared.
std::optional<double> share_of_bound(const PropertyReport& report);

/// The verdict as a word for programs: "passed", "failed", "not modelled", "skipped", "not run".
std::string verdict_of(const PropertyReport& report);

/// Formats one row per kernel, at most 100 columns wide.
class SuiteTable {
 public:
  SuiteTable(const std::vector<std::string>& kernels, Screen screen);

  std::string header() const;
  std::string row(const PropertyReport& report) const;

 private:
  std::size_t name_width_;
  Screen screen_;
};

/// Lines for --verbose: rates, cases drawn again or skipped, tolerated findings, how the case was shrunk.
std::vector<std::string> verbose_lines(const PropertyReport& report);

/// "60 cases of 3 kernels in 1.2 s on host/sm_90, seed 1: 2 passed, 1 failed"
std::string summary_of(const SuiteReport& report, const std::vector<Replay>& replays, std::size_t refused,
                       const std::string& target, std::uint64_t seed);

/// The simulator's rate: "1,200,000 accesses/s, 300,000 threads/s"; empty if it did nothing.
std::string rate_of(std::uint64_t steps, std::uint64_t threads, double seconds);

}  // namespace warpwright::conformance
