// What people read of a suite: a table with one line a kernel, what is wrong below it, and a summary.
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

/// What counts as wrong beside what is wrong.
struct FailOn {
  bool not_modelled = false;  ///< the simulator has no model of what a kernel does
  bool skipped = false;       ///< nothing that was drawn fits a kernel
  bool tolerated = false;     ///< a kernel, or --strict off, asks to tolerate what was found
  bool warnings = false;      ///< no oracle, a guessed bound, a header that is left out
};

/// The words that --fail-on takes.
std::vector<std::string> fail_on_words();

/// Throws std::invalid_argument for a word that is none of them.
FailOn fail_on(const std::vector<std::string>& words);

/// What is to be said of a kernel: what is wrong, or that it was not modelled, then what `fail_on` makes an error.
std::vector<Diagnostic> diagnostics_of(const Catalogue& catalogue, const PropertyReport& report, const FailOn& fail_on);

/// A stored counterexample that fails still.
Diagnostic diagnostic_of(const Catalogue& catalogue, const Replay& replay);

/// Whether one of them is an error.
bool has_error(const std::vector<Diagnostic>& diagnostics);

/// The largest error that was seen as a part of its bound; nothing where no output was compared.
std::optional<double> share_of_bound(const PropertyReport& report);

/// A word for programs: "passed", "failed", "not modelled", "skipped", "not run".
std::string verdict_of(const PropertyReport& report);

/// Rows of at most 100 columns, each of one kernel.
class SuiteTable {
 public:
  SuiteTable(const std::vector<std::string>& kernels, Screen screen);

  std::string header() const;
  std::string row(const PropertyReport& report) const;

 private:
  std::size_t name_width_;
  Screen screen_;
};

/// Lines behind --verbose: rates, what was drawn again or left out, what was tolerated, how the case was shrunk.
std::vector<std::string> verbose_lines(const PropertyReport& report);

/// "60 cases of 3 kernels in 1.2 s on host/sm_90, seed 1: 2 passed, 1 failed"
std::string summary_of(const SuiteReport& report, const std::vector<Replay>& replays, const std::string& target,
                       std::uint64_t seed);

/// What the simulator did in a time: "1.2 million accesses/s, 0.30 million threads/s"; empty where it did nothing.
std::string rate_of(std::uint64_t steps, std::uint64_t threads, double seconds);

}  // namespace warpwright::conformance
