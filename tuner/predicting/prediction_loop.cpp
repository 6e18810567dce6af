// Compiles, simulates, predicts and stores configurations, each as soon as its previous stage is done.
#include "tuner/predicting/prediction_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "conformance/checks/case_plan.hpp"
#include "kernels/system/say.hpp"
#include "kernels/system/stop.hpp"
#include "tuner/predicting/rank.hpp"

namespace warpwright::tuner {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kAhead = 512;        ///< configurations in progress
constexpr std::size_t kAheadGuided = 16;   ///< for each worker, if the strategy learns from times
constexpr std::size_t kStoredAtOnce = 64;  ///< trials
constexpr std::chrono::milliseconds kStoredEvery{500};
constexpr std::chrono::milliseconds kPoll{5};
constexpr std::chrono::seconds kSilent{3};  ///< waiting for another run, until that is said

/// The predicted time; infinity without one, or if the configuration is wrong.
double right_us(const Evaluation& evaluation) {
  return may_be_best(evaluation.trial) ? *evaluation.trial.predicted_us : std::numeric_limits<double>::infinity();
}

/// The stage of a configuration after its lease was requested.
Stage stage_of(db::Lease lease) {
  switch (lease) {
    case db::Lease::ours:
      return Stage::compiling;
    case db::Lease::held:
      return Stage::elsewhere;
    case db::Lease::done:
      return Stage::comparing;
    case db::Lease::free:
      break;
  }
  return Stage::asked;
}

}  // namespace

PredictionLoop::PredictionLoop(const TuningContext& context, const TuningTask& task, const TuningRequest& request,
                               WorkShare& share)
    : context_(context),
      task_(task),
      request_(request),
      share_(share),
      can_simulate_(cannot_simulate(context).empty()),
      ahead_(request.budget_seconds > 0 || is_guided(request.strategy_name()) ? 2 * context.build.pool.size() : kAhead),
      search_(task.kernels, task.problem, context.device, request,
              known_best(share.recorder(), task.problem, "predicted", task.is_for_all_sizes), task.is_for_all_sizes) {
  // What the model cannot rank is not worth a share of the time.
  if (request.budget_seconds > 0)
    for (const Kernel* kernel : task.kernels)
      if (kernel->refuses(kernel->default_point, task.problem, context.device).empty() &&
          !kernel->plan(kernel->default_point, task.problem, context.device).is_plain())
        search_.only_default(*kernel);
}

PredictionLoop::~PredictionLoop() {
  is_abandoned_ = true;
  for (const Pending& one : queue_)
    if (one.simulated.valid()) one.simulated.wait();
}

std::size_t PredictionLoop::count(Stage stage) const {
  return static_cast<std::size_t>(std::ranges::count(queue_, stage, &Pending::stage));
}

void PredictionLoop::run(At what, Budget::End end) {
  waiting_since_ = Budget::Clock::now();
  if (task_.progress != nullptr) task_.progress->begin(task_.title, search_.size());
  try {
    evaluate(what, end);
  } catch (const Stopped&) {
    store();
    if (!is_over(end)) throw;
  } catch (...) {
    store();
    throw;
  }
  store();
}

void PredictionLoop::evaluate(At what, Budget::End end) {
  if (!has_begun_) {
    share_.recorder().store_spaces(task_.problem, search_.spaces());
    has_begun_ = true;
  }
  while (!context_.stop && !is_over(end)) {
    ask_search(what);
    lease();
    if (queue_.empty()) break;
    const auto before = evaluations_.size();
    for (auto at = queue_.begin(); at != queue_.end() && !context_.stop;) {
      const auto next = std::next(at);
      advance(*at);
      if (Evaluation& one = at->evaluation; one.stage == Stage::done) {
        search_.tell(at->choice, one.trial.predicted_us.value_or(std::numeric_limits<double>::infinity()));
        if (task_.progress != nullptr) task_.progress->evaluated(task_.title, right_us(one));
        evaluations_.push_back(std::move(one));
        queue_.erase(at);
      }
      at = next;
    }
    if (evaluations_.size() == before) {
      std::this_thread::sleep_for(kPoll);
      if (task_.progress != nullptr) task_.progress->now(task_.title, "");  // the time left goes down
    }
    if (evaluations_.size() - stored_ >= kStoredAtOnce || Budget::Clock::now() - stored_at_ > kStoredEvery) store();
    share_.renew();
    say_when_waiting();
  }
}

std::optional<double> PredictionLoop::seconds_of_case() const {
  if (cases_ == 0) return std::nullopt;
  return seconds_of_cases_ / cases_;
}

void PredictionLoop::abandon() {
  is_abandoned_ = true;
  std::vector<Program> for_device, for_simulator;
  for (const Pending& one : queue_) {
    if (one.is_leased() || one.stage() == Stage::comparing) for_device.push_back(one.program);
    if (one.is_leased() && one.simulator_program) for_simulator.push_back(*one.simulator_program);
  }
  context_.build.compiler.give_up(context_.device.arch(), for_device);
  context_.build.compiler.give_up(context_.host(), for_simulator);
  for (const Pending& one : queue_)
    if (one.simulated.valid()) share_.wait(one.simulated);
  share_.recorder().store().transaction([&] {
    for (const Pending& one : queue_)
      if (one.is_leased()) share_.give_back(one.evaluation.key);
  });
  queue_.clear();
}

/// Keeps enough configurations in progress, not counting those that another run evaluates.
void PredictionLoop::ask_search(At what) {
  const std::size_t under_way = queue_.size() - count(Stage::elsewhere);
  if (under_way > ahead_ / 2) return;
  const auto asked = what == At::defaults ? search_.ask_defaults() : search_.ask(ahead_ - under_way);
  if (what == At::all)
    ahead_ =
        std::min(2 * ahead_, is_guided(request_.strategy_name()) ? kAheadGuided * context_.build.pool.size() : kAhead);
  for (const Choice choice : asked) {
    const Kernel& kernel = search_.kernel(choice);
    Pending one{.choice = choice,
                .evaluation = {.configuration = prepare(kernel, search_.params(choice), task_.problem, context_.device),
                               .sampled = search_.is_sampled(choice)},
                .program = program(kernel, search_.params(choice), context_.device)};
    std::string programs = context_.build.compiler.key_of(context_.device.arch(), one.program);
    if (can_simulate_) {
      one.simulator_program = program(kernel, search_.params(choice), host_device(context_.host()));
      programs += " " + context_.build.compiler.key_of(context_.host(), *one.simulator_program);
    }
    one.evaluation.key = share_.recorder().lease_key(one.evaluation.configuration, task_.problem, programs);
    queue_.push_back(std::move(one));
  }
}

Program PredictionLoop::program(const Kernel& kernel, const Point& params, const Device& device) const {
  return conformance::program_for(context_.catalogue, kernel, params, task_.problem, device);
}

/// Leases as many as keep the workers busy for a while, and tries again those that other runs hold.
void PredictionLoop::lease() {
  const std::size_t leased = count(Stage::compiling) + count(Stage::simulating);
  const std::size_t most = share_.fair_part(leased + count(Stage::asked), context_.build.pool.size(), ahead_);
  const auto now = Budget::Clock::now();
  const bool again = now - asked_again_ >= db::Leases::ask_again;
  std::vector<Pending*> asked;
  std::vector<std::string> keys;
  for (Pending& one : queue_)
    if ((one.stage() == Stage::asked && leased <= most / 2) || (one.stage() == Stage::elsewhere && again)) {
      asked.push_back(&one);
      keys.push_back(one.evaluation.key);
    }
  if (asked.empty()) return;
  if (again) asked_again_ = now;
  const std::vector<db::Lease> answers = share_.take(keys, most - std::min(most, leased));
  std::vector<Pending*> to_compile;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    Stage& stage = asked[i]->evaluation.stage;
    stage = stage_of(answers[i]);
    if (stage == Stage::compiling || stage == Stage::comparing) to_compile.push_back(asked[i]);
  }
  compile(to_compile);
}

void PredictionLoop::compile(const std::vector<Pending*>& asked) {
  std::vector<Program> programs, simulator_programs;
  for (const Pending* one : asked) {
    programs.push_back(one->program);
    if (one->is_leased() && one->simulator_program) simulator_programs.push_back(*one->simulator_program);
  }
  const auto compiled = context_.build.compiler.compile(context_.device.arch(), programs);
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->compiled = compiled[i];
  context_.build.compiler.compile(context_.host(), simulator_programs);
}

void PredictionLoop::advance(Pending& one) {
  switch (one.stage()) {
    case Stage::asked:
    case Stage::elsewhere:
    case Stage::done:
      return;
    case Stage::comparing:
    case Stage::compiling:
      if (one.compiled.is_ready()) advance_compiled(one);
      return;
    case Stage::simulating:
      if (one.simulated.wait_for(0s) == std::future_status::timeout) return;
      const Simulated simulated = one.simulated.get();
      cases_ += simulated.cases;
      seconds_of_cases_ += simulated.seconds;
      one.evaluation.take_over(simulated, context_, task_.problem, growth_for(simulated));
      one.evaluation.stage = Stage::done;
  }
}

void PredictionLoop::advance_compiled(Pending& one) {
  Evaluation& evaluation = one.evaluation;
  complete(evaluation.configuration, one.compiled.get(), context_.device);
  evaluation.trial = share_.recorder().trial(evaluation.configuration, task_.problem, "predicted");
  if (const auto known = known_trial(evaluation)) {
    take_over(evaluation, *known);
    evaluation.stage = Stage::done;
  } else if (evaluation.stage == Stage::comparing) {
    // The other run's result does not meet this run's request.
    evaluation.stage = share_.take_done(evaluation.key) ? Stage::compiling : Stage::elsewhere;
    if (evaluation.stage == Stage::compiling) compile({&one});
  } else if (!evaluation.begin(context_.device) || !can_simulate_) {
    evaluation.stage = Stage::done;
  } else {
    one.simulated = context_.build.pool.submit([this, &evaluation](worker::Process& process) {
      if (is_abandoned_ || context_.stop) return Simulated{};
      return simulate_traced(context_, process, evaluation.configuration, task_.problem,
                             evaluation.sampled ? Check::cases : Check::counting);
    });
    evaluation.stage = Stage::simulating;
  }
}

const std::optional<Growth>& PredictionLoop::growth_for(const Simulated& simulated) {
  static const std::optional<Growth> none;
  const Kernel& kernel = *task_.kernels.front();
  if (!simulated.access || simulated.counts_problem || !is_work_traced(kernel)) return none;
  if (!has_growth_)
    growth_ =
        context_.build.pool
            .submit([&](worker::Process& process) { return measured_growth(context_, process, kernel, task_.problem); })
            .get();
  has_growth_ = true;
  return growth_;
}

/// Once for each problem.
void PredictionLoop::say_when_waiting() {
  if (queue_.empty() || count(Stage::elsewhere) < queue_.size()) waiting_since_ = Budget::Clock::now();
  if (has_said_ || Budget::Clock::now() - waiting_since_ < kSilent) return;
  has_said_ = true;
  program::say(fmt::format("tune: another run on this database does what is left of {}; waiting for it", task_.title));
}

/// If everything is to be evaluated anew, only a trial stored since this run began counts. A trial that was not
/// checked, because there was no compiler for the simulator, does not count for a run that has one. Nor does one that
/// did not compile, if it compiles here.
std::optional<db::Trial> PredictionLoop::known_trial(const Evaluation& evaluation) const {
  auto known = share_.stored(evaluation);
  if (!known || (request_.remeasure && !share_.is_from_beside(*known))) return std::nullopt;
  if (!can_simulate_) return known;
  const Verdict verdict = verdict_of(known->verdict);
  // One without a comparison has a time, unless there was no simulator.
  const bool was_checked = (verdict != Verdict::unchecked || known->predicted_us) &&
                           !(verdict == Verdict::not_compiled && evaluation.configuration.built.ok);
  return was_checked ? known : std::nullopt;
}

void PredictionLoop::take_over(Evaluation& evaluation, const db::Trial& known) {
  evaluation.trial = known;
  ++resumed_;
  if (share_.is_from_beside(known)) ++shared_;
}

/// Stores the evaluations that were finished since the last call.
void PredictionLoop::store() {
  share_.recorder().store().transaction([&] {
    for (; stored_ < evaluations_.size(); ++stored_) {
      Evaluation& evaluation = evaluations_[stored_];
      // If this run was suspended for longer than its lease, another run may have stored it meanwhile.
      const auto known = evaluation.trial.id == 0 ? known_trial(evaluation) : std::nullopt;
      if (known && share_.is_from_beside(*known)) take_over(evaluation, *known);
      share_.finish(evaluation, evaluation.key);
    }
  });
  stored_at_ = Budget::Clock::now();
}

}  // namespace warpwright::tuner
