// Selects best configurations for export, and writes them as JSON and CSV.
#include "db/exchange/export.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "db/exchange/json.hpp"
#include "db/store/connection.hpp"
#include "db/store/schema.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::db {
namespace {

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::vector<Best> exported(const Store& store, BestQuery query) {
  std::set<std::string> architectures{query.arch};
  if (query.arch.empty()) {
    architectures.clear();
    Statement rows(store.connection(), "SELECT DISTINCT target FROM trial WHERE target NOT LIKE 'host/%'");
    while (rows.step()) architectures.insert(rows.get<std::string>(0));
  }
  std::vector<Best> all;
  for (const std::string& arch : architectures) {
    query.arch = arch;
    for (Best& setting : best(store, query)) all.push_back(std::move(setting));
  }
  std::sort(all.begin(), all.end(), [](const Best& a, const Best& b) {
    const auto order = [](const Best& best) {
      const TrialView& w = best.winner;
      return std::tuple(
          std::tie(w.trial.target, w.pattern, w.problem.types, w.problem.variant, w.problem.numbers, w.problem.data),
          parse_shape(w.problem.shape), w.board ? w.board->model : "");
    };
    return order(a) < order(b);
  });
  return all;
}

std::string to_json(const std::vector<Best>& settings) {
  Json entries = Json::array();
  for (const Best& best : settings) entries.push_back(json_of(best));
  return plain_json_text({{"format", export_format},
                          {"program_version", std::string(program_version())},
                          {"schema", schema_version},
                          {"settings", entries}});
}

std::string to_csv(const std::vector<Best>& settings) {
  std::string csv =
      "format,arch,board,pattern,variant,numbers,types,shape,data,kernel,params,provenance,certainty,time_us,"
      "low_us,high_us,mode,speedup_over_default,match,program_version,schema\r\n";
  for (const Best& best : settings) {
    const TrialView& w = best.winner;
    const std::vector<std::string> fields = {std::to_string(export_format),
                                             w.trial.target,
                                             w.board ? w.board->model : "",
                                             w.pattern,
                                             w.problem.variant,
                                             w.problem.numbers,
                                             w.problem.types,
                                             w.problem.shape,
                                             w.problem.data,
                                             w.kernel,
                                             w.params,
                                             w.trial.provenance,
                                             w.certainty(),
                                             number(w.time_us()),
                                             number(w.trial.low_us),
                                             number(w.trial.high_us),
                                             w.trial.mode,
                                             number(best.speedup),
                                             best.match,
                                             std::string(program_version()),
                                             std::to_string(schema_version)};
    csv += csv_line(fields);
  }
  return csv;
}

std::string to_csv(const std::vector<TrialView>& views) {
  std::string csv =
      "id,arch,board,pattern,variant,numbers,types,shape,data,kernel,params,provenance,verdict,certainty,time_us,low_"
      "us,"
      "high_us,mode,samples,limited_by,registers,occupancy,error_ratio,relative_error,error_ulp,joules,replay_us,"
      "is_default,created_at,detail\r\n";
  for (const TrialView& view : views) {
    const Trial& trial = view.trial;
    const std::vector<std::string> fields = {std::to_string(trial.id),
                                             trial.target,
                                             view.board ? view.board->model : "",
                                             view.pattern,
                                             view.problem.variant,
                                             view.problem.numbers,
                                             view.problem.types,
                                             view.problem.shape,
                                             view.problem.data,
                                             view.kernel,
                                             view.params,
                                             trial.provenance,
                                             trial.verdict,
                                             view.certainty(),
                                             number(view.time_us()),
                                             number(trial.low_us),
                                             number(trial.high_us),
                                             trial.mode,
                                             std::to_string(trial.samples),
                                             trial.limited_by.value_or(""),
                                             trial.registers ? std::to_string(*trial.registers) : "",
                                             number(trial.occupancy),
                                             number(trial.error_ratio),
                                             number(trial.relative_error),
                                             number(trial.error_ulp),
                                             number(trial.joules),
                                             number(trial.replay_us),
                                             trial.is_default ? "1" : "0",
                                             trial.created_at,
                                             trial.detail};
    csv += csv_line(fields);
  }
  return csv;
}

}  // namespace warpwright::db
