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
conformance::OracleAnswer answer_of(const Workshop& shop, const Problem& problem) {
  return shop.pool
      .submit([&](worker::Process& process) {
        return conformance::oracle_answer(shop.catalogue.pattern(problem.pattern),
                                          conformance::traced_problem(shop.catalogue, problem), traced_input(), process,
                                          shop.compiler);
      })
      .get();
}

/// Of a row that was not found wrong; infinity where it has no time.
double right_us(const PredictedRow& row) {
  const double none = std::numeric_limits<double>::infinity();
  const Verdict verdict = verdict_of(row.trial.verdict);
  const bool counts = verdict == Verdict::passed || verdict == Verdict::unchecked;
  return counts ? row.trial.predicted_us.value_or(none) : none;
}

}  // namespace

Look::Look(const Workshop& shop, const TuneItem& item, const TuneRequest& request, RowStore& rows, db::Claims& claims)
    : shop_(shop),
      item_(item),
      request_(request),
      row_store_(rows),
      recorder_(rows.recorder()),
      claims_(claims),
      can_judge_(cannot_judge(shop).empty()),
      ahead_(request.budget_seconds > 0 || is_guided(request.strategy_name()) ? 2 * shop.pool.size() : kAhead),
      answer_(can_judge_ ? answer_of(shop, item.problem) : conformance::OracleAnswer()),
      search_(item.kernels, item.problem, shop.device, request) {}

Look::~Look() {
  given_up_ = true;
  for (const Waiting& one : queue_)
    if (one.judged.valid()) one.judged.wait();
}

void Look::go_on(At what, Budget::End end) {
  if (!is_begun_) recorder_.store_spaces(item_.problem, search_.spaces());
  is_begun_ = true;
  if (item_.progress != nullptr) item_.progress->begin(item_.title, search_.size());
  try {
    while (!shop_.stop && !is_over(end)) {
      refill(what);
      claim();
      if (queue_.empty()) break;
      const auto before = rows_.size();
      for (auto at = queue_.begin(); at != queue_.end() && !shop_.stop;) {
        const auto next = std::next(at);
        if (move_on(*at)) {
          search_.tell(at->choice, at->row.trial.predicted_us.value_or(std::numeric_limits<double>::infinity()));
          if (item_.progress != nullptr) item_.progress->evaluated(item_.title, right_us(at->row));
          rows_.push_back(std::move(at->row));
          queue_.erase(at);
        }
        at = next;
      }
      if (rows_.size() == before) std::this_thread::sleep_for(kPoll);
      if (rows_.size() - stored_ >= kStoredAtOnce || Budget::Clock::now() - stored_at_ > kStoredEvery) store();
      claims_.renew();
      say_when_waiting();
    }
  } catch (...) {
    store();
    throw;
  }
  store();
}

void Look::leave() {
  given_up_ = true;
  std::vector<Program> for_device, for_host;
  for (const Waiting& one : queue_) {
    if (one.built.valid()) for_device.push_back(one.program);
    if (one.host_program && one.claim == db::Claim::ours) for_host.push_back(*one.host_program);
  }
  shop_.compiler.give_up(shop_.device.arch(), for_device);
  shop_.compiler.give_up(shop_.host(), for_host);
  for (const Waiting& one : queue_)
    if (one.judged.valid()) claims_.keep_until(one.judged);
  recorder_.store().transaction([&] {
    for (const Waiting& one : queue_)
      if (one.claim == db::Claim::ours) claims_.give_back(one.row.key);
  });
  queue_.clear();
}

/// Asks for more. What waits for another run is beside what is asked for.
void Look::refill(At what) {
  const auto others = static_cast<std::size_t>(std::ranges::count(queue_, db::Claim::held, &Waiting::claim));
  const std::size_t on_way = queue_.size() - others;
  if (on_way > ahead_ / 2) return;
  const auto asked = what == At::defaults ? search_.ask_defaults() : search_.ask(ahead_ - on_way);
  if (what == At::all)
    ahead_ = std::min(2 * ahead_, is_guided(request_.strategy_name()) ? kAheadGuided * shop_.pool.size() : kAhead);
  for (const Choice choice : asked) {
    const Kernel& kernel = *item_.kernels[choice.kernel];
    Waiting one{.choice = choice,
                .row = {.prepared = prepare(kernel, search_.params(choice), item_.problem, shop_.device),
                        .sampled = search_.is_sampled(choice)},
                .program = program(kernel, search_.params(choice), shop_.device)};
    std::string programs = shop_.compiler.key_of(shop_.device.arch(), one.program);
    if (can_judge_) {
      one.host_program = program(kernel, search_.params(choice), host_device(shop_.host()));
      programs += " " + shop_.compiler.key_of(shop_.host(), *one.host_program);
    }
    one.row.key = recorder_.claim_key(one.row.prepared, item_.problem, programs);
    queue_.push_back(std::move(one));
  }
}

Program Look::program(const Kernel& kernel, const Point& params, const Device& device) const {
  return conformance::program_for(shop_.catalogue, kernel, params, item_.problem, device);
}

/// Claims as much of the queue as the workers have to do for a while, asks again for what other runs have, and
/// compiles what is to be compiled.
void Look::claim() {
  const auto count = [&](db::Claim what) {
    return static_cast<std::size_t>(std::ranges::count(queue_, what, &Waiting::claim));
  };
  // An equal part of what is left for each run: guided self-scheduling (C. D. Polychronopoulos, D. J. Kuck, 1987).
  const std::size_t ours = count(db::Claim::ours), workers = shop_.pool.size();
  const std::size_t part = (ours + count(db::Claim::free)) / static_cast<std::size_t>(claims_.runs()) + 1;
  const std::size_t most = std::min(ahead_, std::clamp(part, kClaimedLeast * workers, kClaimed * workers));
  const auto now = Budget::Clock::now();
  const bool again = now - asked_again_ >= db::Claims::ask_again;
  std::vector<Waiting*> asked;
  std::vector<std::string> keys;
  for (Waiting& one : queue_)
    if (one.claim == db::Claim::free ? ours <= most / 2 : one.claim == db::Claim::held && again) {
      asked.push_back(&one);
      keys.push_back(one.row.key);
    }
  if (asked.empty()) return;
  if (again) asked_again_ = now;
  const std::vector<db::Claim> answers = claims_.take(keys, most - std::min(most, ours));
  std::vector<Waiting*> to_compile;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i]->claim = answers[i];
    if (answers[i] == db::Claim::ours || answers[i] == db::Claim::done) to_compile.push_back(asked[i]);
  }
  compile(to_compile);
}

void Look::compile(const std::vector<Waiting*>& asked) {
  std::vector<Program> programs, judged;
  for (const Waiting* one : asked) {
    programs.push_back(one->program);
    if (one->claim == db::Claim::ours && one->host_program) judged.push_back(*one->host_program);
  }
  const auto built = shop_.compiler.compile(shop_.device.arch(), programs);
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->built = built[i];
  shop_.compiler.compile(shop_.host(), judged);
}

/// True when the row is done. What compiles, and is not known from another run, is judged.
bool Look::move_on(Waiting& one) {
  if (one.judged.valid()) {
    if (one.judged.wait_for(0s) == std::future_status::timeout) return false;
    one.row.take_over(one.judged.get(), shop_, item_.problem);
    return true;
  }
  if (!one.built.valid() || one.built.wait_for(0s) == std::future_status::timeout) return false;
  PredictedRow& row = one.row;
  complete(row.prepared, one.built.get(), shop_.device);
  row.trial = recorder_.trial(row.prepared, item_.problem, "predicted");
  if (const auto known = known_of(row)) {
    take_over(row, *known);
    return true;
  }
  if (one.claim == db::Claim::done) {
    // What came of it elsewhere is no answer here.
    one.built = {};
    one.claim = claims_.take_done(row.key) ? db::Claim::ours : db::Claim::held;
    if (one.claim == db::Claim::ours) compile({&one});
    return false;
  }
  if (!row.begin(shop_.device) || !can_judge_) return true;
  one.judged = shop_.pool.submit([this, &row](worker::Process& process) {
    if (given_up_ || shop_.stop) return Judged{};
    return judge_traced(shop_, process, row.prepared, item_.problem, answer_, row.sampled ? kSampleCases : 0);
  });
  return false;
}

/// Once for each problem.
void Look::say_when_waiting() {
  if (std::ranges::any_of(queue_, [](const Waiting& one) { return one.claim != db::Claim::held; }))
    waiting_since_ = Budget::Clock::now();
  if (said_ || Budget::Clock::now() - waiting_since_ < kSilent) return;
  said_ = true;
  program::say(fmt::format("tune: another run on this database does what is left of {}; waiting for it", item_.title));
}

/// What another run has stored of it, if that is the answer of this one too; what there was before this one began is
/// none where all is to be done again.
std::optional<db::Trial> Look::known_of(const PredictedRow& row) const {
  auto known = recorder_.store().find_trial(row.trial.config_key);
  if (!known || !still_holds(*known, row.prepared)) return std::nullopt;
  if (request_.remeasure && !recorder_.is_from_beside(*known)) return std::nullopt;
  return known;
}

void Look::take_over(PredictedRow& row, const db::Trial& known) {
  row.trial = known;
  ++resumed_;
  if (recorder_.is_from_beside(known)) ++shared_;
}

/// Whether what an earlier run stored is the answer of this one too. What was not judged for want of a host compiler
/// is judged by the first run that has one; what one refused is asked of this one (its cache knows).
bool Look::still_holds(const db::Trial& known, const Prepared& prepared) const {
  if (!can_judge_) return true;
  const Verdict verdict = verdict_of(known.verdict);
  return verdict != Verdict::unchecked && !(verdict == Verdict::not_compiled && prepared.built.ok);
}

/// Stores the rows that came since the last time.
void Look::store() {
  recorder_.store().transaction([&] {
    for (; stored_ < rows_.size(); ++stored_) {
      PredictedRow& row = rows_[stored_];
      // A run that was stopped for longer than its lease finds what another one did meanwhile.
      const auto known = row.trial.id == 0 ? known_of(row) : std::nullopt;
      if (known && recorder_.is_from_beside(*known)) take_over(row, *known);
      if (row.trial.id == 0) row_store_.keep(row);
      claims_.finish(row.key);
    }
  });
  stored_at_ = Budget::Clock::now();
}

}  // namespace warpwright::tuner
