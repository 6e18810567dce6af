// Checks that a kernel's results satisfy a law of its pattern, or are the same in all runs.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/comparison.hpp"
#include "conformance/checks/checker.hpp"
#include "conformance/checks/wrong_element.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::conformance {

CaseResult Checker::check_determinism(const Case& test, Conditions conditions, int runs, int from, const Stop& stop) {
  // All runs on one GPU compute in the same way. Products and sums are rounded separately: which of them the simulator
  // rounds together depends on where threads stop, and so on the schedule.
  if (!conditions.matrix_adder) conditions.matrix_adder = static_cast<int>(test.schedule_seed % 1000);
  if (!conditions.contracts) conditions.contracts = false;
  constexpr int kAtOnce = 25;  // on a GPU, between two readings of the clock
  const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
  const std::vector<Buffer> observed = observed_buffers(pattern, test.problem, device_of(test));
  const std::vector<Bytes> inputs = input_bytes(pattern, test.problem, test.input, process_, compiler_);
  CaseResult result;
  std::optional<Run> first;
  const auto are_equal = [&](const std::vector<Bytes>& outputs, const Run& done) {
    for (std::size_t i = 0; i < observed.size(); ++i) {
      const std::string differs =
          difference(observed[i], first->outputs.at(i), outputs.at(i), element_names(pattern, test.problem));
      if (differs.empty()) continue;
      result.verdict = Verdict::failed;
      result.detail = fmt::format("not deterministic: {}", differs);
      if (!first->schedule.empty())
        result.detail += fmt::format(" under schedules {} and {}", first->schedule, done.schedule);
      result.detail += first->hints.empty() ? done.hints : first->hints;
      return false;
    }
    return true;
  };
  for (int number = 0; number < runs;) {
    if (stop.is_now()) return {.verdict = Verdict::not_run};
    Case again = test;
    if (number > 0) {
      again.schedule_seed += static_cast<std::uint64_t>(from + number);
      again.resident_blocks = 0;
    }
    // A GPU orders threads anew in each run.
    const int at_once = is_host(test.target) ? 1 : std::min(kAtOnce, runs - number);
    Run done = run(again, test.problem, inputs, conditions.filled(), false, conditions, at_once);
    add(result, done);
    if (done.verdict != Verdict::passed) return result;
    number += done.runs;
    if (!first) first = done;
    if (!are_equal(done.outputs, done)) return result;
    for (const std::vector<Bytes>& other : done.other_outputs)
      if (!are_equal(other, done)) return result;
  }
  return result;
}

std::optional<CaseResult> Checker::check_law(const Case& test, const Conditions& conditions) {
  const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
  const auto law = std::ranges::find(pattern.laws, test.law, &Law::name);
  CaseResult result;
  std::string hints;
  bool is_refused = false;
  std::vector<std::vector<Bytes>> runs;
  const Runner runner = [&](const Problem& problem, const std::vector<Bytes>& inputs) {
    is_refused = !test.kernel->refuses(test.params, problem, device_of(test)).empty();
    if (is_refused) throw std::runtime_error("");
    Run done = run(test, problem, inputs, conditions.filled(), false, conditions);
    add(result, done);
    if (done.verdict != Verdict::passed) throw std::runtime_error(done.detail);
    if (hints.empty()) hints = done.hints;
    if (options_.in_words && law->in_words) runs.push_back(done.outputs);
    return done.outputs;
  };
  const std::string kind = law->input.empty() ? pattern.inputs(test.problem).front().name : law->input;
  const auto inputs = input_bytes(pattern, test.problem, {.kind = kind, .seed = test.input.seed}, process_, compiler_);
  try {
    result.detail = law->broken(test.problem, inputs, runner);
    if (!result.detail.empty()) {
      result.verdict = Verdict::failed;
      result.detail += hints;
    } else if (options_.in_words && law->in_words)
      result.detail = law->in_words(test.problem, inputs, runs);
  } catch (const std::runtime_error& error) {
    if (is_refused) return std::nullopt;
    // Only a run with a verdict of its own ends the law early; after any other failure there is no answer.
    if (result.verdict == Verdict::passed) throw;
    result.detail = error.what();
  }
  return result;
}

}  // namespace warpwright::conformance
