// Tests of the Kokkos ports, on the backend that Kokkos was built with here: correct on every small shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "conformance/cases/comparison.hpp"
#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/run_plan.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/build/build_service.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::conformance {
namespace {

struct Trial {
  const Callable& callable;
  Problem problem;
  Input input;
  Point knobs;

  std::string text() const {
    return callable.name() + " " + callable.knobs.text(knobs) + " on " + problem_text(problem) + " with " +
           input_text(input);
  }
};

std::vector<std::vector<std::int64_t>> shapes(const Pattern& pattern) {
  if (pattern.extents.size() == 1) return {{1}, {2}, {31}, {1000}, {8192}, {8193}, {70001}};
  if (pattern.extents.size() == 3) return {{1, 1, 1}, {1, 65, 7}, {65, 1, 33}, {32, 32, 32}, {33, 31, 65}};
  return {{1, 1}, {1, 65}, {65, 1}, {32, 32}, {33, 31}, {64, 128}, {127, 129}};
}

/// NaN in a minimum is a rule of the pattern, not of a library.
bool is_ordinary(const InputKind& kind) {
  return kind.name != "special";
}

/// A problem with one input; asks the oracle for the answer only once.
class Question {
 public:
  Question(const Problem& problem, const Input& input)
      : pattern_(catalogue().pattern(problem.pattern)),
        problem_(problem),
        inputs_(generate_inputs(pattern_, problem, input)) {}

  const std::vector<Bytes>& inputs() const { return inputs_; }
  const Expectation& expected() {
    if (!expected_) expected_ = pattern_.oracle(problem_, inputs_);
    return *expected_;
  }

 private:
  const Pattern& pattern_;
  const Problem problem_;
  const std::vector<Bytes> inputs_;
  std::optional<Expectation> expected_;
};

/// Computes the outputs to compare, and keeps the answers for the problems of one pattern, which several ports share.
class AnswerCache {
 public:
  Question& question(const Problem& problem, const Input& input) {
    if (problem.pattern != pattern_) questions_.clear();
    pattern_ = problem.pattern;
    return questions_.try_emplace(problem_text(problem) + ' ' + input_text(input), problem, input).first->second;
  }

  std::vector<Bytes> observed(const Pattern& pattern, const Callable& callable, const Problem& problem,
                              const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs) {
    const NamedObservation* named = find_observation(pattern, callable.observation);
    if (named == nullptr) return outputs;
    const Observation observation = named->of(problem, host_device());
    const auto compiled =
        worker::compile_plan_or_throw(build_.compiler, host_target(), observation.plan, observation.source);
    return observed_by(observation,
                       run_plan_on_host(process_, compiled.plan, compiled.program,
                                        given_to(observation, pattern.buffers(problem), inputs, outputs, kPoison)));
  }

 private:
  const TemporaryFolder folder_;
  worker::BuildService build_{catalogue().sources(), folder_.path(), {}, 1};
  worker::Process process_;
  std::string pattern_;
  std::map<std::string, Question> questions_;
};

/// What the trial's callable computes from these inputs, as the pattern observes it.
std::vector<Bytes> observed_outputs(AnswerCache& answers, const Trial& trial, const Problem& problem,
                                    const std::vector<Bytes>& given) {
  const Pattern& pattern = catalogue().pattern(problem.pattern);
  const std::vector<Buffer> buffers = pattern.buffers(problem);
  std::vector<Bytes> contents;
  CallableBuffers addresses;
  for (std::size_t in = 0; const Buffer& buffer : buffers)
    contents.push_back(buffer.is_input() ? given.at(in++)
                                         : Bytes(static_cast<std::size_t>(buffer.bytes()), std::byte{kPoison}));
  for (std::size_t i = 0; i < buffers.size(); ++i) addresses[buffers[i].name] = contents[i].data();
  const auto prepared =
      trial.callable.prepare({.problem = problem, .knobs = trial.knobs, .device = host_device(), .stream = nullptr});
  Bytes scratch(static_cast<std::size_t>(prepared->scratch_bytes()));
  addresses["scratch"] = scratch.data();
  prepared->prepare(nullptr, addresses);
  prepared->run(nullptr, addresses);
  std::vector<Bytes> outputs;
  for (std::size_t i = 0, in = 0; i < buffers.size(); ++i) {
    if (buffers[i].role == Role::in) {
      EXPECT_EQ(contents[i], given.at(in)) << trial.text() << " changed its input";
    }
    if (buffers[i].is_input()) ++in;
    if (buffers[i].is_output()) outputs.push_back(std::move(contents[i]));
  }
  return answers.observed(pattern, trial.callable, problem, given, outputs);
}

/// Compares with the oracle. A problem without one is run too; the laws check it.
ComparisonResult run(AnswerCache& answers, const Trial& trial) {
  const Pattern& pattern = catalogue().pattern(trial.problem.pattern);
  Question& question = answers.question(trial.problem, trial.input);
  const std::vector<Bytes> outputs = observed_outputs(answers, trial, trial.problem, question.inputs());
  if (!trial.callable.has_oracle) return {};
  const double depth = trial.callable.depth(trial.problem, trial.knobs, host_device());
  const InputKind kind = input_kind(pattern, trial.problem, trial.input.kind);
  const auto observed = observed_buffers(pattern, trial.problem, host_device(), trial.callable.observation);
  std::vector<Bound> bounds;
  for (const Buffer& buffer : observed) bounds.push_back(pattern.bound(trial.problem, buffer.name, kind, depth));
  return compare_outputs(observed, question.expected(), outputs, bounds, kPoison);
}

/// All problems of the pattern that the callable supports, on shapes for which the oracle is fast.
std::vector<Problem> problems(const Callable& callable) {
  constexpr double kMostSteps = 2e6;
  const Pattern& pattern = catalogue().pattern(callable.pattern);
  std::vector<Settings> settings{{}};
  for (const auto& [axis, options] : pattern.variants) {
    std::vector<Settings> longer;
    for (const Settings& one : settings)
      for (const std::string& option : options) {
        longer.push_back(one);
        longer.back()[axis] = option;
      }
    settings = std::move(longer);
  }
  std::vector<Problem> found;
  for (const auto& types : pattern.types)
    for (const Settings& one : settings)
      for (const auto& shape : shapes(pattern)) {
        Problem problem = make_problem(pattern, types, one, shape);
        if (callable.supports(problem) && pattern.work(problem).steps <= kMostSteps)
          found.push_back(std::move(problem));
      }
  return found;
}

TEST(KokkosPorts, ExistOnlyForPatternsOfTheCatalogue) {
  const auto all = callables();
  EXPECT_FALSE(all.empty());
  for (const Callable& callable : all) {
    EXPECT_NO_THROW((void)catalogue().pattern(callable.pattern));
    EXPECT_EQ(callable.implementation, "kokkos");
    const Problem any = problems(callable).front();
    EXPECT_EQ(callable.knobs.rejected_by(callable.default_knobs, surroundings_of(any, host_device())), "")
        << callable.name();
  }
}

std::vector<InputKind> kinds(const Problem& problem) {
  const Pattern& pattern = catalogue().pattern(problem.pattern);
  std::vector<InputKind> all = pattern.inputs(problem);
  for (const InputKind& kind : pattern.data)
    if (std::ranges::find(all, kind.name, &InputKind::name) == all.end()) all.push_back(kind);
  return all;
}

TEST(KokkosPorts, AreCorrectWithDefaultKnobsOnEveryShapeAndInput) {
  AnswerCache answers;
  for (const Callable& callable : callables()) {
    const auto supported = problems(callable);
    EXPECT_FALSE(supported.empty()) << callable.name();
    for (const Problem& problem : supported)
      for (const InputKind& kind : kinds(problem)) {
        if (!is_ordinary(kind)) continue;
        const Trial trial{callable, problem, {.kind = kind.name, .seed = 7}, callable.default_knobs};
        const ComparisonResult result = run(answers, trial);
        // The sum of sorted terms is zero, because they cancel; such a result is mistrusted by rule.
        EXPECT_NE(result.verdict, Verdict::failed) << trial.text() << ": " << result.detail;
      }
  }
}

const Law& law_of(const Pattern& pattern, const std::string& name) {
  const auto law = std::ranges::find(pattern.laws, name, &Law::name);
  if (law == pattern.laws.end()) throw std::invalid_argument(pattern.name + " has no law '" + name + "'");
  return *law;
}

TEST(KokkosPorts, SatisfyTheirLaws) {
  AnswerCache answers;
  for (const Callable& callable : callables()) {
    EXPECT_TRUE(callable.has_oracle || !callable.laws.empty()) << callable.name() << " is held to nothing";
    const Pattern& pattern = catalogue().pattern(callable.pattern);
    for (const std::string& name : callable.laws) {
      const Law& law = law_of(pattern, name);
      for (const Problem& problem : problems(callable)) {
        const std::string kind = law.input.empty() ? pattern.inputs(problem).front().name : law.input;
        const Trial trial{callable, problem, {.kind = kind, .seed = 11}, callable.default_knobs};
        // The port may refuse a part of the problem.
        const Runner runner = [&](const Problem& asked, const std::vector<Bytes>& inputs) {
          if (!callable.supports(asked)) throw CallableRefusal(problem_text(asked));
          return observed_outputs(answers, trial, asked, inputs);
        };
        try {
          EXPECT_EQ(law.broken(problem, generate_inputs(pattern, problem, trial.input), runner), "")
              << trial.text() << ", the law '" << name << "'";
        } catch (const CallableRefusal&) {
          continue;
        }
      }
    }
  }
}

/// A CPU backend accepts few of the knobs meant for GPUs; with those it must be correct, the others it must refuse.
TEST(KokkosPorts, AreRightOrRefuseWithEveryOtherKnob) {
  AnswerCache answers;
  for (const Callable& callable : callables()) {
    int right = 0;
    const auto all = problems(callable);
    for (const Problem& problem : all) {
      if (problem.shape != all.back().shape && problem.shape != std::vector<std::int64_t>{8193}) continue;
      for (const Point& knobs : callable.knobs.points(surroundings_of(problem, host_device()))) {
        const Trial trial{callable, problem, {.kind = "exact", .seed = 3}, knobs};
        try {
          const ComparisonResult result = run(answers, trial);
          EXPECT_EQ(result.verdict, Verdict::passed) << trial.text() << ": " << result.detail;
          ++right;
        } catch (const CallableRefusal& refused) {
          EXPECT_NE(std::string(refused.what()), "") << trial.text();
        }
      }
    }
    EXPECT_GT(right, 0) << callable.name();
  }
}

}  // namespace
}  // namespace warpwright::conformance
