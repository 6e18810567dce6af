// Predicting the configurations of one problem.
#include "tuner/tune/predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <map>
#include <thread>

#include "db/band.hpp"
#include "tuner/progress.hpp"
#include "tuner/traced_prediction.hpp"
#include "tuner/tune/access_rows.hpp"
#include "tuner/tune/failures.hpp"
#include "tuner/tune/judge.hpp"
#include "tuner/tune/search.hpp"

namespace warpwright::tuner {
namespace {

using namespace std::chrono_literals;

constexpr int kSampleCases = 6;   ///< of a configuration of the covering sample, besides the trace problem
constexpr int kWinnerCases = 50;  ///< of the configuration that is ranked best
constexpr std::size_t kRanked = 8;
constexpr std::size_t kAhead = 512;        ///< configurations on their way
constexpr std::size_t kAheadGuided = 16;   ///< for each worker, where the next ones depend on times
constexpr std::size_t kStoredAtOnce = 64;  ///< trials
constexpr std::chrono::milliseconds kStoredEvery{500}, kPoll{5};

/// A configuration on its way through the prediction.
struct Row {
  Prepared prepared;
  bool sampled = false;  ///< of the covering sample
  db::Trial trial{};     ///< with an id when it was taken over from the database
  std::optional<conformance::CountedAccess> access{};
  std::optional<conformance::Case> counterexample{};

  /// Takes over the verdict and, where it is wrong, the case that shows it.
  void blame(const conformance::CaseResult& result, const std::optional<conformance::Case>& test) {
    trial.verdict = word_of(result.verdict);
    trial.detail = result.detail;
    if (result.is_right() || !test) return;
    trial.detail += conformance::repro_hint(*test);
    counterexample = test;
  }
};

struct Judged {
  conformance::CaseResult result;
  std::optional<conformance::CountedAccess> access;
  int cases = 0;
  std::optional<conformance::Case> counterexample = std::nullopt;
};

/// `answer` is that of the traced problem with a case's usual input.
Judged judge(const Workshop& shop, worker::Process& process, const Prepared& prepared, const Problem& problem,
             const conformance::OracleAnswer& answer, int cases) {
  conformance::Checker checker = host_checker(shop, process);
  conformance::Case traced;
  traced.kernel = prepared.kernel;
  traced.params = prepared.params;
  traced.target = shop.host();
  traced.problem = conformance::traced_problem(shop.catalogue, problem);
  Judged judged;
  judged.result = checker.check_and_count(traced, answer, judged.access);
  judged.cases = 1;
  if (!judged.result.is_right()) judged.counterexample = traced;
  if (!judged.result.ok() || cases == 0) return judged;
  const auto report = judge_cases(shop, process, prepared, problem, cases);
  judged.cases += report.cases;
  if (!report.not_judged.empty()) judged.result = {.verdict = Verdict::not_judged, .detail = report.not_judged};
  if (!report.ok()) {
    judged.result = report.failure;
    judged.counterexample = report.counterexample;
  }
  return judged;
}

bool may_be_best(const db::Trial& trial) {
  const Verdict verdict = verdict_of(trial.verdict);
  return trial.predicted_us && (verdict == Verdict::passed || verdict == Verdict::unchecked);
}

/// One problem on its way: configurations are compiled, judged and stored as they come.
class PredictRun {
 public:
  PredictRun(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder,
             Budget::End end)
      : shop_(shop),
        item_(item),
        request_(request),
        recorder_(recorder),
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
        std::ranges::count_if(rows_, [](const Row& row) { return is_wrong(verdict_of(row.trial.verdict)); }));
    result.outcome.seconds = std::chrono::duration<double>(Budget::Clock::now() - begin_).count();
    return result;
  }

 private:
  /// A configuration that was asked for: first it is compiled, then judged.
  struct Waiting {
    Choice choice;
    Row row;
    std::shared_future<Built> built;
    std::future<Judged> judged = {};
  };

  /// Looks at what the search asks for, as long as there is time.
  std::string look() {
    Search search(item_.kernels, item_.problem, shop_.device, request_);
    Progress progress(item_.place + "compiling and judging " + problem_text(item_.problem), search.size());
    std::list<Waiting> queue;
    std::exception_ptr error;
    try {
      while (!shop_.stop && !is_over(search_end())) {
        refill(search, queue);
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
      }
    } catch (...) {
      error = std::current_exception();
    }
    // No task may outlive what it reads here.
    given_up_ = true;
    for (const Waiting& one : queue)
      if (one.judged.valid()) one.judged.wait();
    store();
    if (error) std::rethrow_exception(error);
    return search.looked_at();
  }

  /// Compiles what is asked for next, for the device and for the host.
  void refill(Search& search, std::list<Waiting>& queue) {
    if (queue.size() > ahead_ / 2) return;
    const std::size_t ahead = ahead_;
    ahead_ = std::min(2 * ahead_, is_guided(request_.strategy_name()) ? kAheadGuided * shop_.pool.size() : kAhead);
    std::vector<Program> programs, judged;
    std::vector<std::list<Waiting>::iterator> added;
    for (const Choice choice : search.ask(ahead - queue.size())) {
      const Kernel& kernel = *item_.kernels[choice.kernel];
      queue.push_back({.choice = choice,
                       .row = {.prepared = prepare(kernel, search.params(choice), item_.problem, shop_.device),
                               .sampled = search.is_sampled(choice)},
                       .built = {}});
      added.push_back(std::prev(queue.end()));
      programs.push_back(
          conformance::program_for(shop_.catalogue, kernel, search.params(choice), item_.problem, shop_.device));
      if (can_judge_)
        judged.push_back(conformance::program_for(shop_.catalogue, kernel, search.params(choice), item_.problem,
                                                  host_device(shop_.host())));
    }
    const auto built = shop_.compiler.compile(shop_.device.arch(), programs);
    for (std::size_t i = 0; i < added.size(); ++i) added[i]->built = built[i];
    shop_.compiler.compile(shop_.host(), judged);
  }

  /// True when the row is done. What compiles, and is not known from an earlier run, is judged.
  bool move_on(Waiting& one) {
    if (one.judged.valid()) {
      if (one.judged.wait_for(0s) == std::future_status::timeout) return false;
      take_over(one.row, one.judged.get());
      return true;
    }
    if (one.built.wait_for(0s) == std::future_status::timeout) return false;
    Row& row = one.row;
    complete(row.prepared, one.built.get(), shop_.device);
    row.trial = recorder_.trial(row.prepared, item_.problem, "predicted");
    const auto known = request_.remeasure ? std::nullopt : recorder_.store().find_trial(row.trial.config_key);
    if (known && still_holds(*known, row.prepared)) {
      row.trial = *known;
      ++outcome_.resumed;
      return true;
    }
    if (!begins(row.trial, row.prepared) || !can_judge_) return true;
    one.judged = shop_.pool.submit([this, &row](worker::Process& process) {
      if (given_up_ || shop_.stop) return Judged{};
      return judge(shop_, process, row.prepared, item_.problem, answer_, row.sampled ? kSampleCases : 0);
    });
    return false;
  }

  /// The ranking takes its part of the time.
  Budget::End search_end() const {
    constexpr double kShare = 0.2, kMost = 3;
    return leaving(end_, begin_, kShare, kMost);
  }

  /// Whether what an earlier run stored is the answer of this one too. What was not judged for want of a host compiler
  /// is judged by the first run that has one; what one refused is asked of this one (its cache knows).
  bool still_holds(const db::Trial& known, const Prepared& prepared) const {
    if (!can_judge_) return true;
    const Verdict verdict = verdict_of(known.verdict);
    return verdict != Verdict::unchecked && !(verdict == Verdict::not_compiled && prepared.built.ok);
  }

  /// The verdict that a trial begins with; false when it is the last.
  bool begins(db::Trial& trial, const Prepared& prepared) const {
    trial.judged_cases = 0;
    trial.verdict = word_of(Verdict::unchecked);
    if (!prepared.built.ok) {
      trial.verdict = word_of(Verdict::not_compiled);
      trial.detail = prepared.built.log;
      return false;
    }
    trial.detail = refuses_launch(prepared, shop_.device);
    if (!trial.detail.empty()) trial.verdict = word_of(Verdict::not_launchable);
    return trial.detail.empty();
  }

  void take_over(Row& row, const Judged& judged) const {
    row.access = judged.access;
    row.blame(judged.result, judged.counterexample);
    if (std::isfinite(judged.result.error_ratio)) row.trial.error_ratio = judged.result.error_ratio;
    const bool is_judged = judged.result.verdict != Verdict::not_judged;
    if (is_judged) row.trial.judged_cases = judged.cases;
    if (!row.prepared.plan.is_plain())
      row.trial.detail += "not predicted: the model knows neither the bus nor what overlaps on it";
    else if (row.access || !is_judged)
      row.trial.predicted_us = predict_from_trace(shop_, row.prepared, item_.problem, row.access).us;
  }

  /// Orders by the model. The best are judged until one has passed.
  void judge_best() {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (may_be_best(rows_[i].trial)) order_.push_back(i);
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return *rows_[i].trial.predicted_us; });
    while (!order_.empty() && can_judge_ && !shop_.stop) {
      Row& row = rows_[order_.front()];
      if (row.trial.whole_property) return;
      const auto report = shop_.pool
                              .submit([&](worker::Process& process) {
                                return judge_cases(shop_, process, row.prepared, item_.problem, kWinnerCases);
                              })
                              .get();
      // What was stored before is stored again with what is known now, and from now on.
      row.trial.id = 0;
      row.trial.created_at.clear();
      if (report.ok() && report.not_judged.empty()) {
        row.trial.judged_cases = row.trial.judged_cases.value_or(0) + report.cases;
        row.trial.whole_property = !report.interrupted;
        return;
      }
      if (report.ok()) {
        row.blame({.verdict = Verdict::not_judged, .detail = report.not_judged}, std::nullopt);
        order_.erase(order_.begin());
        continue;
      }
      row.blame(report.failure, report.counterexample);
      row.trial.predicted_us.reset();
      order_.erase(order_.begin());
    }
  }

  /// Stores the rows that came since the last time, with the first few counterexamples of every kernel: all of them
  /// stand in the trials.
  void store() {
    recorder_.store().transaction([&] {
      for (; stored_ < rows_.size(); ++stored_) store(rows_[stored_]);
    });
    stored_at_ = Budget::Clock::now();
  }

  void store(Row& row) {
    if (row.trial.id != 0) return;
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
    recorder_.store().transaction([&] {
      for (Row& row : rows_) store(row);
      std::vector<db::Ranked> ranked;
      const auto time = [&](std::size_t place) { return *rows_[order_[place]].trial.predicted_us; };
      for (std::size_t place = 0; place < order_.size(); ++place) {
        const bool tied = db::in_band(time(place), time(0));
        if (!tied && place >= kRanked) break;
        ranked.push_back(
            {.trial_id = rows_[order_[place]].trial.id, .rank = static_cast<int>(place) + 1, .tied = tied});
      }
      if (!ranked.empty() && !shop_.stop)
        recorder_.store().set_ranking(recorder_.problem_id(item_.problem), recorder_.board_id(), "predicted", ranked);
    });
  }

  const Workshop& shop_;
  const TuneItem& item_;
  const TuneRequest& request_;
  Recorder& recorder_;
  const Budget::End end_;
  const bool can_judge_;
  std::size_t ahead_;  ///< configurations on their way: few at first, so that something is known soon
  const conformance::OracleAnswer answer_;  ///< of the traced problem with a case's usual input
  const Budget::Clock::time_point begin_ = Budget::Clock::now();
  std::vector<Row> rows_;
  std::size_t stored_ = 0;  ///< so many of the rows
  Budget::Clock::time_point stored_at_ = begin_;
  std::map<const Kernel*, int> kept_;  ///< counterexamples
  std::vector<std::size_t> order_;     ///< rows by predicted time
  std::atomic<bool> given_up_ = false;
  TuneOutcome outcome_;
};

}  // namespace

PredictedItem predict_item(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder,
                           Budget::End end) {
  return PredictRun(shop, item, request, recorder, end).run();
}

}  // namespace warpwright::tuner
