// Writes the results of a suite as JSON and CSV.
#include "conformance/program/suite_data.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "conformance/program/suite_output.hpp"
#include "kernels/core/caveats.hpp"
#include "kernels/system/json_text.hpp"

namespace warpwright::conformance {
namespace {

Json place_json(const Location& at) {
  return {{"file", at.file}, {"line", at.line}, {"column", at.column}};
}

Json json_of(const Diagnostic& one) {
  Json made{{"kind", one.kind},
            {"level", one.level == Level::error ? "error" : "note"},
            {"place", place_json(one.at)},
            {"message", one.message},
            {"by", one.by.empty() ? Json(nullptr) : Json(one.by)},
            {"detail", one.detail.empty() ? Json(nullptr) : Json(one.detail)},
            {"other", nullptr},
            {"more", one.more},
            {"repro", one.repro.empty() ? Json(nullptr) : Json(one.repro)}};
  if (one.other) made["other"] = {{"place", place_json(one.other->at)}, {"words", one.other->words}};
  return made;
}

Json findings_json(const std::vector<Diagnostic>& all) {
  Json list = Json::array();
  for (const Diagnostic& one : all) list.push_back(json_of(one));
  return list;
}

Json json_of(const SuiteResults::OfKernel& one) {
  const PropertyReport& report = one.report;
  const auto bound = share_of_bound(report);
  return {{"kernel", report.kernel->full_name()},
          {"cases", report.cases},
          {"seconds", report.seconds},
          {"of_bound", bound ? Json(*bound) : Json(nullptr)},
          {"verdict", verdict_of(report)},
          {"reason", report.skipped.empty() ? Json(nullptr) : Json(report.skipped)},
          {"tolerated", report.tolerated.size()},
          {"values_checked", !has_unchecked_values(report.caveats)},
          {"warnings", report.warnings()},
          {"findings", findings_json(one.diagnostics)}};
}

Json json_of(const SuiteResults::Stored& one) {
  const Replay& replay = one.replay;
  return {{"repro", replay.stored.repro},
          {"verdict", replay.not_run()           ? "not run"
                      : !replay.obsolete.empty() ? "obsolete"
                      : replay.failed()          ? "failed"
                                                 : "passed"},
          {"findings", findings_json(one.diagnostics)}};
}

std::string csv_of(const SuiteResults& results) {
  Table table({{.head = "KERNEL"},
               {.head = "TARGET"},
               {.head = "SEED"},
               {.head = "CASES"},
               {.head = "SECONDS"},
               {.head = "OF BOUND"},
               {.head = "VERDICT"},
               {.head = "VALUES CHECKED"},
               {.head = "KIND"},
               {.head = "FILE"},
               {.head = "LINE"},
               {.head = "COLUMN"},
               {.head = "MESSAGE"},
               {.head = "REPRO"}});
  for (const SuiteResults::OfKernel& one : results.kernels) {
    const PropertyReport& report = one.report;
    std::vector<Table::Cell> row{report.kernel->full_name(), results.target, std::to_string(results.seed), report.cases,
                                 Table::Cell(report.seconds, "")};
    const auto bound = share_of_bound(report);
    row.push_back(bound ? Table::Cell(*bound, "") : Table::Cell());
    row.emplace_back(verdict_of(report));
    row.emplace_back(!has_unchecked_values(report.caveats), "");
    if (one.diagnostics.empty()) {
      row.resize(14);
    } else {
      const Diagnostic& first = one.diagnostics.front();
      for (Table::Cell cell : {Table::Cell(first.kind), Table::Cell(first.at.file), Table::Cell(first.at.line),
                               Table::Cell(first.at.column), Table::Cell(first.message), Table::Cell(first.repro)})
        row.push_back(std::move(cell));
    }
    table.add(std::move(row));
  }
  return table.csv();
}

}  // namespace

std::string data_of(const SuiteResults& results, Form form) {
  if (form == Form::csv) return csv_of(results);
  Json made{{"target", results.target},     {"seed", results.seed},     {"seconds", results.seconds},
            {"complete", results.complete}, {"kernels", Json::array()}, {"stored", Json::array()}};
  for (const SuiteResults::OfKernel& one : results.kernels) made["kernels"].push_back(json_of(one));
  for (const SuiteResults::Stored& one : results.stored) made["stored"].push_back(json_of(one));
  made["refused"] = Json::array();
  for (const SuiteResults::Refused& one : results.refused)
    made["refused"].push_back({{"job", one.file}, {"finding", json_of(one.diagnostic)}});
  return json_text(made);
}

}  // namespace warpwright::conformance
