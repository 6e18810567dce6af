// Sentences that summarize the data of a section.
#include "reports/sentences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "db/query/band.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/html.hpp"

namespace warpwright::reports {
namespace {

std::string kernel_of(const db::TrialView& view) {
  return view.pattern + "/" + view.kernel;
}

std::string time_of(const db::TrialView& view) {
  return number(view.time_us().value_or(0)) + " \xC2\xB5s";
}

// Describes the correlation of two series in words.
std::string correlation_words(const std::string& what, const std::optional<double>& correlation) {
  if (!correlation) return fmt::format("too few different values to say how {} and time go together", what);
  const double size = std::abs(*correlation);
  const char* strength = size < 0.2 ? "hardly related" : size < 0.5 ? "weakly related" : "clearly related";
  const std::string direction = size < 0.2         ? ""
                                : *correlation > 0 ? ", more goes with longer times"
                                                   : ", more goes with shorter times";
  return fmt::format("{} and time are {} (rank correlation {:.2f}{})", what, strength, *correlation, direction);
}

std::string join(const std::vector<std::string>& parts) {
  if (parts.size() < 2) return parts.empty() ? "" : parts.front();
  return fmt::format("{} and {}", fmt::join(parts.begin(), parts.end() - 1, ", "), parts.back());
}

}  // namespace

std::string best_sentence(const Architecture& architecture) {
  std::int64_t measured = 0;
  std::int64_t certified = 0;
  std::int64_t predicted = 0;
  std::int64_t imported = 0;
  for (const Contest& contest : architecture.contests) {
    if (!contest.best) continue;
    const bool is_measured = contest.best->winner.is_measured();
    (is_measured ? measured : contest.imported() ? imported : predicted) += 1;
    certified += is_measured && !contest.best->winner.certificates.empty() ? 1 : 0;
  }
  if (measured + predicted + imported == 0)
    return "No configuration of any problem was found right and given a time yet.";
  std::string text = fmt::format("Best settings are known for {}", counted(measured + predicted + imported, "problem"));
  if (imported > 0)
    return text + fmt::format(
                      ": {} measured here ({} certified), {} predicted by the model, {} only imported from other "
                      "tuners' recordings.",
                      measured, certified, predicted, imported);
  if (measured == 0) {
    return text + ", all of them predicted by the model: nothing was measured on a GPU of this architecture.";
  }
  text +=
      predicted == 0 ? ", all measured" : fmt::format(": {} measured, {} predicted by the model", measured, predicted);
  return text + fmt::format("; {} of the measured {} certified by property tests on the GPU.", certified,
                            certified == 1 ? "is" : "are");
}

std::string contest_sentence(const Contest& contest) {
  if (!contest.best) {
    return fmt::format("No right configuration with a time is stored on {}.", contest.board.model);
  }
  const db::Best& best = *contest.best;
  const bool measured = best.winner.is_measured();
  std::string text = measured || best.tied.empty() ? fmt::format("{} is best", kernel_of(best.winner))
                                                   : fmt::format("{} is one of {} equals", kernel_of(best.winner),
                                                                 grouped(std::ssize(best.tied) + 1));
  if (contest.imported()) {
    text += fmt::format(" with {} in another tuner's recording on {}, not checked here", time_of(best.winner),
                        contest.board.model);
  } else if (measured) {
    text +=
        fmt::format(" with {}, measured, {} on {}", time_of(best.winner), best.winner.certainty(), contest.board.model);
  } else {
    const std::string certainty = best.winner.certainty();
    text += fmt::format(" with {}, predicted for {} and {}{}", time_of(best.winner), contest.board.model,
                        certainty == verdict::unchecked ? "" : "checked by ", certainty);
  }
  if (const auto rate = contest.rate_gbs(best.winner.time_us())) {
    text += fmt::format(": {} GB/s", number(*rate));
    if (const auto share = contest.share_of_ceiling(best.winner.time_us())) {
      text += fmt::format(", {} of the {} of {}", percent(*share), contest.ceiling->words(), contest.ceiling->text());
    }
  }
  text += ".";
  if (best.speedup) text += fmt::format(" That is {:.2f} x the speed of that kernel's default params.", *best.speedup);
  if (best.tied.empty()) return text;
  if (measured) return text + fmt::format(" {} cannot be told apart from it.", counted(std::ssize(best.tied), "other"));
  std::set<std::string> kernels{best.winner.kernel};
  double last = best.winner.time_us().value_or(0);
  for (const db::TrialView& view : best.tied) {
    kernels.insert(view.kernel);
    last = std::max(last, view.time_us().value_or(0));
  }
  return text + fmt::format(
                    " Up to {} \xC2\xB5s predicted times are closer than the model's error of {:.0f} %: the band holds "
                    "configurations of {}.",
                    number(last), 100 * db::model_error, join({kernels.begin(), kernels.end()}));
}

std::string rivals_sentence(const Contest& contest, const std::vector<Rival>& rivals) {
  if (rivals.empty()) return "";
  std::vector<std::string> parts;
  for (const Rival& rival : rivals) {
    const auto ratio = rival.ratio(contest);
    if (rival.baseline->verdict != verdict::passed || !ratio) continue;
    std::string part = fmt::format("{:.2f} x the speed of {}", *ratio, rival.name());
    if (rival.comparison && rival.comparison->low <= 1 && rival.comparison->high >= 1) {
      part += " (not to be told apart)";
    }
    parts.push_back(std::move(part));
  }
  if (parts.empty()) return "No library was timed beside ours: see the verdicts.";
  std::string text = fmt::format("Ours has {}.", join(parts));
  if (!contest.best->default_us || !contest.best->winner.is_measured()) return text;
  std::vector<std::string> defaults;
  for (const Rival& rival : rivals) {
    if (!rival.has_tuned_sibling(rivals) || rival.baseline->mode != contest.mode || !rival.baseline->median_us)
      continue;
    defaults.push_back(
        fmt::format("{:.2f} x that of {}", *rival.baseline->median_us / *contest.best->default_us, rival.name()));
  }
  if (!defaults.empty()) text += fmt::format(" Default against default, its speed is {}.", join(defaults));
  return text;
}

std::string ladder_sentence(const Contest& contest) {
  if (contest.kernel_bests.empty()) return "";
  const db::TrialView& last = contest.kernel_bests.back().winner;
  if (contest.kernel_bests.size() == 1)
    return fmt::format("Only {} was {}.", kernel_of(last),
                       contest.imported()   ? "imported"
                       : contest.measured() ? "timed"
                                            : "predicted");
  const db::TrialView& first = contest.kernel_bests.front().winner;
  const double whole = *first.time_us() / *last.time_us();
  const double told = contest.measured() ? 1.01 : 1 + db::model_error;
  if (whole <= told) {
    return fmt::format("The best times of the {} kernels are within {:.0f} % of one another.",
                       contest.kernel_bests.size(), 100 * (told - 1));
  }
  std::size_t at = 1;
  double largest = 0;
  for (std::size_t i = 1; i < contest.kernel_bests.size(); ++i) {
    const double step = *contest.kernel_bests[i - 1].winner.time_us() / *contest.kernel_bests[i].winner.time_us();
    if (step > largest) {
      largest = step;
      at = i;
    }
  }
  std::string text =
      fmt::format("From {} to {} the best time falls {:.2f} x over {}; the largest step is to {} ({:.2f} x).",
                  kernel_of(first), kernel_of(last), whole, counted(std::ssize(contest.kernel_bests), "kernel"),
                  kernel_of(contest.kernel_bests[at].winner), largest);
  std::vector<std::string> equals;
  for (const db::Best& best : contest.kernel_bests)
    if (contest.in_band(best.winner)) equals.push_back(best.winner.kernel);
  if (equals.size() > 1) text += fmt::format(" {} are equal as far as the model tells.", join(equals));
  return text;
}

std::string effect_sentence(const std::string& kernel, const std::vector<AxisEffect>& effects, double told) {
  if (effects.empty()) return "";
  const AxisEffect& first = effects.front();
  const std::string limit = fmt::format("{:.0f} %", 100 * (told - 1));
  if (first.factor < told)
    return fmt::format("{}: no value of a parameter costs the best time more than {}.", kernel, limit);
  std::string text =
      fmt::format("{}: {} matters most: {} is best, and the best time with its worst value is {:.2f} x as long", kernel,
                  first.axis, first.best_value, first.factor);
  std::vector<std::string> others;
  for (const AxisEffect& effect : effects) {
    if (effect.factor < told) others.push_back(effect.axis);
  }
  if (!others.empty() && others.size() < effects.size()) {
    text += fmt::format("; {} {} within {}", join(others), others.size() == 1 ? "stays" : "stay", limit);
  }
  return text + ".";
}

std::string occupancy_sentence(const Contest& contest) {
  std::vector<double> occupancy;
  std::vector<double> times;
  for (const Row* row : compared_rows(contest)) {
    if (!row->trial().occupancy) continue;
    occupancy.push_back(*row->trial().occupancy);
    times.push_back(*row->view->time_us());
  }
  if (occupancy.empty()) return "";
  std::string text;
  const Row* best = winning_row(contest);
  if (best && best->trial().occupancy) {
    text = fmt::format("The best configuration has {:.0f} % occupancy", 100 * *best->trial().occupancy);
    if (!best->trial().occupancy_limit.empty()) text += ", limited by " + best->trial().occupancy_limit;
    text += fmt::format("; the highest of all is {:.0f} %.{}", 100 * std::ranges::max(occupancy),
                        contest.measured() ? " " : "");
  }
  if (!contest.measured()) return text;  // the model computes its times from the occupancy
  std::string relation = correlation_words("occupancy", rank_correlation(occupancy, times));
  relation.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(relation.front())));
  return text + relation + ".";
}

std::string launches_sentence(const Contest& contest) {
  if (contest.kernel_bests.empty()) return "";
  const db::TrialView& winner = contest.kernel_bests.back().winner;
  const std::vector<db::Launch>& launches = contest.launches.at(winner.trial.id);
  if (launches.empty()) return "";
  std::int64_t times = 0;
  for (const db::Launch& launch : launches) times += launch.times;
  std::string text =
      fmt::format("A run of {} {} makes {} of {}", kernel_of(winner), unqualified(winner.params),
                  times == 1 ? "1 launch" : grouped(times) + " launches", counted(std::ssize(launches), "function"));
  const auto lowest =
      std::ranges::min_element(launches, {}, [](const db::Launch& launch) { return launch.occupancy.value_or(1); });
  if (launches.size() > 1 && lowest->occupancy)
    text += fmt::format("; launch {} has the lowest occupancy, {:.0f} %", lowest->number, 100 * *lowest->occupancy);
  return text + ".";
}

std::string access_sentence(const Contest& contest) {
  std::vector<std::string> parts;
  const auto about = [&](const std::string& what, const auto& measure) {
    std::vector<double> values;
    std::vector<double> times;
    for (const Row* row : compared_rows(contest)) {
      const auto value = measure(row->access);
      if (!value) continue;
      values.push_back(*value);
      times.push_back(*row->view->time_us());
    }
    if (values.empty()) return;
    std::string text =
        fmt::format("{} {} per request", range(std::ranges::min(values), std::ranges::max(values)), what);
    const Row* best = winning_row(contest);
    if (const auto value = best ? measure(best->access) : std::nullopt) {
      text += fmt::format(", {} in the best configuration", number(*value));
    }
    // Predicted times are computed from these counts, so a correlation would say nothing.
    if (contest.measured()) text += "; " + correlation_words("they", rank_correlation(values, times));
    parts.push_back(text + ".");
  };
  about("global sectors", sectors_per_request);
  about("shared-memory transactions", transactions_per_request);
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string search_sentence(const Contest& contest, const std::vector<Search>& searches) {
  if (searches.empty()) return "";
  const Search& last = searches.back();
  const double best = last.steps.back().best_us;
  const double told = contest.measured() ? 0.05 : db::model_error;
  const auto near =
      std::ranges::find_if(last.steps, [&](const Step& step) { return step.best_us <= (1 + told) * best; });
  std::string text = fmt::format("The newest of {} tried {}; it was within {:.0f} % of its best after {}",
                                 counted(std::ssize(searches), "session"), counted(last.evaluations, "configuration"),
                                 100 * told, grouped(near->evaluations));
  if (!contest.measured()) return text + fmt::format(" (of {} times).", contest.provenance);
  return text + fmt::format(" and had its best after {}.", grouped(last.steps.back().evaluations));
}

std::string error_sentence(const Contest& contest) {
  double largest = -1;
  const Row* worst = nullptr;
  std::int64_t known = 0;
  for (const Row& row : contest.rows) {
    const auto& ratio = row.trial().error_ratio;
    if (!ratio) continue;
    ++known;
    if (*ratio > largest) {
      largest = *ratio;
      worst = &row;
    }
  }
  if (!worst) return "";
  if (largest == 0) {
    return fmt::format("{} used no part of the error bound on the inputs they were checked with.",
                       counted(known, "configuration"));
  }
  return fmt::format("At most {} of the error bound is used, by {} {}{}.", percent(largest), kernel_of(*worst->view),
                     unqualified(worst->view->params), largest > 1 ? ": more than 100 % is wrong" : "");
}

std::string verdicts_sentence(const Contest& contest) {
  std::map<std::string, std::int64_t> counts;
  for (const Row& row : contest.rows) {
    const std::string checked = row.view->is_measured() ? "" : " (" + row.view->certainty() + ")";
    ++counts[row.trial().provenance + " and " + row.trial().verdict + checked];
  }
  std::vector<std::string> parts;
  for (const auto& [what, count] : counts) parts.push_back(fmt::format("{} {}", grouped(count), what));
  return fmt::format("{}: {}.", counted(std::ssize(contest.rows), "configuration"), join(parts));
}

std::string drift_sentence(const std::vector<Drift>& drifts, const std::vector<Difference>& differences) {
  if (drifts.empty()) return "No problem was measured in two sessions on one board: nothing can have drifted.";
  std::vector<const Drift*> compared;
  for (const Drift& drift : drifts) {
    if (drift.comparable()) compared.push_back(&drift);
  }
  std::string text;
  if (compared.empty()) {
    text = "The newest session and the one before tried different configurations: no change can be told.";
  } else {
    const auto beyond = [&](double sign) {
      return std::ranges::count_if(compared, [&](const Drift* drift) { return sign * drift->change() > 0.01; });
    };
    const Drift& largest =
        **std::ranges::max_element(compared, {}, [](const Drift* drift) { return std::abs(drift->change()); });
    text = fmt::format(
        "Of {} measured again, {} got slower by more than 1 % and {} faster; the largest change is {:+.1f} % "
        "({} on {}).",
        counted(std::ssize(compared), "problem"), beyond(1), beyond(-1), 100 * largest.change(),
        largest.contest->title(), largest.contest->board.model);
  }
  std::vector<std::string> names;
  for (const Difference& difference : differences) {
    if (difference.differs) names.push_back(difference.name);
  }
  text += names.empty() ? " Nothing that is stored of the surroundings differs."
                        : fmt::format(" What differs between the sessions: {}.", join(names));
  return text;
}

std::string failures_sentence(const std::vector<NewFailure>& failures) {
  if (failures.empty()) return "Nothing fails that did not fail before.";
  return fmt::format("{} new since the run or session before.",
                     failures.size() == 1 ? "1 failure is" : grouped(std::ssize(failures)) + " failures are");
}

std::string nightly_sentence(const Report& report) {
  if (report.runs.empty()) return "No run of conform is stored.";
  std::int64_t cases = 0;
  for (const db::ConformanceRun& run : report.runs) cases += run.cases;
  const db::ConformanceRun& last = report.runs.back();
  const auto obsolete = std::ranges::count_if(report.counterexamples, [](const auto& c) { return !!c.obsolete; });
  const auto open =
      std::ranges::count_if(report.counterexamples, [](const auto& c) { return !c.fixed_at && !c.obsolete; });
  std::string text =
      fmt::format("{} checked {} in all; the newest, on {} at {}, had {} and {}",
                  counted(std::ssize(report.runs), "run"), counted(cases, "case"), last.target, moment(last.started_at),
                  counted(last.cases, "case"), counted(last.failures, "failure"));
  if (last.ended_how.value_or("") != ending::complete)
    text += fmt::format(" ({})", last.ended_how.value_or("not ended"));
  text += fmt::format(". {} still {}, {} fixed", counted(open, "counterexample"), open == 1 ? "fails" : "fail",
                      grouped(std::ssize(report.counterexamples) - open - obsolete));
  if (obsolete > 0) text += fmt::format(", {} can no longer be replayed", grouped(obsolete));
  return text + ".";
}

std::string mutants_sentence(const Report& report) {
  using namespace outcome;
  std::map<std::string_view, std::int64_t> outcomes;
  std::set<std::string> tools;
  for (const db::Mutant& mutant : report.mutants) {
    ++outcomes[mutant.outcome];
    tools.insert(mutant.tool);
  }
  const std::int64_t mattering = outcomes[killed] + outcomes[survived];
  std::string text = fmt::format("{} of {} that can be told from the original {} killed", grouped(outcomes[killed]),
                                 counted(mattering, "mutant"), outcomes[killed] == 1 ? "was" : "were");
  if (tools.size() > 1) text += fmt::format(" (verdicts of {} together)", counted(std::ssize(tools), "tool"));
  if (outcomes[survived] > 0) text += fmt::format("; {} survived", grouped(outcomes[survived]));
  if (outcomes[equivalent] > 0) text += fmt::format("; {} declared equivalent", grouped(outcomes[equivalent]));
  for (const std::string_view rest : {not_compiled, not_modelled})
    if (outcomes[rest] > 0) text += fmt::format("; {} {}", grouped(outcomes[rest]), rest);
  return text + ".";
}

}  // namespace warpwright::reports
