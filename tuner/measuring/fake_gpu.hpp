// A GPU for tests, with scripted results for each configuration and library. It records the requests.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/core/boards.hpp"
#include "kernels/core/target.hpp"
#include "kernels/system/environment_fault.hpp"
#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/tasks/budget.hpp"

namespace warpwright::tuner {

/// The scripted results of one configuration.
struct Script {
  double us = 200;
  std::optional<double> joules = {};  ///< of a run
  double round_us = 0;                ///< time in the rounds; 0: the same
  std::string not_compiled = {};      ///< the compiler's message; empty: it compiles
  int registers = 32;
  double ulp = 0.5;                     ///< its largest error
  bool has_equal_bits = true;           ///< in all runs
  Verdict verdict = Verdict::passed;    ///< of verifying it
  Verdict in_rounds = Verdict::passed;  ///< of its last round
  bool ends_the_worker = false;         ///< in rounds, with all that are in them
  int throttled = 0;                    ///< so many of its first samples are taken at half the clock
  Verdict on_cases = Verdict::passed;   ///< of its property tests
  Verdict on_host = Verdict::passed;    ///< of those in the simulator, for a certificate
  Verdict in_sample = Verdict::passed;  ///< likewise, as part of a sample
  Verdict on_trace = Verdict::passed;   ///< likewise, where its accesses are counted
};

class FakeGpu : public MeasuringGpu {
 public:
  explicit FakeGpu(Device device = default_board(90).device) : device_(std::move(device)) {}

  int trials_left = 1'000'000;  ///< after these the GPU is lost; rounds count too
  double copy_gbs = 4000;
  double trial_seconds = 0;  ///< the budget's clock advances by this for each trial
  double restoring_us = 0;   ///< the same before each run of the rounds
  bool compiler_is_missing = false;
  bool is_late = false;                  ///< no time is left to compare runs
  bool is_too_late_to_simulate = false;  ///< no case of a certificate ends in time in the simulator
  std::string compiled_last = {};        ///< params whose program is ready a while after all others
  std::string late_answers = {};         ///< the problem, as in `selected`, whose right answers are late
  int left_out = 0;                      ///< inputs without right answers
  bool is_lost_at_steps = false;         ///< when the steps of a plan are timed
  std::function<void(const std::string& problem)> on_select = [](const std::string&) {};
  std::function<void()> on_rounds = [] {};  ///< called before rounds
  std::function<void()> on_work = [] {};    ///< called before a trial, and before the GPU is lost

  Script usual;                           ///< for candidates without a script
  std::map<std::string, Script> scripts;  ///< by name_of; by params for compiling and testing
  std::vector<worker::BaselineInfo> baselines;
  std::string breaks_a_law;
  int laws_checked = 0;

  std::vector<std::string> selected;
  int set_ups = 0;                                       ///< of selected problems, before their first trial
  std::vector<Budget::End> selected_until;               ///< for each of them: when the right answers must be ready
  std::vector<std::string> verified;                     ///< by name_of, in order
  std::map<std::string, int> taken;                      ///< samples in trials, by name_of
  std::vector<std::vector<std::string>> rounds_of;       ///< the names in each call of rounds
  std::vector<int> round_counts;                         ///< of each call
  std::vector<std::string> stepped;                      ///< names whose steps were timed, in order
  std::vector<std::string> metered, replayed;            ///< the same for energy, and in a graph
  std::vector<std::string> tested;                       ///< params of property tests on the device, in order
  std::vector<std::string> simulated;                    ///< the same in the simulator, for a certificate
  std::vector<std::string> sampled;                      ///< the same in the simulator, as part of the covering sample
  std::vector<std::string> traced;                       ///< params whose accesses were counted, in order
  std::vector<Budget::End> sampled_until;                ///< the time limits of these
  std::vector<std::string> compiled, compiled_early;     ///< params, in order; early: what could wait
  std::vector<std::string> compiled_for_simulator;       ///< params, in order
  std::vector<conformance::PropertyOptions> properties;  ///< of these, as they were asked for
  std::vector<conformance::PropertyOptions> repeated;    ///< runs whose outputs must have equal bits
  std::string why_not_simulated = {};                    ///< empty: it is simulated
  std::vector<gpu::Candidate> candidates;                ///< of trials

  static GpuLost lost() { return {"the GPU is lost", std::make_exception_ptr(std::runtime_error("the GPU is lost"))}; }

  /// The params of a configuration as its entry spells them, "{.k = 3}"; a callable's name with its first knob.
  static std::string name_of(const gpu::Candidate& candidate) {
    if (candidate.callable) return candidate.callable->name + std::to_string(candidate.callable->knobs.at(0));
    const auto launches = launches_of(candidate.plan);
    return launches.empty() ? "ours" : params_in(launches.front().launch.entry);
  }

  const Script& script(const std::string& name) const {
    const auto known = scripts.find(name);
    return known == scripts.end() ? usual : known->second;
  }

  const Device& device() const override { return device_; }
  std::size_t compilers() const override { return 2; }
  void give_up(const std::vector<Program>&) override {}

  std::vector<worker::CompileResult> compile(const std::vector<Program>& programs, worker::Urgency urgency) override {
    std::vector<worker::CompileResult> all;
    for (const Program& program : programs) {
      (urgency == worker::Urgency::usual ? compiled : compiled_early).push_back(params_in(program.entries.front()));
      const Script& one = script(params_in(program.entries.front()));
      CompiledProgram built{.ok = one.not_compiled.empty(), .log = one.not_compiled};
      for (const std::string& entry : program.entries)
        if (built.ok)
          built.instances[entry] = {.symbol = entry, .resources = {.registers = one.registers}, .code_hash = entry};
      if (params_in(program.entries.front()) == compiled_last) {
        all.push_back(std::async(std::launch::async, [built = std::move(built)] {
                        std::this_thread::sleep_for(std::chrono::milliseconds(50));
                        return built;
                      }).share());
        continue;
      }
      std::promise<CompiledProgram> promise;
      if (compiler_is_missing)
        promise.set_exception(std::make_exception_ptr(EnvironmentFault("no compiler")));
      else
        promise.set_value(std::move(built));
      all.push_back(promise.get_future().share());
    }
    return all;
  }

  void select(const Problem& problem, const std::vector<Input>& inputs, Budget::End end) override {
    selected.push_back(problem_text(problem));
    selected_until.push_back(end);
    on_select(selected.back());
    input_ = input_text(inputs.front());
  }

  double set_up() override {
    if (!late_answers.empty() && selected.back() == late_answers) throw worker::AnswersLate("the answers are late");
    ++set_ups;
    return 2e6;
  }

  std::string cannot_simulate() const override { return why_not_simulated; }

  void compile_for_simulator(const std::vector<Program>& programs, worker::Urgency /*urgency*/) override {
    for (const Program& program : programs) compiled_for_simulator.push_back(params_in(program.entries.front()));
  }

  std::future<conformance::PropertyReport> simulate(const Kernel& kernel, conformance::PropertyOptions options,
                                                    worker::Urgency /*urgency*/) override {
    std::promise<conformance::PropertyReport> promise;
    promise.set_value(run_property(kernel, options));
    return promise.get_future();
  }

  /// One launch of 64 threads with one load of 8 sectors.
  std::future<Simulated> trace(const Kernel& kernel, const Point& params, const Problem& problem,
                               Budget::End /*end*/) override {
    traced.push_back(kernel.space.text(params));
    Simulated reply{.result = {.verdict = script(traced.back()).on_trace}, .access = {}, .cases = 1};
    if (reply.result.ok()) {
      conformance::CountedAccess& access = reply.access.emplace();
      access.launches.emplace_back().global_load_sectors = 8;
      access.launch_threads.push_back(64);
    } else {
      reply.counterexample = wrong_case(kernel, params, problem, host_target(device_.compute_capability));
    }
    std::promise<Simulated> promise;
    promise.set_value(std::move(reply));
    return promise.get_future();
  }

  gpu::Rates rates(std::int64_t, std::int64_t) override { return {.copy_gbs = copy_gbs, .read_gbs = 4400}; }

  worker::TrialReply trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) override {
    work();
    const std::string name = name_of(candidate);
    const Script& one = script(name);
    candidates.push_back(candidate);
    if (verify) {
      verified.push_back(name);
      takes(trial_seconds);
    }
    if (verify && one.verdict != Verdict::passed) return {.outcome = said(one.verdict), .samples = {}};
    if (one.us > sampling.too_slow_us) return {.outcome = said(Verdict::too_slow), .samples = {}};
    worker::TrialReply reply{.outcome = {.error_ratio = 0.25,
                                         .accuracy = {.relative = one.ulp * 0x1p-23, .ulp = one.ulp},
                                         .mode = gpu::timing_mode(false)},
                             .samples = {},
                             .parts = {.runs = 1, .restoring = restoring_us},
                             .left_out = left_out};
    double fastest = std::numeric_limits<double>::infinity();
    const int count = verify ? sampling.after_verifying(one.us, 1).count : sampling.count;
    for (int i = 0; i < count; ++i) {
      const int number = taken[name]++;
      const bool slow = number < one.throttled;
      reply.samples.push_back({.microseconds = one.us * noise(number) * (slow ? 2 : 1),
                               .sm_clock_mhz = device_.sm_clock_mhz * (slow ? 0.5 : 1.0)});
      fastest = std::min(fastest, reply.samples.back().microseconds);
      if (sampling.cannot_win(i + 1, fastest)) break;
    }
    return reply;
  }

  worker::RoundsReply rounds(const std::vector<gpu::Candidate>& asked, int count, std::uint64_t) override {
    work();
    on_rounds();
    round_counts.push_back(count);
    auto& names = rounds_of.emplace_back();
    for (const gpu::Candidate& candidate : asked) names.push_back(name_of(candidate));
    const bool lost = std::ranges::any_of(names, [&](const auto& name) { return script(name).ends_the_worker; });
    if (lost) return {.outcomes = std::vector(asked.size(), said(Verdict::crashed)), .samples = {}};
    // Like the worker: if the host must wait for one, all are timed by the host's clock.
    const bool waits = std::ranges::any_of(names, [](const auto& name) { return name.starts_with("toylib/waits"); });
    worker::RoundsReply reply;
    for (const std::string& name : names) {
      reply.outcomes.push_back(said(script(name).in_rounds));
      reply.outcomes.back().mode = gpu::timing_mode(false, waits ? gpu::Clock::host : gpu::Clock::events);
    }
    for (int r = 0; r < count; ++r) {
      auto& row = reply.samples.emplace_back();
      for (const std::string& name : names) {
        const Script& one = script(name);
        row.push_back({.microseconds = (one.round_us > 0 ? one.round_us : one.us) * noise(r),
                       .sm_clock_mhz = static_cast<double>(device_.sm_clock_mhz)});
        takes((row.back().microseconds + restoring_us) / 1e6);
      }
    }
    return reply;
  }

  /// Every step takes the same share of the time, one after the other.
  std::vector<gpu::StepTime> step_times(const gpu::Candidate& candidate, int) override {
    if (is_lost_at_steps) throw lost();
    stepped.push_back(name_of(candidate));
    std::vector<gpu::StepTime> steps = gpu::timed_steps(candidate.plan);
    const double share = script(stepped.back()).us / static_cast<double>(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i].start_us = share * static_cast<double>(i);
      steps[i].end_us = steps[i].start_us + share;
      steps[i].us = share;
    }
    return steps;
  }

  gpu::Repeated repeat(const gpu::Candidate& candidate, bool has_energy, bool replays) override {
    const std::string name = name_of(candidate);
    if (has_energy) metered.push_back(name);
    if (replays) replayed.push_back(name);
    return {.joules = has_energy ? script(name).joules : std::nullopt,
            .replay_us = replays ? std::optional(script(name).us / 2) : std::nullopt};
  }

  /// Failures occur on a problem of one element.
  conformance::PropertyReport run_property(const Kernel& kernel, const conformance::PropertyOptions& options) override {
    const std::string name = kernel.space.text(options.params.at(0));
    const Script& one = script(name);
    Verdict verdict = one.in_sample;
    if (options.equal_bits > 0) {
      repeated.push_back(options);
      if (is_late) {
        conformance::PropertyReport late;
        late.interrupted = true;
        return late;
      }
      verdict = one.has_equal_bits ? Verdict::passed : Verdict::failed;
    } else if (is_host(options.target) && options.shapes.empty()) {
      sampled.push_back(name);
      sampled_until.push_back(options.deadline);
    } else {
      properties.push_back(options);
      if (!is_host(options.target))
        tested.push_back(name);
      else if (simulated.empty() || simulated.back() != name)  // parts of one certificate
        simulated.push_back(name);
      verdict = is_host(options.target) ? one.on_host : one.on_cases;
    }
    conformance::PropertyReport report;
    report.kernel = &kernel;
    report.cases = options.cases;
    if (is_too_late_to_simulate && is_host(options.target)) {
      report.cases = 0;
      report.interrupted = true;
      return report;
    }
    if (verdict == Verdict::passed) return report;
    report.counterexample = report.first_failure =
        wrong_case(kernel, options.params[0], options.problems.at(0), options.target);
    report.failure = {.verdict = verdict, .detail = "planted in a case"};
    return report;
  }

  std::vector<worker::BaselineInfo> callables(const Problem&) override { return baselines; }

  std::string broken_law(const Problem&, const worker::BaselineInfo&, const worker::KnobsInfo&,
                         std::uint64_t) override {
    ++laws_checked;
    return breaks_a_law;
  }

 private:
  /// On a problem of one element.
  static conformance::Case wrong_case(const Kernel& kernel, const Point& params, Problem problem,
                                      const std::string& target) {
    problem.shape.assign(problem.shape.size(), 1);
    conformance::Case test;
    test.kernel = &kernel;
    test.params = params;
    test.problem = std::move(problem);
    test.input = {.kind = "exact", .seed = 7};
    test.target = target;
    return test;
  }

  static std::string params_in(const std::string& entry) {
    const std::size_t open = entry.find('{');
    const std::size_t close = entry.rfind('}');
    if (open == std::string::npos || close == std::string::npos)
      throw std::logic_error("an entry without params: " + entry);
    return entry.substr(open, close + 1 - open);
  }

  /// Equal for all samples with the same number, so that equal times stay equal and paired ratios are exact.
  static double noise(int number) { return 1 + 0.002 * (number % 3); }

  gpu::Outcome said(Verdict verdict) const {
    if (verdict == Verdict::passed) return {};
    return {.verdict = verdict, .detail = "planted", .input = input_};
  }

  /// If no times are scripted, the real clock is used.
  static void takes(double seconds) {
    if (seconds > 0) Budget::Clock::ahead = Budget::Clock::ahead.load() + Budget::to_duration(seconds);
  }

  void work() {
    on_work();
    if (trials_left-- <= 0) throw lost();
  }

  const Device device_;
  std::string input_;
};

}  // namespace warpwright::tuner
