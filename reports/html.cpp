// Builds HTML: escapes text, formats numbers, writes tables.
#include "reports/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/verdict.hpp"
#include "reports/charts/numbers.hpp"

namespace warpwright::reports {
namespace {

std::string class_of(const Cell& cell) {
  if (cell.tone.empty()) return cell.numeric ? " class=n" : "";
  return cell.numeric ? fmt::format(" class=\"n {}\"", cell.tone) : " class=" + cell.tone;
}

}  // namespace

std::string number(double value) {
  if (!std::isfinite(value)) return "";
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  if (magnitude >= 1e15 || magnitude < 1e-6) return fmt::format("{:.3g}", value);
  const int whole = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  return charts::without_trailing_zeros(fmt::format("{:.{}f}", value, std::max(0, 4 - whole)));
}

std::string percent(double fraction) {
  return fmt::format("{:.1f} %", 100 * fraction);
}

std::string moment(const std::string& utc) {
  if (utc.size() < 16 || utc[10] != 'T') return utc;
  return utc.substr(0, 10) + " " + utc.substr(11, 5) + " UTC";
}

std::string slug(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (plain) {
      made += c;
    } else if (!made.empty() && made.back() != '-') {
      made += '-';
    }
  }
  while (!made.empty() && made.back() == '-') made.pop_back();
  return made;
}

std::string finding_of(const std::string& detail) {
  return shortened(detail.substr(0, detail.find("; reproduce: ")), 300);
}

Cell Cell::markup(std::string html) {
  Cell cell;
  cell.html = std::move(html);
  return cell;
}

Cell Cell::figure(const std::string& text) {
  Cell cell(text);
  cell.numeric = true;
  return cell;
}

Cell Cell::code(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string word = escape(text.substr(0, end));
    html += word.starts_with('-') ? "<span>" + word + "</span>" : word;  // no line ends after its dashes
    text.remove_prefix(std::min(end, text.size()));
    for (; text.starts_with(' '); text.remove_prefix(1)) html += ' ';
  }
  return markup(html.empty() ? "" : "<code>" + html + "</code>");
}

Cell Cell::with_tone(const std::string& name) const {
  Cell cell = *this;
  cell.tone = name;
  return cell;
}

std::string tone_of(std::string_view verdict) {
  if (is_wrong(verdict) || verdict == verdict::mistrusted) return "bad";
  return verdict == verdict::passed || verdict.empty() ? "" : "warn";
}

Table::Table(std::string caption, std::vector<std::string> columns)
    : caption_(std::move(caption)), columns_(std::move(columns)) {}

void Table::add(std::vector<Cell> row) {
  rows_.push_back(std::move(row));
}

std::string Table::html() const {
  if (rows_.empty()) return "";
  std::vector<bool> shown;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    shown.push_back(std::ranges::any_of(rows_, [&](const auto& row) { return !row.at(i).html.empty(); }));
  std::string html = fmt::format("<div class=scroll><table><caption>{}</caption>\n<thead><tr>", escape(caption_));
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!shown[i]) continue;
    const bool numeric = i > 0 && rows_.front()[i].numeric;
    html += fmt::format("<th scope=col{}>{}</th>", numeric ? " class=n" : "", escape(columns_[i]));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : rows_) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!shown[i]) continue;
      html += i == 0
                  ? fmt::format("<th scope=row>{}</th>", row[i].html)
                  : fmt::format("<td{} data-head=\"{}\">{}</td>", class_of(row[i]), escape(columns_[i]), row[i].html);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace warpwright::reports
