// Tables of `tunedb` as data.
#include "db/program/data_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace warpwright::db {
namespace {

Table::Cell number(double value) {
  return {value, fmt::format("{}", value)};
}

Table::Cell count(std::int64_t value) {
  return {value, fmt::format("{}", value)};
}

Table with_heads(const std::vector<std::string>& heads) {
  std::vector<Table::Column> columns;
  for (const std::string& head : heads) columns.push_back({.head = head});
  return Table(std::move(columns));
}

const std::vector<std::string> kModelHeads{"PATTERN",   "KERNEL",         "PROBLEM",
                                           "BOARD",     "CONFIGURATIONS", "SPEARMAN",
                                           "BEST LOSS", "TOP10 LOSS",     "PREDICTED OVER MEASURED",
                                           "FARTHEST"};

std::vector<Table::Cell> model_row(const ModelCheck& check) {
  return {check.problem.pattern,          Table::Cell::unless_empty(check.kernel),
          short_title(check.problem),     check.board,
          count(std::ssize(check.times)), check.spearman ? number(*check.spearman) : Table::Cell(),
          number(check.best_loss),        number(check.top10_loss),
          number(check.median_ratio),     fmt::format("{}", fmt::join(check.worst, "; "))};
}

}  // namespace

Table run_table(const std::vector<ConformanceRun>& runs) {
  Table table =
      with_heads({"STARTED", "TARGET", "KERNELS", "SEED", "CASES", "FAILURES", "REFUSED", "ENDED", "COMMAND"});
  for (const ConformanceRun& run : runs)
    table.add({run.started_at, run.target, run.glob, std::to_string(run.seed), count(run.cases), count(run.failures),
               count(run.refused), run.ended_how ? Table::Cell(*run.ended_how) : Table::Cell(), run.command});
  return table;
}

Table cross_board_table(const std::vector<CrossBoard>& all) {
  Table table =
      with_heads({"PROBLEM", "PROVENANCE", "BEST ON", "KERNEL", "PARAMS", "BOARD", "TIME US", "LOSS", "TIED"});
  for (const CrossBoard& one : all)
    for (const OnBoard& on : one.boards)
      for (std::size_t to = 0; to < one.boards.size(); ++to) {
        const auto& cost = on.costs[to];
        table.add({one.title(), one.provenance, on.board.model, on.best.kernel, on.best.params,
                   one.boards[to].board.model, cost ? number(cost->us) : Table::Cell(),
                   cost ? number(cost->loss) : Table::Cell(),
                   cost ? Table::Cell(cost->tied, cost->tied ? "yes" : "no") : Table::Cell()});
      }
  return table;
}

Table model_table(const std::vector<ModelCheck>& checks) {
  Table table = with_heads(kModelHeads);
  for (const ModelCheck& check : checks) table.add(model_row(check));
  return table;
}

Table recording_table(const RecordingCheck& checked) {
  std::vector<std::string> heads = kModelHeads;
  std::vector<Table::Cell> row = model_row(checked.check);
  for (const auto& [head, value] : {std::pair{"TIMED IN RECORDING", checked.timed},
                                    {"FAILED IN RECORDING", checked.failed},
                                    {"NOT IN RECORDING", checked.unknown}}) {
    heads.emplace_back(head);
    row.push_back(count(static_cast<std::int64_t>(value)));
  }
  Table table = with_heads(heads);
  table.add(row);
  return table;
}

Table step_table(const PlanTimes& times) {
  const auto us = [](double value) { return Table::Cell(value, fmt::format("{:.2f}", value)); };
  Table table({{.head = "STEP"},
               {.head = "KIND", .least = 11},
               {.head = "STREAM"},
               {.head = "TIMES"},
               {.head = "START us", .key = "start_us"},
               {.head = "END us", .key = "end_us"},
               {.head = "TIME us", .key = "us"},
               {.head = "NAME", .least = 20}});
  for (const StepTime& step : times.steps)
    table.add({step.number, step.kind, step.stream, count(step.times), us(step.start_us), us(step.end_us), us(step.us),
               step.name});
  return table;
}

Table field_table(const Json& object) {
  Table table = with_heads({"FIELD", "VALUE"});
  const Json values = object.flatten();
  for (const auto& [path, value] : values.items())
    table.add({path, value.is_string()                          ? Table::Cell(value.get<std::string>())
                     : value.is_structured() || value.is_null() ? Table::Cell()
                                                                : Table::Cell(value.dump())});
  return table;
}

Table finding_table(const std::string& file, const std::vector<std::string>& findings) {
  Table table = with_heads({"FILE", "FINDING"});
  for (const std::string& finding : findings) table.add({file, finding});
  return table;
}

Table merge_table() {
  return with_heads({"FILE", "TRIALS", "BASELINES", "SESSIONS", "CONFORMANCE RUNS", "COUNTEREXAMPLES"});
}

void add_row(Table& table, const std::string& file, const Merged& merged) {
  table.add({file, count(merged.trials), count(merged.baselines), count(merged.sessions),
             count(merged.conformance_runs), count(merged.counterexamples)});
}

Table import_table() {
  return with_heads({"FILE", "PATTERN", "BOARD", "TIMED", "FAILED", "KNOWN"});
}

void add_row(Table& table, const std::string& file, const Imported& made) {
  table.add({file, made.pattern, made.board, count(static_cast<std::int64_t>(made.timed)),
             count(static_cast<std::int64_t>(made.failed)), count(static_cast<std::int64_t>(made.known))});
}

}  // namespace warpwright::db
