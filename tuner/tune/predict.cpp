// Predicting the configurations of one problem.
#include "tuner/tune/predict.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "db/band.hpp"
#include "tuner/covering.hpp"
#include "tuner/progress.hpp"
#include "tuner/traced_prediction.hpp"
#include "tuner/tune/failures.hpp"
#include "tuner/tune/judge.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kSampleCases = 6;   ///< of a configuration of the covering sample, besides the trace problem
constexpr int kWinnerCases = 50;  ///< of the configuration that is ranked best
constexpr std::size_t kRanked = 8;

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

/// Judges the rows of these numbers side by side; one that was not reached has no cases.
std::vector<Judged> judge_rows(const Workshop& shop, const Problem& problem, const std::vector<Row>& rows,
                               const std::vector<std::size_t>& pending, const std::function<bool()>& over_budget) {
  const conformance::OracleAnswer answer =
      conformance::oracle_answer(shop.catalogue.pattern(problem.pattern),
                                 conformance::traced_problem(shop.catalogue, problem), conformance::Case{}.input);
  std::atomic<bool> given_up = false;
  std::vector<std::future<Judged>> futures;
  for (const std::size_t i : pending)
    futures.push_back(shop.pool.submit([&, &row = rows[i]](worker::Process& process) {
      if (given_up || shop.stop || over_budget()) return Judged{};
      return judge(shop, process, row.prepared, problem, answer, row.sampled ? kSampleCases : 0);
    }));
  Progress progress("judging on the host: " + problem_text(problem), pending.size());
  std::vector<Judged> judged;
  std::exception_ptr error;
  // None of them may outlive what it reads here, whatever goes wrong with another.
  for (std::future<Judged>& future : futures) {
    try {
      judged.push_back(future.get());
      if (judged.back().cases > 0) progress.tick();
    } catch (...) {
      if (!error) error = std::current_exception();
      given_up = true;
    }
  }
  if (error) std::rethrow_exception(error);
  return judged;
}

/// The lines that ask for most transactions above what their bytes need, worst first.
std::string worst_lines(const std::vector<host::LineAccess>& lines) {
  constexpr std::size_t kLines = 8;
  constexpr std::uint64_t kSectorBytes = 32;
  struct Worst {
    const host::LineAccess* line;
    const char* space;
    std::uint64_t requests, transactions, least;
  };
  std::vector<Worst> all;
  for (const host::LineAccess& line : lines) {
    const host::AccessCounts& c = line.counts;
    const std::uint64_t bytes = c.global_load_bytes + c.global_store_bytes;
    all.push_back({&line, "global", c.global_load_requests + c.global_store_requests,
                   c.global_load_sectors + c.global_store_sectors, (bytes + kSectorBytes - 1) / kSectorBytes});
    all.push_back({&line, "shared", c.shared_load_requests + c.shared_store_requests,
                   c.shared_load_wavefronts + c.shared_store_wavefronts, c.shared_least_wavefronts});
  }
  std::erase_if(all, [](const Worst& w) { return w.requests == 0; });
  std::ranges::stable_sort(all, std::greater{},
                           [](const Worst& w) { return std::pair(w.transactions - w.least, w.transactions); });
  if (all.size() > kLines) all.resize(kLines);
  auto json = nlohmann::json::array();
  for (const Worst& w : all)
    json.push_back({{"file", w.line->file},
                    {"line", w.line->line},
                    {"space", w.space},
                    {"requests", w.requests},
                    {"transactions", w.transactions},
                    {"least", w.least}});
  return json.dump();
}

/// One row for each launch step of the traced plan; the lines, which are of all of them, stand with the first.
std::vector<db::Access> access_rows(const conformance::CountedAccess& access, db::Id configuration, db::Id problem,
                                    const std::string& target) {
  const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  std::vector<db::Access> rows;
  for (std::size_t i = 0; i < access.launches.size(); ++i) {
    const host::AccessCounts& counts = access.launches[i];
    rows.push_back({.configuration_id = configuration,
                    .problem_id = problem,
                    .launch = static_cast<int>(i),
                    .target = target,
                    .global_load_requests = number(counts.global_load_requests),
                    .global_load_sectors = number(counts.global_load_sectors),
                    .global_store_requests = number(counts.global_store_requests),
                    .global_store_sectors = number(counts.global_store_sectors),
                    .shared_requests = number(counts.shared_load_requests + counts.shared_store_requests),
                    .shared_transactions = number(counts.shared_load_wavefronts + counts.shared_store_wavefronts),
                    .barriers = number(counts.barriers),
                    .atomics = number(counts.global_atomics + counts.shared_atomics),
                    .threads = number(access.launch_threads.at(i)),
                    .branches = number(counts.branches),
                    .divergent_branches = number(counts.divergent_branches),
                    .lines = i == 0 ? worst_lines(access.lines) : "[]"});
  }
  return rows;
}

bool may_be_best(const db::Trial& trial) {
  const Verdict verdict = verdict_of(trial.verdict);
  return trial.predicted_us && (verdict == Verdict::passed || verdict == Verdict::unchecked);
}

/// One problem on its way: every step leaves more in the rows.
class PredictRun {
 public:
  PredictRun(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder)
      : shop_(shop), item_(item), request_(request), recorder_(recorder), can_judge_(cannot_judge(shop).empty()) {}

  TuneOutcome run() {
    draw();
    complete_rows();
    judge_pending();
    judge_best();
    store();
    outcome_.configurations = static_cast<int>(rows_.size()) - outcome_.resumed;
    outcome_.wrong = static_cast<int>(
        std::ranges::count_if(rows_, [](const Row& row) { return is_wrong(verdict_of(row.trial.verdict)); }));
    outcome_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return outcome_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool over_budget() const {
    return request_.budget_seconds > 0 &&
           Clock::now() - begin_ > std::chrono::duration<double>(request_.budget_seconds);
  }

  /// The configurations, and their programs on the way.
  void draw() {
    std::vector<Program> programs;
    for (const Kernel* kernel : item_.kernels) {
      const PointSet set = point_set(*kernel, item_.problem, shop_.device);
      const auto sample = covering_sample(set.space, request_.seed);
      const std::set<std::size_t> sampled(sample.begin(), sample.end());
      const auto strategy =
          make_strategy(request_.strategy_name() == "exhaustive" ? "exhaustive" : "random", set.space, request_.seed);
      const std::size_t limit =
          request_.budget_evaluations > 0 ? static_cast<std::size_t>(request_.budget_evaluations) : set.points.size();
      for (const std::size_t i : strategy->ask(limit)) {
        rows_.push_back(
            {.prepared = prepare(*kernel, set.points[i], item_.problem, shop_.device), .sampled = sampled.contains(i)});
        programs.push_back(
            conformance::program_for(shop_.catalogue, *kernel, set.points[i], item_.problem, shop_.device));
      }
    }
    built_ = shop_.compiler.compile(shop_.device.arch(), programs);
  }

  /// Waits for the programs, as long as there is time. What compiles, and is not known from an earlier run, is pending.
  void complete_rows() {
    Progress compiling("compiling for " + shop_.device.arch() + ": " + problem_text(item_.problem), rows_.size());
    std::size_t reached = 0;
    for (; reached < rows_.size() && !shop_.stop && !over_budget(); ++reached) {
      Row& row = rows_[reached];
      complete(row.prepared, built_[reached].get(), shop_.device);
      row.trial = recorder_.trial(row.prepared, item_.problem, "predicted");
      compiling.tick();
      if (const auto known = request_.remeasure ? std::nullopt : recorder_.store().find_trial(row.trial.config_key)) {
        row.trial = *known;
        ++outcome_.resumed;
      } else if (begins(row.trial, row.prepared) && can_judge_) {
        pending_.push_back(reached);
      }
    }
    rows_.resize(reached);
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

  /// Judges the pending rows on the host and predicts their times; those that nobody came to are dropped.
  void judge_pending() {
    std::vector<Program> programs;
    for (const std::size_t i : pending_)
      programs.push_back(conformance::program_for(shop_.catalogue, *rows_[i].prepared.kernel, rows_[i].prepared.params,
                                                  item_.problem, host_device(shop_.host())));
    shop_.compiler.compile(shop_.host(), programs);
    const std::vector<Judged> judged =
        judge_rows(shop_, item_.problem, rows_, pending_, [this] { return over_budget(); });
    std::set<std::size_t> unreached;
    for (std::size_t k = 0; k < pending_.size(); ++k)
      if (judged[k].cases == 0)
        unreached.insert(pending_[k]);
      else
        take_over(rows_[pending_[k]], judged[k]);
    std::vector<Row> evaluated;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!unreached.contains(i)) evaluated.push_back(std::move(rows_[i]));
    rows_ = std::move(evaluated);
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

  void store() {
    recorder_.store().transaction([&] {
      std::vector<db::Id> ids;
      for (Row& row : rows_) {
        ids.push_back(row.trial.id != 0 ? row.trial.id : recorder_.store_trial(row.prepared, row.trial));
        if (row.access)
          for (const db::Access& access :
               access_rows(*row.access, row.trial.configuration_id, row.trial.problem_id, shop_.host()))
            recorder_.store().put_access(access);
      }
      std::vector<db::Ranked> ranked;
      const auto time = [&](std::size_t place) { return *rows_[order_[place]].trial.predicted_us; };
      for (std::size_t place = 0; place < order_.size(); ++place) {
        const bool tied = db::in_band(time(place), time(0));
        if (!tied && place >= kRanked) break;
        ranked.push_back({.trial_id = ids[order_[place]], .rank = static_cast<int>(place) + 1, .tied = tied});
      }
      if (!ranked.empty() && !shop_.stop)
        recorder_.store().set_ranking(recorder_.problem_id(item_.problem), recorder_.board_id(), "predicted", ranked);
      store_counterexamples();
    });
  }

  /// The first few of every kernel; all of them stand in the trials.
  void store_counterexamples() {
    std::map<const Kernel*, int> kept;
    for (const Row& row : rows_)
      if (row.counterexample && is_wrong(verdict_of(row.trial.verdict)) &&
          ++kept[row.prepared.kernel] <= kKeptCounterexamples)
        conformance::store_counterexample(recorder_.store(), *row.counterexample, row.trial.detail);
  }

  const Workshop& shop_;
  const TuneItem& item_;
  const TuneRequest& request_;
  Recorder& recorder_;
  const bool can_judge_;
  const Clock::time_point begin_ = Clock::now();
  std::vector<Row> rows_;
  std::vector<std::shared_future<Built>> built_;
  std::vector<std::size_t> pending_;  ///< rows that are to be judged
  std::vector<std::size_t> order_;    ///< rows by predicted time
  TuneOutcome outcome_;
};

}  // namespace

TuneOutcome predict_item(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder) {
  return PredictRun(shop, item, request, recorder).run();
}

}  // namespace warpwright::tuner
