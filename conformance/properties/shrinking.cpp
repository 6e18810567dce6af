// Tries simpler cases than the one that failed.
#include "conformance/properties/shrinking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/case_runner.hpp"
#include "conformance/properties/drawing.hpp"

namespace warpwright::conformance {
namespace {

double seconds_since(Stop::Clock::time_point begin) {
  return std::chrono::duration<double>(Stop::Clock::now() - begin).count();
}

/// Looks for simpler failing cases. A try gets less time and fewer steps than a normal case, but many times what the
/// passing cases took; otherwise a few tries of a hanging case would take minutes.
class Shrinking {
 public:
  Shrinking(const Catalogue& catalogue, Checker& checker, const Kernel& kernel, const PropertyOptions& options,
            const Passing& passing, PropertyReport& report)
      : catalogue_(catalogue),
        checker_(checker),
        kernel_(kernel),
        options_(options),
        end_{.asked = options.stop, .deadline = options.deadline},
        report_(report),
        is_hang_(report.failure.verdict == Verdict::timed_out),
        tried_(options.limits.times(
            passing.of_limit > 0 ? std::clamp(kTimesPassing * passing.of_limit, kLeast, 1.0) : kUnknown,
            std::min(kTimesPassing * passing.seconds + 1, kHangShrinkingSeconds))) {
    tried_.believe = worker::Process::Believe::first_loss;
    // A try that is stopped is none of the failures that are looked for, whether it hangs or only takes long.
    tried_.beyond_hangs = tried_.beyond_hangs || !is_hang_;
    seconds_of_passing_ = passing.seconds;
  }

  void run(std::size_t failed) {
    // The case as drawn, to return to if shrinking ends with a case that only takes long.
    const CaseResult drawn = report_.failure;
    draw_simpler(catalogue_, kernel_, checker_.device_of(options_.target), options_, failed,
                 [&](const Case& test) { return fails(test); });
    report_.shrinking.seconds = seconds_since(begin_);
    if (!is_hang_ || report_.counterexample == report_.first_failure) return;
    // It must hang within its own limits too, and what is said of it must be what its line repeats.
    const auto within_limits = stopped_ ? std::nullopt : checked(*report_.counterexample, options_.limits);
    if (!within_limits) report_.counterexample = report_.first_failure;
    report_.failure = within_limits.value_or(drawn);
  }

 private:
  static constexpr double kTimesPassing = 10, kLeast = 1.0 / 200, kUnknown = 1.0 / 20;

  double work_of(const Case& test) const {
    return most_steps_of(catalogue_.pattern(kernel_.pattern), kernel_, test.params, test.problem);
  }

  bool fails(const Case& test) {
    if (stopped_ || work_of(test) > work_of(*report_.counterexample) || end_.is_now()) return false;
    if (seconds_since(begin_) > (is_hang_ ? kHangShrinkingSeconds : kShrinkingSeconds)) {
      report_.shrinking.out_of_time = true;
      return false;
    }
    ++report_.shrinking.tries;
    const auto result = checked(test, tried_);
    if (!result || (result->verdict == Verdict::timed_out && !is_hang_)) return false;
    // A try cut off by the clock counts as a hang only if its time limit was much longer than the passing cases took.
    if (result->verdict == Verdict::timed_out && !result->finding && 2 * seconds_of_passing_ > kHangShrinkingSeconds)
      return false;
    report_.counterexample = test;
    report_.failure = *result;
    return true;
  }

  /// The failure within these limits; nothing if the case passes.
  std::optional<CaseResult> checked(const Case& test, const RunLimits& limits) {
    std::optional<CaseResult> result;
    try {
      result = checker_.check(test, limits);
    } catch (const Stopped&) {
      stopped_ = true;
    }
    if (result && result->is_right()) result.reset();
    return result;
  }

  const Catalogue& catalogue_;
  Checker& checker_;
  const Kernel& kernel_;
  const PropertyOptions& options_;
  const Stop end_;
  PropertyReport& report_;
  const bool is_hang_;
  RunLimits tried_;
  double seconds_of_passing_ = 0;
  const Stop::Clock::time_point begin_ = Stop::Clock::now();
  bool stopped_ = false;
};

}  // namespace

double Passing::seconds_for(double more_work, double seconds_of_largest) const {
  if (work <= 0) return std::numeric_limits<double>::infinity();
  // The cost of race detection may grow with the square of the work.
  const double times = more_work / work;
  return seconds_of_largest * times * std::sqrt(std::max(times, 1.0));
}

void shrink(const Catalogue& catalogue, Checker& checker, const Kernel& kernel, const PropertyOptions& options,
            const Passing& passing, std::size_t failed, PropertyReport& report) {
  Shrinking(catalogue, checker, kernel, options, passing, report).run(failed);
}

}  // namespace warpwright::conformance
