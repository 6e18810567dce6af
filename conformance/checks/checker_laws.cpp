// Checks that a kernel's results satisfy a law of its pattern.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::conformance {

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
    Run done = run(test, problem, inputs, kPoison, false, conditions);
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
