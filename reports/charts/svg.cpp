// Writes marks, lines, and plots with axes.
#include "reports/charts/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"

namespace warpwright::reports::charts {
namespace {

std::string side_class(Side side) {
  switch (side) {
    case Side::right:
      return "right";
    case Side::left:
      return "left";
    case Side::above:
      return "above";
    case Side::below:
      break;
  }
  return "below";
}

constexpr const char* not_traced = ", not traced";

// Names of dots on the upright axis and of lines stand one above the other, so each needs a line.
bool hide_each_other(const KernelDot& a, const KernelDot& b) {
  if (a.kernel.rank == 0 || b.kernel.rank == 0 || a.untraced != b.untraced) return false;
  const double height = a.untraced || a.line_end ? 5.4 : 1.6;
  return std::abs(a.at.x - b.at.x) < 0.8 && std::abs(a.at.y - b.at.y) < height;
}

std::string ranks_of(const DotGroup& group, Placed::Form form) {
  const KernelDot& first = *group.front();
  const bool is_whole = form == Placed::Form::full || (form == Placed::Form::rank && first.untraced);
  if (is_whole || first.kernel.rank == 0) return charts::ranks_of(group);
  return std::to_string(first.kernel.rank) + (group.size() > 1 ? "\u2026" : "");
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(utf8, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

// What a label has besides the ranks: the name if it is one kernel's.
std::string name_of(const DotGroup& group) {
  const std::string name = group.size() > 1 ? "" : group.front()->kernel.name;
  return name + (group.front()->untraced ? not_traced : "");
}

std::string kernel_label(const DotGroup& group, const Placed& placed) {
  if (placed.form == Placed::Form::none) return "";
  std::string words = ranks_of(group, placed.form);
  if (const std::string name = escape(name_of(group)); placed.form == Placed::Form::full && !name.empty())
    words += words.empty() ? name : fmt::format("<tspan class='full'>{}{}</tspan>", group.size() > 1 ? "" : " ", name);
  const Point at = middle_of(group);
  return fmt::format("<text class='name {}{}' x='{}%' y='{}%'>{}</text>", side_class(placed.side),
                     group.front()->kernel.best() ? " best" : "", place(at.x), place(at.y), words);
}

}  // namespace

std::string ranks_text(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (last == i + 1) last = i;
    text += (text.empty() ? "" : ", ") + std::to_string(ranks[i]);
    if (last > i) text += " to " + std::to_string(ranks[last]);
    i = last + 1;
  }
  return text;
}

std::vector<DotGroup> groups_of(const std::vector<KernelDot>& dots) {
  std::vector<DotGroup> groups;
  for (const KernelDot& dot : dots) {
    DotGroup group{&dot};
    std::erase_if(groups, [&](const DotGroup& other) {
      const bool joins = std::ranges::any_of(other, [&](const KernelDot* one) { return hide_each_other(dot, *one); });
      if (joins) group.insert(group.end(), other.begin(), other.end());
      return joins;
    });
    groups.push_back(std::move(group));
  }
  const auto rank = [](const KernelDot* dot) { return dot->kernel.rank; };
  for (DotGroup& group : groups) std::ranges::stable_sort(group, {}, rank);
  std::ranges::stable_sort(groups, {}, [&](const DotGroup& group) { return rank(group.front()); });
  return groups;
}

std::string ranks_of(const DotGroup& group) {
  if (group.front()->kernel.rank == 0) return "";
  std::vector<int> ranks;
  for (const KernelDot* dot : group) ranks.push_back(dot->kernel.rank);
  return ranks_text(ranks);
}

Point middle_of(const DotGroup& group) {
  const auto [low, high] = std::ranges::minmax(group, {}, [](const KernelDot* dot) { return dot->at.y; });
  return {group.front()->at.x, (low->at.y + high->at.y) / 2};
}

const char* const micro_seconds = "\xC2\xB5s";

std::string definitions() {
  return R"(<svg class='definitions' width='0' height='0' aria-hidden='true'><defs>
<pattern id='h-ours' width='5' height='5' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>
<rect class='h-ground' width='5' height='5'/><rect class='h-ours' width='2.2' height='5'/></pattern>
<pattern id='h-ink' width='5' height='5' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>
<rect class='h-ground' width='5' height='5'/><rect class='h-ink' width='1.2' height='5'/></pattern>
<g id='m-ours'><rect class='m m-ours' x='-1.75' y='-7.5' width='3.5' height='15' rx='1'/></g>
<g id='m-guess'><rect class='m m-guess' x='-2' y='-7.5' width='4' height='15' rx='1'/></g>
<g id='m-vendor'><path class='m m-vendor' d='M0-5.6 5.6 0 0 5.6-5.6 0z'/></g>
<g id='m-tuned'><circle class='m m-tuned' r='4.4'/></g>
<g id='m-default'><circle class='m m-default' r='3.9'/></g>
<g id='m-ceiling'><path class='m m-ceiling' d='M0-8V8'/></g>
<g id='m-slower'><path class='m m-beyond' d='M5-4 1 0 5 4'/></g>
<g id='m-faster'><path class='m m-beyond' d='M-5-4-1 0-5 4'/></g>
<g id='m-untraced'><path class='m m-untraced' d='M-4-4h8M-4 4h8M0-4v8'/></g>
</defs></svg>
)";
}

std::string legend(const std::vector<std::pair<Whose, std::string>>& entries) {
  std::string html = "<ul class='legend'>";
  for (const auto& [whose, words] : entries) {
    html += fmt::format("<li><svg class='key' aria-hidden='true'>{}</svg>{}</li>", mark(whose, 50), escape(words));
  }
  return html + "</ul>";
}

std::string mark_id(Whose whose) {
  switch (whose) {
    case Whose::ours:
      return "ours";
    case Whose::vendor:
      return "vendor";
    case Whose::kokkos_tuned:
      return "tuned";
    case Whose::kokkos_default:
      return "default";
    case Whose::ceiling:
      break;
  }
  return "ceiling";
}

std::string mark(const std::string& id, double x, double y) {
  return fmt::format("<use href='#m-{}' x='{}%' y='{}%'/>", id, place(x), place(y));
}

std::string mark(Whose whose, double x, double y) {
  return mark(mark_id(whose), x, y);
}

std::string upright(const std::string& classes, double x) {
  return fmt::format("<line class='{0}' x1='{1}%' x2='{1}%' y2='100%'/>", classes, place(x));
}

std::string level(const std::string& classes, double y) {
  return fmt::format("<line class='{0}' y1='{1}%' y2='{1}%' x2='100%'/>", classes, place(y));
}

std::string text(const std::string& classes, double x, double y, const std::string& words) {
  return fmt::format("<text class='{}' x='{}%' y='{}%'>{}</text>", classes, place(x), place(y), escape(words));
}

std::string dot(const std::string& classes, double x, double y, const std::string& tooltip) {
  return fmt::format("<circle class='{}' cx='{}%' cy='{}%'><title>{}</title></circle>", classes, place(x), place(y),
                     escape(tooltip));
}

std::string instead(const std::string& sentence) {
  return "<p class='no-chart'>" + escape(sentence) + "</p>\n";
}

std::string path_data(const Points& points) {
  std::string data;
  bool joined = false;  // whether the path continues from the previous point
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i]) {
      joined = false;
      continue;
    }
    data += fmt::format("{}{} {}", joined ? " " : "M", place(points[i]->x), place(points[i]->y));
    const bool alone = !joined && (i + 1 == points.size() || !points[i + 1]);
    if (alone) data += "h0";  // the round ends of a line of length 0 are a dot
    joined = true;
  }
  return data;
}

std::string path(const std::string& classes, const std::string& data) {
  return data.empty() ? "" : fmt::format("<path class='{}' d='{}'/>", classes, data);
}

std::string lines(const std::string& paths) {
  if (paths.empty()) return "";
  return "<svg class='lines' viewBox='0 0 100 100' preserveAspectRatio='none'>" + paths + "</svg>";
}

Plot::Ticks Plot::ticks_of(const Scale& scale, std::size_t most) {
  Ticks ticks;
  for (const double value : scale.ticks(most)) ticks.emplace_back(value, tick(value));
  return ticks;
}

// On a phone, ticks that would touch the one before are left out.
void Plot::across(const Scale& scale, const Ticks& ticks, const std::string& name) {
  constexpr double character = 3.1;  // its width in percent of the plot on the smallest phone
  double free_from = -100;
  for (const auto& [value, words] : ticks) {
    const double x = scale.at(value);
    const double half = character * (static_cast<double>(characters(words)) + 1) / 2;
    const bool fits = x - half >= free_from;
    if (fits) free_from = x + half;
    inside_ += upright("grid", x) + text(fits ? "tick-x" : "tick-x full", x, 100, words);
  }
  inside_ += text("axis-x", 100, 100, name);
}

void Plot::up(const Scale& scale, const Ticks& ticks, const std::string& name) {
  for (const auto& [value, words] : ticks) {
    const double y = 100 - scale.at(value);
    inside_ += level("grid", y) + text("tick-y", 0, y, words);
  }
  inside_ += text("axis-y", 0, 0, name);
}

void Plot::add(std::vector<KernelDot> dots, const std::vector<Taken>& taken) {
  std::ranges::stable_sort(dots, {}, [](const KernelDot& dot) { return dot.kernel.rank; });
  const std::vector<DotGroup> groups = groups_of(dots);
  std::vector<Labelled> labels;
  for (const DotGroup& group : groups) {
    const auto on_a_phone = [](const std::string& ranks) {
      return (17 * characters(ranks) + 5) / 10;
    };  // it hides names
    const std::string ranks = ranks_of(group, Placed::Form::full);
    const std::size_t name = name_of(group).size();
    labels.push_back(
        {middle_of(group).x, middle_of(group).y, std::max(ranks.size() + (name > 0 ? name + 1 : 0), on_a_phone(ranks)),
         on_a_phone(ranks_of(group, Placed::Form::rank)), on_a_phone(ranks_of(group, Placed::Form::first))});
  }
  const std::vector<Placed> placed = place_labels(labels, taken);
  std::string names;
  for (std::size_t i = groups.size(); i-- > 0;) names += kernel_label(groups[i], placed[i]);
  for (std::size_t i = dots.size(); i-- > 0;) {
    const KernelDot& dot = dots[i];
    const std::string classes = std::string("dot") + (dot.kernel.best() ? " best" : "") + (dot.hollow ? " hollow" : "");
    inside_ += dot.untraced
                   ? "<g>" + mark("untraced", dot.at.x, dot.at.y) + "<title>" + escape(dot.tooltip) + "</title></g>"
                   : charts::dot(classes, dot.at.x, dot.at.y, dot.tooltip);
  }
  inside_ += names;
}

std::string Plot::html() const {
  return fmt::format("<div class='plot{}'><svg role='img' aria-label='{}'>{}</svg></div>\n",
                     size_.empty() ? "" : " " + size_, escape(sentence_), inside_);
}

}  // namespace warpwright::reports::charts
