// Page section of one problem on one board: libraries, kernels, parameters, occupancy, accesses, search, errors.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/core/statistics.hpp"
#include "kernels/core/text.hpp"
#include "reports/effects.hpp"
#include "reports/figures.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"
#include "reports/sentences.hpp"

namespace warpwright::reports {
namespace {

constexpr std::size_t worst_lines = 8;

std::string part(const std::string& title, const std::string& sentence, const std::string& body) {
  if (body.empty() && sentence.empty()) return "";
  return "<h4>" + escape(title) + "</h4>\n" + paragraph(sentence) + body;
}

std::string share_cell(const Contest& contest, const std::optional<double>& us) {
  const auto share = contest.share_of_ceiling(us);
  return share ? percent(*share) : "";
}

// Table of our best time, our default, the libraries and the ceiling.
std::string beside_libraries(const Contest& contest) {
  const std::vector<Rival> found = rivals(contest);
  if (!contest.best && found.empty()) return "";
  const std::string id = contest.id() + "-s";
  Table table("Side by side on " + contest.title(),
              {"implementation", "settings", "version", "verdict", "time \xC2\xB5s", "interval \xC2\xB5s", "GB/s",
               "share of ceiling", "its time / ours", "interval", "how compared"});
  table.with("id=" + id);
  // Predictions are not compared with figures that others published.
  if (contest.best && (found.empty() || contest.best->winner.is_measured())) {
    const db::TrialView& winner = contest.best->winner;
    const auto us = winner.time_us();
    table.add({"ours, best", Cell::code(winner.settings()), "", winner.trial.verdict, us,
               Cell::figure(interval(winner.trial.low_us, winner.trial.high_us)), contest.rate_gbs(us),
               Cell::figure(share_cell(contest, us)), Cell::figure("1"), Cell::figure(""), winner.trial.provenance});
    if (contest.best->default_us) {
      const auto slow = contest.best->default_us;
      table.add({"ours, default", Cell::code(winner.kernel), "", "", slow, Cell::figure(""), contest.rate_gbs(slow),
                 Cell::figure(share_cell(contest, slow)), contest.best->speedup, Cell::figure(""), "medians"});
    }
  }
  for (const Rival& rival : found) {
    const db::Baseline& baseline = *rival.baseline;
    const std::string verdict = baseline.detail.empty() ? baseline.verdict : baseline.verdict + ": " + baseline.detail;
    const std::string how = rival.comparison        ? counted(rival.comparison->rounds, "paired round")
                            : !rival.ratio(contest) ? ""
                                                    : "medians, not paired";
    table.add({rival.name(), Cell::code(baseline.knobs), baseline.version,
               Cell(shortened(verdict, 120)).with_tone(tone_of(baseline.verdict).empty() ? "" : "warn"),
               baseline.median_us, Cell::figure(interval(baseline.low_us, baseline.high_us)),
               contest.rate_gbs(baseline.median_us), Cell::figure(share_cell(contest, baseline.median_us)),
               rival.ratio(contest),
               Cell::figure(rival.comparison ? interval(rival.comparison->low, rival.comparison->high) : ""), how});
  }
  if (contest.ceiling) {
    const double us = contest.ceiling->us();
    table.add({contest.ceiling->words(), "", "", "", Cell(us), Cell::figure(""), contest.rate_gbs(us),
               Cell::figure(percent(1)), Cell::figure(""), Cell::figure(""),
               contest.ceiling->is_peak ? "board's figure" : "measured in the same session"});
  }
  const std::string chart = figure("bars", "Time of each, \xC2\xB5s (shorter is better)",
                                   fmt::format("data-table={} data-value=4 data-interval=5", id));
  return part("Beside libraries and the ceiling", rivals_sentence(contest, found), table.html() + chart);
}

std::string ladder(const Contest& contest) {
  const std::string id = contest.id() + "-l";
  Table table("Kernels of " + contest.problem.pattern + ", slowest first",
              {"kernel", "best params", "time \xC2\xB5s", "interval \xC2\xB5s", "GB/s", "share of ceiling",
               "over the kernel before", "over its default"});
  table.with("id=" + id);
  double before = 0;
  for (const db::Best& best : contest.kernel_bests) {
    const double us = *best.winner.time_us();
    const bool told = before > 0 && (contest.measured() || !db::in_band(before, us));
    table.add({best.winner.kernel, Cell::code(unqualified(best.winner.params)), us,
               Cell::figure(interval(best.winner.trial.low_us, best.winner.trial.high_us)), contest.rate_gbs(us),
               Cell::figure(share_cell(contest, us)),
               Cell::figure(told         ? fmt::format("{:.2f} x", before / us)
                            : before > 0 ? "equal"
                                         : ""),
               Cell::figure(best.speedup ? fmt::format("{:.2f} x", *best.speedup) : "")});
    before = us;
  }
  if (table.empty()) return "";
  return part("Ladder of kernels", ladder_sentence(contest),
              table.html() + figure("bars", "Best time of each kernel, \xC2\xB5s (shorter is better)",
                                    fmt::format("data-table={} data-value=2 data-interval=3", id)));
}

std::string occupancy(const Contest& contest) {
  struct Limit {
    std::vector<double> times{};
    double lowest = 1;
    double highest = 0;
  };
  std::map<std::string, Limit> limits;
  for (const Row* row : compared_rows(contest)) {
    if (!row->trial().occupancy) continue;
    Limit& limit = limits[row->trial().occupancy_limit.empty() ? "not known" : row->trial().occupancy_limit];
    limit.times.push_back(*row->view->time_us());
    limit.lowest = std::min(limit.lowest, *row->trial().occupancy);
    limit.highest = std::max(limit.highest, *row->trial().occupancy);
  }
  Table table("Occupancy by the resource that limits it",
              {"limited by", "configurations", "occupancy", "best time \xC2\xB5s", "median time \xC2\xB5s"});
  for (const auto& [name, limit] : limits) {
    table.add({name, std::ssize(limit.times), Cell::figure(range(100 * limit.lowest, 100 * limit.highest) + " %"),
               std::ranges::min(limit.times), median(limit.times)});
  }
  if (table.empty()) return "";
  // The model computes predicted times from the occupancy, so a chart of the two would show only the model.
  if (!contest.measured()) return part("Occupancy", occupancy_sentence(contest), table.html());
  return part("Occupancy", occupancy_sentence(contest),
              table.html() +
                  figure("scatter", "Time against occupancy, by the limiting resource",
                         fmt::format("data-table={}-t data-x=\"occupancy %\" data-by=\"limited by\"", contest.id())));
}

std::string accesses(const Contest& contest) {
  Table table("Accesses of each kernel's best configuration, counted by the simulator",
              {"kernel", "sectors / request", "transactions / request", "barriers / thread", "atomics / thread",
               "divergent branches", "time \xC2\xB5s"});
  for (const db::Best& best : contest.kernel_bests) {
    const auto row = std::ranges::find_if(contest.rows, [&](const Row& candidate) {
      return candidate.trial().configuration_id == best.winner.trial.configuration_id && candidate.access;
    });
    if (row == contest.rows.end()) continue;
    const db::Access& access = *row->access;
    const auto per_thread = [&](std::int64_t count) {
      return access.threads > 0 ? std::optional(static_cast<double>(count) / static_cast<double>(access.threads))
                                : std::nullopt;
    };
    const Cell divergent = Cell::figure(access.branches > 0 ? percent(static_cast<double>(access.divergent_branches) /
                                                                      static_cast<double>(access.branches))
                                                            : "");
    table.add({best.winner.kernel, sectors_per_request(&access), transactions_per_request(&access),
               per_thread(access.barriers), per_thread(access.atomics), divergent, best.winner.time_us()});
  }
  const std::string sentence = access_sentence(contest);
  if (sentence.empty()) return "";
  if (!contest.measured()) return part("Memory accesses", sentence, table.html());
  std::string body = table.html() + "<div class=pair>\n";
  for (const char* column : {"sectors / request", "transactions / request"}) {
    body += figure("scatter", fmt::format("Time against {}, by kernel", column),
                   fmt::format("data-table={}-t data-x=\"{}\" data-by=kernel", contest.id(), column));
  }
  return part("Memory accesses", sentence, body + "</div>\n");
}

// Launch configuration of each kernel's best configuration.
std::string launches(const Contest& contest) {
  Table table("Launches of each kernel's best configuration, with what the simulator counted of them",
              {"kernel", "launch", "function", "times", "grid x block", "registers", "spills B", "shared B",
               "occupancy %", "sectors / request", "transactions / request"});
  for (const db::Best& best : contest.kernel_bests) {
    const db::Trial& winner = best.winner.trial;
    const auto row = std::ranges::find(contest.rows, winner.configuration_id,
                                       [](const Row& candidate) { return candidate.trial().configuration_id; });
    for (const db::Launch& launch : contest.launches.at(winner.id)) {
      const db::Access* access = row == contest.rows.end() ? nullptr : access_of_launch(*row, launch.number);
      const auto whole = [](const std::optional<int>& value) { return Cell::figure(value ? grouped(*value) : ""); };
      table.add({best.winner.kernel, static_cast<std::int64_t>(launch.number), Cell::code(unqualified(launch.entry)),
                 launch.times,
                 Cell::figure(fmt::format("{} x {}", grouped(launch.grid_blocks), grouped(launch.block_threads))),
                 whole(launch.registers), whole(launch.spill_bytes),
                 static_cast<std::int64_t>(launch.static_shared.value_or(0) + launch.dynamic_shared),
                 Cell::figure(launch.occupancy
                                  ? fmt::format("{} ({})", number(100 * *launch.occupancy), launch.occupancy_limit)
                                  : ""),
                 sectors_per_request(access), transactions_per_request(access)});
    }
  }
  if (table.empty()) return "";
  return part("Launches", launches_sentence(contest), table.html());
}

// For each kernel's best configuration: the source lines whose accesses exceed the necessary minimum most.
std::string source_lines(const Contest& contest) {
  struct Line {
    std::string kernel{}, place{}, space{};
    std::int64_t requests = 0, transactions = 0, least = 0;
  };
  std::vector<Line> lines;
  for (const db::Best& best : contest.kernel_bests) {
    for (const Row& row : contest.rows) {
      if (row.trial().configuration_id != best.winner.trial.configuration_id || !row.access) continue;
      const auto json = nlohmann::json::parse(row.access->lines, nullptr, false);
      if (!json.is_array()) break;
      for (const auto& entry : json) {
        if (!entry.is_object()) continue;
        const auto text = [&](const char* key) {
          return entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : std::string();
        };
        const auto count = [&](const char* key) -> std::int64_t {
          return entry.contains(key) && entry[key].is_number() ? entry[key].get<std::int64_t>() : 0;
        };
        lines.push_back({.kernel = row.view->kernel,
                         .place = fmt::format("{}:{}", text("file"), count("line")),
                         .space = text("space"),
                         .requests = count("requests"),
                         .transactions = count("transactions"),
                         .least = count("least")});
      }
      break;
    }
  }
  std::ranges::stable_sort(lines, std::greater(), [](const Line& line) { return line.transactions - line.least; });
  if (lines.size() > worst_lines) lines.resize(worst_lines);
  Table table("Source lines with most accesses above the least possible, in each kernel's best configuration",
              {"line", "kernel", "memory", "requests", "sectors or transactions", "least possible", "times the least"});
  for (const Line& line : lines) {
    const double times =
        static_cast<double>(line.transactions) / static_cast<double>(std::max<std::int64_t>(line.least, 1));
    table.add({Cell::code(line.place), line.kernel, line.space, line.requests, line.transactions, line.least,
               Cell::figure(line.least > 0 ? fmt::format("{:.2f} x", times) : "")});
  }
  if (table.empty()) return "";
  const Line& worst = lines.front();
  const std::string sentence =
      worst.transactions > worst.least
          ? fmt::format("The most wasteful line is {} of {}: {} accesses to {} memory where {} would do.", worst.place,
                        worst.kernel, grouped(worst.transactions), worst.space, grouped(worst.least))
          : "No line makes more accesses than the least possible.";
  return part("Source lines", sentence, table.html());
}

std::string convergence(const Contest& contest, const Report& report) {
  const std::vector<Search> found = searches(contest);
  const std::string id = contest.id() + "-c";
  Table table("Best so far by evaluations, per session",
              {"session", "strategy", "evaluations", "best so far \xC2\xB5s", "found"});
  table.with("id=" + id);
  for (const Search& search : found) {
    const db::Session& session = report.sessions.at(search.session);
    for (const Step& step : search.steps) {
      table.add({moment(session.started_at), session.strategy, step.evaluations, step.best_us,
                 Cell::code(step.view->settings())});
    }
    if (search.steps.back().evaluations < search.evaluations) {
      table.add({moment(session.started_at), session.strategy, search.evaluations, search.steps.back().best_us,
                 "(end of the search)"});
    }
  }
  if (table.empty()) return "";
  return part("Search", search_sentence(contest, found),
              "<details><summary>Steps of the search</summary>\n" + table.html() + "</details>\n" +
                  figure("steps", "Best time so far over configurations tried, \xC2\xB5s",
                         fmt::format("data-table={} data-by=0 data-x=2 data-value=3", id)));
}

std::string errors(const Contest& contest) {
  std::map<std::string, std::vector<double>> ratios;
  for (const Row& row : contest.rows) {
    if (row.trial().error_ratio) ratios[row.view->kernel].push_back(*row.trial().error_ratio);
  }
  const std::string id = contest.id() + "-e";
  Table table("Part of the error bound that was used",
              {"kernel", "configurations", "largest error / bound %", "median error / bound %"});
  table.with("id=" + id);
  for (const auto& [kernel, values] : ratios) {
    table.add({kernel, std::ssize(values), 100 * std::ranges::max(values), 100 * median(values)});
  }
  if (table.empty()) return "";
  const bool used = std::ranges::any_of(ratios, [](const auto& entry) { return std::ranges::max(entry.second) > 0; });
  const std::string chart =
      used ? figure("bars", "Largest error / bound of each kernel, %", fmt::format("data-table={} data-value=2", id))
           : "";
  return part("Error against its bound", error_sentence(contest), table.html() + chart);
}

std::string configurations(const Contest& contest, const Report& report) {
  if (contest.rows.empty()) return "";
  return part("Every configuration", verdicts_sentence(contest),
              fmt::format("<details class=all id={}-all><summary>Show the table</summary>\n{}</details>\n",
                          contest.id(), configurations_table(contest, report)));
}

}  // namespace

std::string contest_section(const Contest& contest, const Architecture& architecture, const Report& report, bool open) {
  // If nothing at all was measured for this architecture, the page already says so at its top.
  const bool stands_out = architecture.measured() && !contest.measured();
  return fmt::format("<details class=contest id={}{}><summary><h3>{} <small>on {}</small></h3></summary>\n",
                     contest.id(), open ? " open" : "", escape(contest.title()), escape(contest.board.model)) +
         (contest.imported() ? imported_banner(contest.board.model)
          : stands_out       ? predicted_banner(contest.board.model)
                             : "") +
         paragraph(contest_sentence(contest)) + beside_libraries(contest) + ladder(contest) + effects_part(contest) +
         occupancy(contest) + launches(contest) + accesses(contest) + source_lines(contest) +
         convergence(contest, report) + errors(contest) + configurations(contest, report) + "</details>\n";
}

}  // namespace warpwright::reports
