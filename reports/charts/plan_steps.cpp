// Draws the steps of plans as stacked shares, and the time of streams compared with the ideal.
#include "reports/charts/plan_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr double labelled_from = 0.12;  // smallest share of a step with room for its name

std::string kind_class(StepKind kind) {
  switch (kind) {
    case StepKind::kernel:
      return "kernel";
    case StepKind::copy:
      return "copy";
    case StepKind::fill:
      break;
  }
  return "fill";
}

// The sum of all steps; empty if one has no time.
std::optional<double> time_of(const PlanTimes& plan) {
  double sum = 0;
  for (const PlanStep& step : plan.steps) {
    if (!step.us) return std::nullopt;
    sum += *step.us;
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

std::string steps_of(const PlanTimes& plan, const std::optional<double>& sum) {
  std::string stack;
  std::string list;
  for (const PlanStep& step : plan.steps) {
    const std::string kind = kind_class(step.kind);
    const std::string us = step.us ? time_us(*step.us) + " " + micro_seconds : "not timed";
    const std::string share = sum ? ", " + share_text(*step.us / *sum) : "";
    list += fmt::format("<li><i class='{}'></i>{}: {}{}</li>", kind, escape(step.name), us, share);
    if (!sum) continue;
    stack += fmt::format("<i class='{}' style='flex:{:.4g}' title='{}: {}{}'>{}</i>", kind, *step.us, escape(step.name),
                         us, share, *step.us / *sum < labelled_from ? "" : escape(step.name));
  }
  const std::string picture = sum ? "<div class='stack' aria-hidden='true'>" + stack + "</div>"
                                  : "<p class='no-chart'>A step was not timed, so shares are not known.</p>";
  return picture + "<ul>" + list + "</ul>";
}

std::string overlap_text(const StreamOverlap& one) {
  if (!one.measured_us) return "not timed";
  std::string words = time_us(*one.measured_us) + " " + micro_seconds;
  if (one.ideal_us) words += fmt::format(", {} of the ideal", ratio(*one.measured_us / *one.ideal_us, 2));
  return words;
}

}  // namespace

std::string plan_steps(const std::vector<PlanTimes>& plans) {
  std::string html;
  for (const PlanTimes& plan : plans) {
    if (plan.steps.empty()) continue;
    const std::optional<double> sum = time_of(plan);
    html += fmt::format("<div class='plan'><b>{}</b>{}{}</div>\n", escape(plan.name),
                        sum ? "<small>" + time_us(*sum) + " " + micro_seconds + "</small>" : "", steps_of(plan, sum));
  }
  return html.empty() ? instead("No steps of a plan were timed.") : "<div class='steps'>\n" + html + "</div>\n";
}

std::string stream_overlap(const std::vector<StreamOverlap>& plans) {
  double longest = 0;
  for (const StreamOverlap& one : plans) {
    for (const std::optional<double>& us : {one.serial_us, one.measured_us, one.ideal_us}) {
      longest = std::max(longest, us.value_or(0));
    }
  }
  if (!(longest > 0)) return instead("No streams were timed.");
  const Scale axis(Growth::linear, 0, longest);
  std::string html =
      "<div class='overlap'>\n<p class='head' aria-hidden='true'><span></span><span>"
      "<i class='serial'></i>one after another <i class='fill'></i>measured <i class='ideal'></i>ideal</span></p>\n";
  for (const StreamOverlap& one : plans) {
    std::string svg;
    std::string sentence = one.name + ": " + overlap_text(one);
    if (one.serial_us) {
      svg += fmt::format("<rect class='serial' width='{}%'/>", place(axis.at(*one.serial_us)));
      sentence += ", one after another " + time_us(*one.serial_us);
    }
    if (one.measured_us) svg += fmt::format("<rect class='fill' width='{}%'/>", place(axis.at(*one.measured_us)));
    if (one.ideal_us) {
      svg += upright("ceiling", axis.at(*one.ideal_us));
      sentence += ", ideal " + time_us(*one.ideal_us);
    }
    html += fmt::format("<p><span title='{0}'>{0}</span><svg role='img'><title>{1}</title>{2}</svg><b>{3}</b></p>\n",
                        escape(one.name), escape(sentence), svg, overlap_text(one));
  }
  return html + "</div>\n";
}

}  // namespace warpwright::reports::charts
