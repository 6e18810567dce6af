// Predicting the configurations of one problem.
#include "tuner/tune/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <list>
#include <map>
#include <thread>

#include "tuner/progress.hpp"
#include "tuner/tune/access_rows.hpp"
#include "tuner/tune/failures.hpp"
#include "tuner/tune/predicted_row.hpp"
#include "tuner/tune/rank_predicted.hpp"
#include "tuner/tune/search.hpp"

namespace warpwright::tuner {
namespace {

using namespace std::chrono_literals;

constexpr int kSampleCases = 6;            ///< of a configuration of the covering sample, besides the trace problem
constexpr int kWinnerCases = 50;           ///< of the configuration that is ranked best
constexpr std::size_t kAhead = 512;        ///< configurations on their way
constexpr std::size_t kAheadGuided = 16;   ///< for each worker, where the next ones depend on times
constexpr std::size_t kClaimed = 48;       ///< for each worker at most, of those on their way
constexpr std::size_t kClaimedLeast = 8;   ///< the same where other runs take their part
constexpr std::size_t kStoredAtOnce = 64;  ///< trials
constexpr std::chrono::milliseconds kStoredEvery{500}, kPoll{5};
constexpr std::chrono::milliseconds kAskAgain{200};  ///< for what another run has claimed
constexpr std::chrono::seconds kSilent{3};           ///< waiting for another run, until that is said

/// One problem on its way: configurations are compiled, judged and stored as they come.
class PredictRun {
 public:
  PredictRun(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder,
             db::Claims& claims, Budget::End end)
      : shop_(shop),
        item_(item),
        request_(request),
        recorder_(recorder),
        claims_(claims),
        end_(end),
        can_judge_(cannot_judge(shop).empty()),
        ahead_(end || is_guided(request.strategy_name()) ? 2 * shop.pool.size() : kAhead),
        answer_(conformance::oracle_answer(shop.catalogue.pattern(item.problem.pattern),
                                           conformance::traced_problem(shop.catalogue, item.problem),
                                           conformance::Case{}.input)) {}

  PredictedItem run() {
    PredictedItem result{.outcome = {}, .looked_at = look()};
    judge_best();
    rank();
    result.outcome = outcome_;
    result.outcome.configurations = static_cast<int>(rows_.size()) - outcome_.resumed;
    result.outcome.wrong = static_cast<int>(
        std::ranges::count_if(rows_, [](const PredictedRow& row) { return is_wrong(verdict_of(row.trial.verdict)); }));
    result.outcome.seconds = std::chrono::duration<double>(Budget::Clock::now() - begin_).count();
    return result;
  }

 private:
  /// A configuration that was asked for: first it is claimed, then compiled, then judged. What another run does is put
  /// behind; what another run has done is compiled for the device alone, by which its trial is known.
  struct Waiting {
    Choice choice;
    PredictedRow row;
    Program program;                           ///< for the device
    std::optional<Program> host_program = {};  ///< where there is who judges
    db::Claim claim = db::Claim::free;
    std::shared_future<Built> built = {};
    std::future<Judged> judged = {};
  };
  using Queue = std::list<Waiting>;

  /// Looks at what the search asks for, as long as there is time.
  std::string look() {
    Search search(item_.kernels, item_.problem, shop_.device, request_);
    Progress progress(item_.place + "compiling and judging " + problem_text(item_.problem), search.size());
    Queue queue;
    std::exception_ptr error;
    try {
      while (!shop_.stop && !is_over(search_end())) {
        refill(search, queue);
        claim(queue);
        if (queue.empty()) break;
        const auto before = rows_.size();
        for (auto at = queue.begin(); at != queue.end() && !shop_.stop;) {
          const auto next = std::next(at);
          if (move_on(*at)) {
            search.tell(at->choice, at->row.trial.predicted_us.value_or(std::numeric_limits<double>::infinity()));
            rows_.push_back(std::move(at->row));
            queue.erase(at);
            progress.tick();
          }
          at = next;
        }
        if (rows_.size() == before) std::this_thread::sleep_for(kPoll);
        if (rows_.size() - stored_ >= kStoredAtOnce || Budget::Clock::now() - stored_at_ > kStoredEvery) store();
        claims_.renew();
        say_when_waiting(queue);
      }
    } catch (...) {
      error = std::current_exception();
    }
    // No task may outlive what it reads here.
    given_up_ = true;
    for (const Waiting& one : queue)
      if (one.judged.valid()) wait_for(one.judged);
    store();
    if (error) std::rethrow_exception(error);
    give_back(queue);
    return search.looked_at();
  }

  /// Asks for more. What waits for another run is beside what is asked for.
  void refill(Search& search, Queue& queue) {
    const auto others = static_cast<std::size_t>(std::ranges::count(queue, db::Claim::held, &Waiting::claim));
    const std::size_t on_way = queue.size() - others;
    if (on_way > ahead_ / 2) return;
    const std::size_t ahead = ahead_;
    ahead_ = std::min(2 * ahead_, is_guided(request_.strategy_name()) ? kAheadGuided * shop_.pool.size() : kAhead);
    for (const Choice choice : search.ask(ahead - on_way)) {
      const Kernel& kernel = *item_.kernels[choice.kernel];
      Waiting one{.choice = choice,
                  .row = {.prepared = prepare(kernel, search.params(choice), item_.problem, shop_.device),
                          .order = search.order(choice),
                          .sampled = search.is_sampled(choice)},
                  .program = program(kernel, search.params(choice), shop_.device)};
      std::string programs = shop_.compiler.key_of(shop_.device.arch(), one.program);
      if (can_judge_) {
        one.host_program = program(kernel, search.params(choice), host_device(shop_.host()));
        programs += " " + shop_.compiler.key_of(shop_.host(), *one.host_program);
      }
      one.row.key = recorder_.claim_key(one.row.prepared, item_.problem, programs);
      queue.push_back(std::move(one));
    }
  }

  Program program(const Kernel& kernel, const Point& params, const Device& device) const {
    return conformance::program_for(shop_.catalogue, kernel, params, item_.problem, device);
  }

  /// Claims as much of the queue as the workers have to do for a while, asks again for what other runs have, and
  /// compiles what is to be compiled.
  void claim(Queue& queue) {
    const auto count = [&](db::Claim what) {
      return static_cast<std::size_t>(std::ranges::count(queue, what, &Waiting::claim));
    };
    // An equal part of what is left for each run: guided self-scheduling (C. D. Polychronopoulos, D. J. Kuck, 1987).
    const std::size_t ours = count(db::Claim::ours), workers = shop_.pool.size();
    const std::size_t part = (ours + count(db::Claim::free)) / static_cast<std::size_t>(claims_.runs()) + 1;
    const std::size_t most = std::min(ahead_, std::clamp(part, kClaimedLeast * workers, kClaimed * workers));
    const auto now = Budget::Clock::now();
    const bool again = now - asked_again_ >= kAskAgain;
    std::vector<Waiting*> asked;
    std::vector<std::string> keys;
    for (Waiting& one : queue)
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

  void compile(const std::vector<Waiting*>& queue) {
    std::vector<Program> programs, judged;
    for (const Waiting* one : queue) {
      programs.push_back(one->program);
      if (one->claim == db::Claim::ours && one->host_program) judged.push_back(*one->host_program);
    }
    const auto built = shop_.compiler.compile(shop_.device.arch(), programs);
    for (std::size_t i = 0; i < queue.size(); ++i) queue[i]->built = built[i];
    shop_.compiler.compile(shop_.host(), judged);
  }

  /// True when the row is done. What compiles, and is not known from another run, is judged.
  bool move_on(Waiting& one) {
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

  /// The other runs need not wait for what this one has claimed and not done.
  void give_back(const Queue& queue) {
    recorder_.store().transaction([&] {
      for (const Waiting& one : queue)
        if (one.claim == db::Claim::ours) claims_.give_back(one.row.key);
    });
  }

  /// Once for each problem.
  void say_when_waiting(const Queue& queue) {
    if (std::ranges::any_of(queue, [](const Waiting& one) { return one.claim != db::Claim::held; }))
      waiting_since_ = Budget::Clock::now();
    if (said_ || Budget::Clock::now() - waiting_since_ < kSilent) return;
    said_ = true;
    fmt::print(stderr, "\ntune: another run on this database does what is left of {}; waiting for it\n",
               problem_text(item_.problem));
  }

  /// The claims stay this run's meanwhile.
  template <class T>
  void wait_for(const std::future<T>& future) {
    while (future.wait_for(std::min(claims_.beat(), std::chrono::milliseconds(kAskAgain))) ==
           std::future_status::timeout)
      claims_.renew();
  }

  /// The ranking takes its part of the time.
  Budget::End search_end() const {
    constexpr double kShare = 0.2, kMost = 3;
    return leaving(end_, begin_, kShare, kMost);
  }

  /// What another run has stored of it, if that is the answer of this one too; what there was before this one began is
  /// none where all is to be done again.
  std::optional<db::Trial> known_of(const PredictedRow& row) const {
    auto known = recorder_.store().find_trial(row.trial.config_key);
    if (!known || !still_holds(*known, row.prepared)) return std::nullopt;
    if (request_.remeasure && !recorder_.is_from_beside(*known)) return std::nullopt;
    return known;
  }

  void take_over(PredictedRow& row, const db::Trial& known) {
    row.trial = known;
    ++outcome_.resumed;
    if (recorder_.is_from_beside(known)) ++outcome_.shared;
  }

  /// Whether what an earlier run stored is the answer of this one too. What was not judged for want of a host compiler
  /// is judged by the first run that has one; what one refused is asked of this one (its cache knows).
  bool still_holds(const db::Trial& known, const Prepared& prepared) const {
    if (!can_judge_) return true;
    const Verdict verdict = verdict_of(known.verdict);
    return verdict != Verdict::unchecked && !(verdict == Verdict::not_compiled && prepared.built.ok);
  }

  /// Orders by the model. The best are judged until one has passed.
  void judge_best() {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (may_be_best(rows_[i].trial)) order_.push_back(i);
    // Of equal times the first in the catalogue, so that runs side by side find the same best.
    std::ranges::sort(order_, {},
                      [&](std::size_t i) { return std::pair(*rows_[i].trial.predicted_us, rows_[i].order); });
    while (!order_.empty() && can_judge_ && !shop_.stop) {
      PredictedRow& row = rows_[order_.front()];
      if (!may_be_best(row.trial)) {
        order_.erase(order_.begin());
        continue;
      }
      if (row.trial.whole_property) return;
      if (const std::string key = row.key + " whole"; is_ours_to_judge(row, key)) judge_whole(row, key);
    }
  }

  /// Claims the whole property of a configuration. False where another run has judged it, which is taken over, or the
  /// user stops this one.
  bool is_ours_to_judge(PredictedRow& row, const std::string& key) {
    while (!shop_.stop) {
      const db::Claim claim = claims_.take(std::array{key}, 1).front();
      if (claim == db::Claim::held) {
        std::this_thread::sleep_for(kAskAgain);
        continue;
      }
      const auto newest = recorder_.store().find_trial(row.trial.config_key);
      if (newest && newest->id != row.trial.id && newest->created_at >= row.trial.created_at &&
          (newest->whole_property || !may_be_best(*newest))) {
        row.trial = *newest;
        claims_.finish(key);
        return false;
      }
      if (claim == db::Claim::ours || claims_.take_done(key)) return true;
    }
    return false;
  }

  void judge_whole(PredictedRow& row, const std::string& key) {
    auto judged = shop_.pool.submit([&](worker::Process& process) {
      return judge_cases(shop_, process, row.prepared, item_.problem, kWinnerCases);
    });
    wait_for(judged);
    const auto report = judged.get();
    // What was stored before, by whatever run, is stored again with what is known now, and from now on.
    row.trial.id = 0;
    row.trial.session_id = recorder_.session().id;
    row.trial.created_at.clear();
    if (!report.ok()) {
      row.blame(report.failure, report.counterexample);
      row.trial.predicted_us.reset();
    } else if (!report.not_judged.empty()) {
      row.blame({.verdict = Verdict::not_judged, .detail = report.not_judged}, std::nullopt);
    } else {
      row.trial.judged_cases = row.trial.judged_cases.value_or(0) + report.cases;
      row.trial.whole_property = !report.interrupted;
    }
    recorder_.store().transaction([&] {
      keep(row);
      report.interrupted ? claims_.give_back(key) : void(claims_.finish(key));
    });
  }

  /// Stores the rows that came since the last time.
  void store() {
    recorder_.store().transaction([&] {
      for (; stored_ < rows_.size(); ++stored_) {
        PredictedRow& row = rows_[stored_];
        // A run that was stopped for longer than its lease finds what another one did meanwhile.
        const auto known = row.trial.id == 0 ? known_of(row) : std::nullopt;
        if (known && recorder_.is_from_beside(*known)) take_over(row, *known);
        if (row.trial.id == 0) keep(row);
        claims_.finish(row.key);
      }
    });
    stored_at_ = Budget::Clock::now();
  }

  /// Stores a row, with the first few counterexamples of every kernel: all of them stand in the trials.
  void keep(PredictedRow& row) {
    row.trial.id = recorder_.store_trial(row.prepared, row.trial);
    if (row.access)
      for (const db::Access& access :
           access_rows(*row.access, row.trial.configuration_id, row.trial.problem_id, shop_.host()))
        recorder_.store().put_access(access);
    if (row.counterexample && is_wrong(verdict_of(row.trial.verdict)) &&
        ++kept_[row.prepared.kernel] <= kKeptCounterexamples)
      conformance::store_counterexample(recorder_.store(), *row.counterexample, row.trial.detail);
  }

  void rank() {
    if (shop_.stop) return;
    std::vector<db::Trial> trials;
    for (const std::size_t i : order_) trials.push_back(rows_[i].trial);
    rank_predicted(recorder_, item_, request_, shop_.device, std::move(trials));
  }

  const Workshop& shop_;
  const TuneItem& item_;
  const TuneRequest& request_;
  Recorder& recorder_;
  db::Claims& claims_;
  const Budget::End end_;
  const bool can_judge_;
  std::size_t ahead_;  ///< configurations on their way: few at first, so that something is known soon
  const conformance::OracleAnswer answer_;  ///< of the traced problem with a case's usual input
  const Budget::Clock::time_point begin_ = Budget::Clock::now();
  std::vector<PredictedRow> rows_;
  std::size_t stored_ = 0;  ///< so many of the rows
  Budget::Clock::time_point stored_at_ = begin_, asked_again_ = begin_, waiting_since_ = begin_;
  bool said_ = false;                  ///< that it waits
  std::map<const Kernel*, int> kept_;  ///< counterexamples
  std::vector<std::size_t> order_;     ///< rows by predicted time
  std::atomic<bool> given_up_ = false;
  TuneOutcome outcome_;
};

}  // namespace

PredictedItem predict_item(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder,
                           db::Claims& claims, Budget::End end) {
  return PredictRun(shop, item, request, recorder, claims, end).run();
}

}  // namespace warpwright::tuner
