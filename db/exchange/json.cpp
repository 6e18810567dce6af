// Formats trials and best configurations as JSON.
#include "db/exchange/json.hpp"

#include <nlohmann/json.hpp>

#include "db/query/progress.hpp"

namespace warpwright::db {
namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const Session& session) {
  return {{"command", session.command},
          {"strategy", session.strategy},
          {"seed", session.seed},
          {"budget", session.budget},
          {"started_at", session.started_at},
          {"ended_at", or_null(session.ended_at)},
          {"ended_how", or_null(session.ended_how)},
          {"program_version", session.program_version}};
}

Json ceiling_json(const Best& best) {
  const Ceiling& ceiling = best.ceiling;
  if (!ceiling.is_known()) return nullptr;
  return {{"name", ceiling.name},
          {"is_peak", ceiling.is_peak},
          {"us", ceiling.us()},
          {"share", or_null(ceiling.share_at(best.winner.time_us()))}};
}

Json json_of(const std::optional<OneForAll>& one, const char* worst_at, const char* among) {
  if (!one) return nullptr;
  return {{"kernel", one->setting.kernel}, {"params", one->setting.params},
          {"axes", axes_of(one->setting)}, {"loss", one->loss},
          {"worst_loss", one->worst_loss}, {"mean_loss", one->mean_loss},
          {worst_at, one->worst_at},       {among, one->among}};
}

}  // namespace

Json axes_of(const TrialView& view) {
  return Json::parse(view.params_json, nullptr, false);
}

Json json_of(const TrialView& view) {
  const Trial& trial = view.trial;
  Json json = {{"id", trial.id},
               {"identity", trial.identity},
               {"pattern", view.pattern},
               {"kernel", view.kernel},
               {"params", view.params},
               {"axes", axes_of(view)},
               {"target", trial.target},
               {"board", view.board ? Json(view.board->model) : Json(nullptr)},
               {"variant", view.problem.variant},
               {"numbers", view.problem.numbers},
               {"types", view.problem.types},
               {"shape", view.problem.shape},
               {"data", view.problem.data},
               {"amount", view.problem.amount},
               {"unit", view.problem.unit},
               {"provenance", trial.provenance},
               {"verdict", trial.verdict},
               {"detail", trial.detail},
               {"certainty", view.certainty()},
               {"simulated_cases", or_null(trial.simulated_cases)},
               {"full_property", trial.full_property},
               {"mode", trial.mode},
               {"median_us", or_null(trial.median_us)},
               {"low_us", or_null(trial.low_us)},
               {"high_us", or_null(trial.high_us)},
               {"predicted_us", or_null(trial.predicted_us)},
               {"limited_by", or_null(trial.limited_by)},
               {"samples", trial.samples},
               {"error_ratio", or_null(trial.error_ratio)},
               {"relative_error", or_null(trial.relative_error)},
               {"error_ulp", or_null(trial.error_ulp)},
               {"deterministic", or_null(trial.deterministic)},
               {"joules", or_null(trial.joules)},
               {"replay_us", or_null(trial.replay_us)},
               {"registers", or_null(trial.registers)},
               {"spill_bytes", or_null(trial.spill_bytes)},
               {"static_shared", or_null(trial.static_shared)},
               {"dynamic_shared", or_null(trial.dynamic_shared)},
               {"block_threads", or_null(trial.block_threads)},
               {"grid_blocks", or_null(trial.grid_blocks)},
               {"occupancy", or_null(trial.occupancy)},
               {"occupancy_limit", trial.occupancy_limit},
               {"stopped_early", trial.stopped_early},
               {"is_default", trial.is_default},
               {"rank", or_null(trial.rank)},
               {"tied", trial.tied},
               {"config_key", trial.config_key},
               {"created_at", trial.created_at},
               {"warnings", trial.warnings}};
  return json;
}

Json json_of(const Launch& launch) {
  return {{"number", launch.number},
          {"entry", launch.entry},
          {"times", launch.times},
          {"grid_blocks", launch.grid_blocks},
          {"block_threads", launch.block_threads},
          {"registers", or_null(launch.registers)},
          {"spill_bytes", or_null(launch.spill_bytes)},
          {"static_shared", or_null(launch.static_shared)},
          {"dynamic_shared", launch.dynamic_shared},
          {"occupancy", or_null(launch.occupancy)},
          {"occupancy_limit", launch.occupancy_limit}};
}

Json json_of(const ComparedBaseline& compared) {
  const auto& [baseline, comparison] = compared;
  return {{"implementation", baseline.implementation},
          {"idiom", baseline.idiom},
          {"version", baseline.version},
          {"knobs", baseline.knobs},
          {"is_default", baseline.is_default},
          {"mode", baseline.mode},
          {"median_us", or_null(baseline.median_us)},
          {"times_as_fast", comparison.ratio},
          {"low", compared.has_rounds() ? Json(comparison.low) : Json(nullptr)},
          {"high", compared.has_rounds() ? Json(comparison.high) : Json(nullptr)},
          {"rounds", comparison.rounds}};
}

Json json_of(const ConformanceRun& run) {
  Json progress = Json::array();
  for (const KernelProgress& one : progress_of(run))
    progress.push_back({{"kernel", one.kernel}, {"cases", one.cases}, {"verdict", one.verdict}});
  return {{"started_at", run.started_at},
          {"ended_at", or_null(run.ended_at)},
          {"ended_how", or_null(run.ended_how)},
          {"command", run.command},
          {"target", run.target},
          {"kernels", run.glob},
          {"seed", run.seed},
          {"cases", run.cases},
          {"failures", run.failures},
          {"refused", run.refused},
          {"progress", progress}};
}

Json json_of(const Best& best) {
  Json tied = Json::array();
  for (const TrialView& other : best.tied) tied.push_back(other.kernel + " " + other.params);
  Json baselines = Json::array();
  for (const ComparedBaseline& compared : best.baselines) baselines.push_back(json_of(compared));
  Json environment = nullptr;
  if (const auto& of = best.environment) environment = {{"driver", of->driver}, {"cuda", of->cuda}};
  return {{"match", best.match},
          {"exact", best.exact},
          {"default_us", or_null(best.default_us)},
          {"speedup_over_default", or_null(best.speedup)},
          {"searched",
           {{"evaluated", best.searched.evaluated},
            {"configurations", best.searched.configurations},
            {"only_defaults", best.searched.only_defaults}}},
          {"tied", tied},
          {"compared_with", baselines},
          {"where_data_is_not_known", json_of(best.any_data, "worst_data", "data_sets")},
          {"deterministic", json_of(best.deterministic, "worst_at", "problems")},
          {"for_all_sizes", json_of(best.all_sizes, "worst_shape", "sizes")},
          {"ceiling", ceiling_json(best)},
          {"session", best.session ? json_of(*best.session) : Json(nullptr)},
          {"environment", environment},
          {"winner", json_of(best.winner)}};
}

}  // namespace warpwright::db
