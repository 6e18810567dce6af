// Predicting the configurations of one problem.
#include "tuner/tune_predict.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tuner/covering.hpp"
#include "tuner/prediction.hpp"
#include "tuner/progress.hpp"
#include "tuner/tune_judge.hpp"

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
};

struct Judged {
  conformance::CaseResult result;
  std::optional<conformance::CountedAccess> access;
  int cases = 0;
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
  if (!judged.result.is_right()) judged.result.detail = with_repro(judged.result.detail, traced);
  if (!judged.result.ok() || cases == 0) return judged;
  const auto report = judge_cases(shop, process, prepared, problem, cases);
  judged.cases += report.cases;
  if (!report.not_judged.empty()) judged.result = {.verdict = Verdict::not_judged, .detail = report.not_judged};
  if (!report.ok()) {
    judged.result = report.failure;
    judged.result.detail = with_repro(judged.result.detail, *report.counterexample);
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

/// Launch steps of a plan that run the same instance, and what they do together.
struct Group {
  double blocks = 0;   ///< of all executions
  double threads = 0;  ///< likewise
  host::AccessCounts counts;
};

void add(Group& group, const PlannedLaunch& step) {
  const double blocks = static_cast<double>(step.launch.grid.count()) * static_cast<double>(step.times);
  group.blocks += blocks;
  group.threads += blocks * static_cast<double>(step.launch.block.count());
}

/// What a launch of the full problem asks for, from the counts of its like in the traced one: what is done per element
/// scales with the work, what is done once per block with the blocks.
AccessFacts scaled_access(const PlannedLaunch& step, const Group& group, const Group& traced, double scale) {
  const host::AccessCounts& counts = traced.counts;
  Group own;
  add(own, step);
  const double of_group = own.threads / group.threads;
  const auto by_work = [&](std::uint64_t n) { return static_cast<double>(n) * scale * of_group; };
  const double per_block = traced.blocks > 0 ? own.blocks / traced.blocks : 0;
  const double warps_per_block = std::ceil(static_cast<double>(step.launch.block.count()) / 32);
  const double atomics = static_cast<double>(counts.global_atomics) * per_block;
  return {.load_requests = by_work(counts.global_load_requests),
          .load_sectors = by_work(counts.global_load_sectors),
          .store_requests = by_work(counts.global_store_requests),
          .store_sectors = by_work(counts.global_store_sectors),
          .shared_requests = by_work(counts.shared_load_requests + counts.shared_store_requests),
          .shared_wavefronts = by_work(counts.shared_load_wavefronts + counts.shared_store_wavefronts),
          .barriers = static_cast<double>(counts.barriers) * per_block * warps_per_block,
          .atomics = atomics,
          .atomics_same_address = atomics};
}

/// What a launch that does `share` of the work asks for at least, where nothing was counted: every byte once, in full
/// sectors and requests.
AccessFacts least_access(const Work& work, double share) {
  constexpr double kSectorBytes = 32;
  constexpr double kRequestBytes = 128;
  return {.load_requests = share * work.bytes_read / kRequestBytes,
          .load_sectors = share * work.bytes_read / kSectorBytes,
          .store_requests = share * work.bytes_written / kRequestBytes,
          .store_sectors = share * work.bytes_written / kSectorBytes};
}

/// `access` is what the trace counted; none where the host could not run the configuration.
Prediction predict_one(const Workshop& shop, const Prepared& prepared, const Problem& problem,
                       const std::optional<conformance::CountedAccess>& access) {
  const Problem traced = conformance::traced_problem(shop.catalogue, problem);
  const Pattern& pattern = shop.catalogue.pattern(problem.pattern);
  const auto steps = [&](const Problem& one) {
    return conformance::steps_of(pattern, *prepared.kernel, prepared.params, one);
  };
  const double scale = steps(problem) / std::max(steps(traced), 1.0);

  const auto traced_launches = launches_of(prepared.kernel->plan(prepared.params, traced, host_device(shop.host())));
  std::map<std::string, Group> traced_groups;
  Group all_traced;
  if (access) all_traced.counts = access->counts;
  for (std::size_t i = 0; access && i < traced_launches.size(); ++i) {
    Group& group = traced_groups[traced_launches[i].launch.entry];
    add(group, traced_launches[i]);
    add(all_traced, traced_launches[i]);
    group.counts += access->launches.at(i);
  }
  std::map<std::string, Group> groups;
  Group all;
  const auto launches = launches_of(prepared.plan);
  for (const PlannedLaunch& step : launches) {
    add(groups[step.launch.entry], step);
    add(all, step);
  }

  const Work work = pattern.work(problem);
  const auto access_of = [&](const PlannedLaunch& step) {
    if (!access) {
      Group own;
      add(own, step);
      return least_access(work, own.threads / all.threads);
    }
    const auto like = traced_groups.find(step.launch.entry);
    return like == traced_groups.end() ? scaled_access(step, all, all_traced, scale)
                                       : scaled_access(step, groups.at(step.launch.entry), like->second, scale);
  };
  std::vector<LaunchFacts> facts;
  for (const PlannedLaunch& step : launches) {
    const Launch& launch = step.launch;
    const Resources& resources = prepared.built.instances.at(launch.entry).resources;
    facts.push_back({.grid = launch.grid.count(),
                     .block = static_cast<int>(launch.block.count()),
                     .registers = resources.registers,
                     .spill_bytes = resources.spill_load_bytes + resources.spill_store_bytes,
                     .static_shared_bytes = resources.static_shared,
                     .dynamic_shared_bytes = static_cast<int>(launch.shared_bytes),
                     .times = step.times,
                     .independent_loads = prepared.kernel->loads_in_flight(prepared.params),
                     .access = access_of(step)});
  }
  return predict(shop.device, work, facts);
}

bool may_be_best(Verdict verdict) {
  return verdict == Verdict::passed || verdict == Verdict::unchecked;
}

}  // namespace

TuneOutcome predict_item(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  TuneOutcome outcome;

  std::vector<Row> rows;
  std::vector<Program> programs;
  for (const Kernel* kernel : item.kernels) {
    const PointSet set = point_set(*kernel, item.problem, shop.device);
    const auto sample = covering_sample(set.space, request.seed);
    const std::set<std::size_t> sampled(sample.begin(), sample.end());
    const auto strategy =
        make_strategy(request.strategy_name() == "exhaustive" ? "exhaustive" : "random", set.space, request.seed);
    const std::size_t limit =
        request.budget_evaluations > 0 ? static_cast<std::size_t>(request.budget_evaluations) : set.points.size();
    for (const std::size_t i : strategy->ask(limit)) {
      rows.push_back(
          {.prepared = prepare(*kernel, set.points[i], item.problem, shop.device), .sampled = sampled.contains(i)});
      programs.push_back(conformance::program_for(shop.catalogue, *kernel, set.points[i], item.problem, shop.device));
    }
  }
  const auto built = shop.compiler.compile(shop.device.arch(), programs);
  const bool can_judge = cannot_judge(shop).empty();
  const auto over_budget = [&] {
    return request.budget_seconds > 0 && Clock::now() - begin > std::chrono::duration<double>(request.budget_seconds);
  };

  // What compiles, and is not known from an earlier run, is judged.
  Progress compiling("compiling for " + shop.device.arch() + ": " + problem_text(item.problem), rows.size());
  std::vector<std::size_t> pending;
  std::vector<Program> host_programs;
  std::size_t reached = 0;
  for (; reached < rows.size() && !shop.stop && !over_budget(); ++reached) {
    Row& row = rows[reached];
    complete(row.prepared, built[reached].get(), shop.device);
    row.trial = recorder.trial(row.prepared, item.problem, "predicted");
    compiling.tick();
    if (const auto known = request.remeasure ? std::nullopt : recorder.store().find_trial(row.trial.config_key)) {
      row.trial = *known;
      ++outcome.resumed;
      continue;
    }
    row.trial.check_state = word_of(Verdict::unchecked);
    row.trial.verdict = word_of(Verdict::unchecked);
    if (!row.prepared.built.ok) {
      row.trial.verdict = word_of(Verdict::not_compiled);
      row.trial.detail = row.prepared.built.log;
    } else if (const std::string refusal = refuses_launch(row.prepared, shop.device); !refusal.empty()) {
      row.trial.verdict = word_of(Verdict::not_launchable);
      row.trial.detail = refusal;
    } else if (can_judge) {
      pending.push_back(reached);
      host_programs.push_back(conformance::program_for(shop.catalogue, *row.prepared.kernel, row.prepared.params,
                                                       item.problem, host_device(shop.host())));
    }
  }
  rows.resize(reached);

  shop.compiler.compile(shop.host(), host_programs);
  const std::vector<Judged> judged = judge_rows(shop, item.problem, rows, pending, over_budget);
  std::set<std::size_t> unreached;
  for (std::size_t k = 0; k < pending.size(); ++k) {
    const Judged& result = judged[k];
    Row& row = rows[pending[k]];
    if (result.cases == 0) {
      unreached.insert(pending[k]);
      continue;
    }
    row.access = result.access;
    row.trial.verdict = word_of(result.result.verdict);
    row.trial.detail = result.result.detail;
    if (std::isfinite(result.result.error_ratio)) row.trial.error_ratio = result.result.error_ratio;
    const bool is_judged = result.result.verdict != Verdict::not_judged;
    if (result.cases > 1 && is_judged) row.trial.check_state = "host-checked";
    if (row.access || !is_judged) row.trial.predicted_us = predict_one(shop, row.prepared, item.problem, row.access).us;
  }
  std::vector<Row> evaluated;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!unreached.contains(i)) evaluated.push_back(std::move(rows[i]));
  rows = std::move(evaluated);

  // The best by the model are judged until one has passed.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].trial.predicted_us && may_be_best(verdict_of(rows[i].trial.verdict))) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *rows[i].trial.predicted_us; });
  for (auto at = order.begin(); at != order.end() && can_judge && !shop.stop;) {
    Row& row = rows[*at];
    if (row.trial.check_state == "host-checked") break;
    const auto report = shop.pool
                            .submit([&](worker::Process& process) {
                              return judge_cases(shop, process, row.prepared, item.problem, kWinnerCases);
                            })
                            .get();
    // What was stored before is stored again with what is known now.
    row.trial.id = 0;
    if (report.ok() && !report.not_judged.empty()) {
      row.trial.verdict = word_of(Verdict::not_judged);
      row.trial.detail = report.not_judged;
      at = order.erase(at);
      continue;
    }
    if (report.ok()) {
      row.trial.check_state = "host-checked";
      break;
    }
    row.trial.verdict = word_of(report.failure.verdict);
    row.trial.detail = with_repro(report.failure.detail, *report.counterexample);
    row.trial.predicted_us.reset();
    at = order.erase(at);
  }

  recorder.store().transaction([&] {
    std::vector<db::Id> ids;
    for (Row& row : rows) {
      ids.push_back(row.trial.id != 0 ? row.trial.id : recorder.store_trial(row.prepared, row.trial));
      if (row.access)
        for (const db::Access& access :
             access_rows(*row.access, row.trial.configuration_id, row.trial.problem_id, shop.host()))
          recorder.store().put_access(access);
    }
    std::vector<db::Ranked> ranked;
    for (std::size_t place = 0; place < std::min(order.size(), kRanked); ++place)
      ranked.push_back({.trial_id = ids[order[place]], .rank = static_cast<int>(place) + 1, .tied = place == 0});
    if (!ranked.empty() && !shop.stop)
      recorder.store().set_ranking(recorder.problem_id(item.problem), recorder.board_id(), "predicted", ranked);
  });
  outcome.configurations = static_cast<int>(rows.size()) - outcome.resumed;
  outcome.wrong =
      static_cast<int>(std::ranges::count_if(rows, [](const Row& r) { return is_wrong(verdict_of(r.trial.verdict)); }));
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

}  // namespace warpwright::tuner
