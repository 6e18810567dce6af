// Claiming, compiling, judging and storing the configurations of one problem.
#include "tuner/predicting/prediction_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "kernels/system/say.hpp"

namespace warpwright::tuner {
namespace {

using namespace std::chrono_literals;

constexpr int kSampleCases = 6;            ///< of a configuration of the covering sample, besides the trace problem
constexpr std::size_t kAhead = 512;        ///< configurations on their way
constexpr std::size_t kAheadGuided = 16;   ///< for each worker, where the next ones depend on times
constexpr std::size_t kClaimed = 48;       ///< for each worker at most, of those on their way
constexpr std::size_t kClaimedLeast = 8;   ///< the same where other runs take their part
constexpr std::size_t kStoredAtOnce = 64;  ///< trials
constexpr std::chrono::milliseconds kStoredEvery{500};
constexpr std::chrono::milliseconds kPoll{5};
constexpr std::chrono::seconds kSilent{3};  ///< waiting for another run, until that is said

/// What every configuration is judged by on the traced problem.
conformance::OracleAnswer answer_of(const TuningContext& context, const Problem& problem) {
  return context.build.pool
      .submit([&](worker::Process& process) {
        return conformance::oracle_answer(context.catalogue.pattern(problem.pattern),
                                          conformance::traced_problem(context.catalogue, problem), traced_input(),
                                          process, context.build.compiler);
      })
      .get();
}

/// Of a row that was not found wrong; infinity where it has no time.
double right_us(const Evaluation& row) {
  const double none = std::numeric_limits<double>::infinity();
  const Verdict verdict = verdict_of(row.trial.verdict);
  const bool counts = verdict == Verdict::passed || verdict == Verdict::unchecked;
  return counts ? row.trial.predicted_us.value_or(none) : none;
}

}  // namespace

PredictionLoop::PredictionLoop(const TuningContext& context, const TuningTask& task, const TuningRequest& request,
                               EvaluationStore& rows, db::Leases& claims)
    : context_(context),
      task_(task),
      request_(request),
      row_store_(rows),
      recorder_(rows.recorder()),
      leases_(claims),
      can_judge_(cannot_simulate(context).empty()),
      ahead_(request.budget_seconds > 0 || is_guided(request.strategy_name()) ? 2 * context.build.pool.size() : kAhead),
      answer_(can_judge_ ? answer_of(context, task.problem) : conformance::OracleAnswer()),
      search_(task.kernels, task.problem, context.device, request) {}

PredictionLoop::~PredictionLoop() {
  given_up_ = true;
  for (const Waiting& one : queue_)
    if (one.judged.valid()) one.judged.wait();
}

void PredictionLoop::go_on(At what, Budget::End end) {
  if (!is_begun_) recorder_.store_spaces(task_.problem, search_.spaces());
  is_begun_ = true;
  if (task_.progress != nullptr) task_.progress->begin(task_.title, search_.size());
  try {
    while (!context_.stop && !is_over(end)) {
      refill(what);
      claim();
      if (queue_.empty()) break;
      const auto before = rows_.size();
      for (auto at = queue_.begin(); at != queue_.end() && !context_.stop;) {
        const auto next = std::next(at);
        if (move_on(*at)) {
          search_.tell(at->choice, at->row.trial.predicted_us.value_or(std::numeric_limits<double>::infinity()));
          if (task_.progress != nullptr) task_.progress->evaluated(task_.title, right_us(at->row));
          rows_.push_back(std::move(at->row));
          queue_.erase(at);
        }
        at = next;
      }
      if (rows_.size() == before) std::this_thread::sleep_for(kPoll);
      if (rows_.size() - stored_ >= kStoredAtOnce || Budget::Clock::now() - stored_at_ > kStoredEvery) store();
      leases_.renew();
      say_when_waiting();
    }
  } catch (...) {
    store();
    throw;
  }
  store();
}

void PredictionLoop::leave() {
  given_up_ = true;
  std::vector<Program> for_device, for_host;
  for (const Waiting& one : queue_) {
    if (one.built.valid()) for_device.push_back(one.program);
    if (one.host_program && one.claim == db::Lease::ours) for_host.push_back(*one.host_program);
  }
  context_.build.compiler.give_up(context_.device.arch(), for_device);
  context_.build.compiler.give_up(context_.host(), for_host);
  for (const Waiting& one : queue_)
    if (one.judged.valid()) leases_.keep_until(one.judged);
  recorder_.store().transaction([&] {
    for (const Waiting& one : queue_)
      if (one.claim == db::Lease::ours) leases_.give_back(one.row.key);
  });
  queue_.clear();
}

/// Asks for more. What waits for another run is beside what is asked for.
void PredictionLoop::refill(At what) {
  const auto others = static_cast<std::size_t>(std::ranges::count(queue_, db::Lease::held, &Waiting::claim));
  const std::size_t on_way = queue_.size() - others;
  if (on_way > ahead_ / 2) return;
  const auto asked = what == At::defaults ? search_.ask_defaults() : search_.ask(ahead_ - on_way);
  if (what == At::all)
    ahead_ =
        std::min(2 * ahead_, is_guided(request_.strategy_name()) ? kAheadGuided * context_.build.pool.size() : kAhead);
  for (const Choice choice : asked) {
    const Kernel& kernel = *task_.kernels[choice.kernel];
    Waiting one{.choice = choice,
                .row = {.prepared = prepare(kernel, search_.params(choice), task_.problem, context_.device),
                        .sampled = search_.is_sampled(choice)},
                .program = program(kernel, search_.params(choice), context_.device)};
    std::string programs = context_.build.compiler.key_of(context_.device.arch(), one.program);
    if (can_judge_) {
      one.host_program = program(kernel, search_.params(choice), host_device(context_.host()));
      programs += " " + context_.build.compiler.key_of(context_.host(), *one.host_program);
    }
    one.row.key = recorder_.claim_key(one.row.prepared, task_.problem, programs);
    queue_.push_back(std::move(one));
  }
}

Program PredictionLoop::program(const Kernel& kernel, const Point& params, const Device& device) const {
  return conformance::program_for(context_.catalogue, kernel, params, task_.problem, device);
}

/// Leases as much of the queue as the workers have to do for a while, asks again for what other runs have, and
/// compiles what is to be compiled.
void PredictionLoop::claim() {
  const auto count = [&](db::Lease what) {
    return static_cast<std::size_t>(std::ranges::count(queue_, what, &Waiting::claim));
  };
  // An equal part of what is left for each run: guided self-scheduling (C. D. Polychronopoulos, D. J. Kuck, 1987).
  const std::size_t ours = count(db::Lease::ours), workers = context_.build.pool.size();
  const std::size_t part = (ours + count(db::Lease::free)) / static_cast<std::size_t>(leases_.runs()) + 1;
  const std::size_t most = std::min(ahead_, std::clamp(part, kClaimedLeast * workers, kClaimed * workers));
  const auto now = Budget::Clock::now();
  const bool again = now - asked_again_ >= db::Leases::ask_again;
  std::vector<Waiting*> asked;
  std::vector<std::string> keys;
  for (Waiting& one : queue_)
    if (one.claim == db::Lease::free ? ours <= most / 2 : one.claim == db::Lease::held && again) {
      asked.push_back(&one);
      keys.push_back(one.row.key);
    }
  if (asked.empty()) return;
  if (again) asked_again_ = now;
  const std::vector<db::Lease> answers = leases_.take(keys, most - std::min(most, ours));
  std::vector<Waiting*> to_compile;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i]->claim = answers[i];
    if (answers[i] == db::Lease::ours || answers[i] == db::Lease::done) to_compile.push_back(asked[i]);
  }
  compile(to_compile);
}

void PredictionLoop::compile(const std::vector<Waiting*>& asked) {
  std::vector<Program> programs, judged;
  for (const Waiting* one : asked) {
    programs.push_back(one->program);
    if (one->claim == db::Lease::ours && one->host_program) judged.push_back(*one->host_program);
  }
  const auto built = context_.build.compiler.compile(context_.device.arch(), programs);
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->built = built[i];
  context_.build.compiler.compile(context_.host(), judged);
}

/// True when the row is done. What compiles, and is not known from another run, is judged.
bool PredictionLoop::move_on(Waiting& one) {
  if (one.judged.valid()) {
    if (one.judged.wait_for(0s) == std::future_status::timeout) return false;
    one.row.take_over(one.judged.get(), context_, task_.problem);
    return true;
  }
  if (!one.built.valid() || one.built.wait_for(0s) == std::future_status::timeout) return false;
  Evaluation& row = one.row;
  complete(row.prepared, one.built.get(), context_.device);
  row.trial = recorder_.trial(row.prepared, task_.problem, "predicted");
  if (const auto known = known_of(row)) {
    take_over(row, *known);
    return true;
  }
  if (one.claim == db::Lease::done) {
    // What came of it elsewhere is no answer here.
    one.built = {};
    one.claim = leases_.take_done(row.key) ? db::Lease::ours : db::Lease::held;
    if (one.claim == db::Lease::ours) compile({&one});
    return false;
  }
  if (!row.begin(context_.device) || !can_judge_) return true;
  one.judged = context_.build.pool.submit([this, &row](worker::Process& process) {
    if (given_up_ || context_.stop) return Simulated{};
    return simulate_traced(context_, process, row.prepared, task_.problem, answer_, row.sampled ? kSampleCases : 0);
  });
  return false;
}

/// Once for each problem.
void PredictionLoop::say_when_waiting() {
  if (std::ranges::any_of(queue_, [](const Waiting& one) { return one.claim != db::Lease::held; }))
    waiting_since_ = Budget::Clock::now();
  if (said_ || Budget::Clock::now() - waiting_since_ < kSilent) return;
  said_ = true;
  program::say(fmt::format("tune: another run on this database does what is left of {}; waiting for it", task_.title));
}

/// What another run has stored of it, if that is the answer of this one too; what there was before this one began is
/// none where all is to be done again.
std::optional<db::Trial> PredictionLoop::known_of(const Evaluation& row) const {
  auto known = recorder_.store().find_trial(row.trial.config_key);
  if (!known || !still_holds(*known, row.prepared)) return std::nullopt;
  if (request_.remeasure && !recorder_.is_from_beside(*known)) return std::nullopt;
  return known;
}

void PredictionLoop::take_over(Evaluation& row, const db::Trial& known) {
  row.trial = known;
  ++resumed_;
  if (recorder_.is_from_beside(known)) ++shared_;
}

/// Whether what an earlier run stored is the answer of this one too. What was not modelled for want of a host compiler
/// is judged by the first run that has one; what one refused is asked of this one (its cache knows).
bool PredictionLoop::still_holds(const db::Trial& known, const CompiledConfiguration& prepared) const {
  if (!can_judge_) return true;
  const Verdict verdict = verdict_of(known.verdict);
  return verdict != Verdict::unchecked && !(verdict == Verdict::not_compiled && prepared.built.ok);
}

/// Stores the rows that came since the last time.
void PredictionLoop::store() {
  recorder_.store().transaction([&] {
    for (; stored_ < rows_.size(); ++stored_) {
      Evaluation& row = rows_[stored_];
      // A run that was stopped for longer than its lease finds what another one did meanwhile.
      const auto known = row.trial.id == 0 ? known_of(row) : std::nullopt;
      if (known && recorder_.is_from_beside(*known)) take_over(row, *known);
      if (row.trial.id == 0) row_store_.keep(row);
      leases_.finish(row.key);
    }
  });
  stored_at_ = Budget::Clock::now();
}

}  // namespace warpwright::tuner
