// Formats tables.
#include "kernels/system/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "kernels/core/text.hpp"
#include "kernels/system/json_text.hpp"

namespace warpwright {
namespace {

constexpr std::string_view dots = "...";

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

const char* code_of(Tone tone) {
  switch (tone) {
    case Tone::heading:
      return "\x1b[1m";
    case Tone::good:
      return "\x1b[32m";
    case Tone::notice:
      return "\x1b[33m";
    case Tone::bad:
      return "\x1b[31m";
    case Tone::faint:
      return "\x1b[2m";
    case Tone::plain:
      break;
  }
  return "";
}

// A column with its cells as text.
struct Laid {
  std::size_t column = 0;
  std::size_t width = 0;
  std::size_t least = 0;
  bool right = false;
};

std::size_t width_with(const std::vector<Laid>& laid, std::size_t gap) {
  const std::size_t gaps = laid.empty() ? 0 : gap * (laid.size() - 1);
  return std::accumulate(laid.begin(), laid.end(), gaps,
                         [](std::size_t sum, const Laid& one) { return sum + one.width; });
}

// Shortens the widest column that may be shortened, again and again, until the table fits or none is left.
void cut_to(std::vector<Laid>& laid, std::size_t gap, std::size_t width) {
  for (std::size_t now = width_with(laid, gap); now > width; --now) {
    Laid* widest = nullptr;
    for (Laid& one : laid)
      if (one.width > one.least && (widest == nullptr || one.width > widest->width)) widest = &one;
    if (widest == nullptr) return;
    --widest->width;
  }
}

// The first characters of a text, at most that many.
std::string_view first(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  while (at < text.size() && (characters > 0 || !begins_character(text[at])))
    if (begins_character(text[at++])) --characters;
  return text.substr(0, at);
}

// The same without blanks and commas at the end, and with dots.
std::string with_dots(std::string_view text, std::size_t characters) {
  const std::string_view shown = first(text, characters);
  return std::string(shown.substr(0, shown.find_last_not_of(" ,") + 1)) + std::string(dots);
}

// How many bytes all texts begin with; fewer, down to the beginning of a word, if it is at most `back` bytes back.
std::size_t common_beginning(const std::vector<std::string>& texts, std::size_t back) {
  const std::string& one = texts.front();
  std::size_t common = one.size();
  for (const std::string& other : texts)
    common = std::min(common, static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin()));
  while (common > 0 && common < one.size() && !begins_character(one[common])) --common;
  const std::size_t word = common == 0 ? 0 : one.find_last_of(" ,", common - 1) + 1;
  return common - word <= back ? word : common;
}

// Cuts texts to a width, and keeps apart what differs: where several would become the same, each shows its beginning
// and the part in which they differ.
std::vector<std::string> cut_apart(const std::vector<std::string>& texts, std::size_t width) {
  constexpr std::size_t least = 10, most_often = 5;
  std::vector<std::string> shown;
  for (const std::string& text : texts) shown.push_back(cut(text, width));
  if (width < least || shown == texts) return shown;
  const std::size_t room = width - dots.size(), of_end = room - room / 3;
  // Often once is enough; several may differ in one part, and two of these in another one.
  bool are_apart = false;
  for (std::size_t times = 0; times < most_often && !are_apart; ++times) {
    are_apart = true;
    std::map<std::string, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < texts.size(); ++i) alike[shown[i]].push_back(i);
    for (const auto& [text, rows] : alike) {
      std::vector<std::string> group;
      for (const std::size_t i : rows) group.push_back(texts[i]);
      if (std::ranges::count(group, group.front()) == std::ssize(group)) continue;
      are_apart = false;
      const std::size_t common = common_beginning(group, of_end - dots.size() - 1);
      for (const std::size_t i : rows) {
        const std::string end = cut(texts[i].substr(common), of_end);
        shown[i] = with_dots(texts[i], room - width_of(end)) + end;
      }
    }
  }
  return shown;
}

using Rows = std::vector<std::vector<Table::Cell>>;

// The columns that are shown, in their full widths.
std::vector<Laid> laid_out(const std::vector<Table::Column>& columns, const Rows& rows) {
  std::vector<Laid> laid;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].only_as_data) continue;
    Laid one{.column = i, .width = width_of(columns[i].head)};
    bool has_number = false;
    bool has_text = false;
    for (const auto& row : rows) {
      one.width = std::max(one.width, width_of(row[i].shown));
      has_number |= row[i].is_number();
      has_text |= !row[i].is_number() && !std::holds_alternative<std::monostate>(row[i].value);
    }
    one.right = has_number && !has_text;
    one.least = one.right ? one.width : std::min(one.width, std::max(columns[i].least, width_of(columns[i].head)));
    laid.push_back(one);
  }
  return laid;
}

struct Layout {
  std::vector<Laid> columns;
  std::size_t gap = 2;        // blanks between columns
  std::string left_out = {};  // heads of columns with values for which there is no room
};

// The columns of a table, fitted to a width (0: any). In a table that is too wide, columns without a value in any row
// are left out first; then others that can go; then columns are cut.
Layout fitted(const std::vector<Table::Column>& columns, const Rows& rows, std::size_t width) {
  Layout layout{.columns = laid_out(columns, rows)};
  std::vector<Laid>& laid = layout.columns;
  const auto is_too_wide = [&] { return width > 0 && width_with(laid, layout.gap) > width; };
  if (is_too_wide())
    std::erase_if(laid, [&](const Laid& one) {
      const auto is_nothing = [&](const auto& row) {
        return std::holds_alternative<std::monostate>(row[one.column].value);
      };
      return columns[one.column].can_go && std::ranges::all_of(rows, is_nothing);
    });
  if (!is_too_wide()) return layout;
  layout.gap = 1;
  const auto least = [&] {
    std::vector<Laid> most = laid;
    for (Laid& one : most) one.width = one.least;
    return width_with(most, layout.gap);
  };
  for (std::size_t i = columns.size(); i-- > 0 && least() > width;) {
    if (!columns[i].can_go) continue;
    if (std::erase_if(laid, [&](const Laid& one) { return one.column == i; }) == 0) continue;
    layout.left_out = columns[i].head + (layout.left_out.empty() ? "" : ", ") + layout.left_out;
  }
  cut_to(laid, layout.gap, width);
  return layout;
}

std::string line_of(const std::vector<Table::Cell>& cells, const Layout& layout, const Screen& screen) {
  std::string text;
  std::string blanks;
  for (const Laid& one : layout.columns) {
    const auto& [value, shown, tone] = cells[one.column];
    const std::string pad(one.width - width_of(shown), ' ');
    if (one.right) blanks += pad;
    // Blanks are written only if text follows them.
    if (!shown.empty()) {
      text += blanks + painted(shown, tone, screen);
      blanks.clear();
    }
    if (!one.right) blanks += pad;
    blanks += std::string(layout.gap, ' ');
  }
  return text + "\n";
}

std::string key_of(const Table::Column& column) {
  if (!column.key.empty()) return column.key;
  std::string key = lower_case(column.head);
  std::ranges::replace(key, ' ', '_');
  return key;
}

std::string data_text(const Table::Value& value) {
  return std::visit(
      [](const auto& of) -> std::string {
        using T = std::remove_cvref_t<decltype(of)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          return "";
        else if constexpr (std::is_same_v<T, std::string>)
          return of;
        else
          return fmt::format("{}", of);
      },
      value);
}

Json data_json(const Table::Value& value) {
  return std::visit(
      [](const auto& of) -> Json {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(of)>, std::monostate>)
          return nullptr;
        else
          return of;
      },
      value);
}

}  // namespace

std::string painted(std::string_view text, Tone tone, const Screen& screen) {
  if (!screen.colour || tone == Tone::plain) return std::string(text);
  return fmt::format("{}{}\x1b[0m", code_of(tone), text);
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string cut(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  if (width < dots.size()) return std::string(dots.substr(0, width));
  return with_dots(text, width - dots.size());
}

Table::Cell::Cell(std::int64_t number) : value(number), shown(std::to_string(number)) {}

Table::Cell Table::Cell::unless_empty(std::string_view text) {
  return text.empty() ? Cell() : Cell(std::string(text));
}

Table::Cell Table::Cell::of_line(int line) {
  return line == 0 ? Cell() : Cell(line);
}

void Table::add(std::vector<Cell> cells) {
  if (cells.size() != columns_.size())
    throw std::logic_error(fmt::format("a row of {} cells for {} columns", cells.size(), columns_.size()));
  for (Cell& cell : cells) cell.shown = printable(cell.shown);
  rows_.push_back(std::move(cells));
}

std::string Table::text(const Screen& screen) const {
  if (rows_.empty()) return "";
  const Layout layout = fitted(columns_, rows_, screen.width);
  std::vector<std::vector<Cell>> rows = rows_;
  for (const Laid& one : layout.columns) {
    std::vector<std::string> texts;
    for (const auto& row : rows) texts.push_back(row[one.column].shown);
    texts = cut_apart(texts, one.width);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][one.column].shown = std::move(texts[i]);
  }
  std::string text;
  std::vector<Cell> heads;
  for (const Column& column : columns_) heads.emplace_back(Value(column.head), column.head, Tone::heading);
  if (std::ranges::any_of(columns_, [](const Column& column) { return !column.head.empty(); }))
    text += line_of(heads, layout, screen);
  for (const auto& row : rows) text += line_of(row, layout, screen);
  if (!layout.left_out.empty()) text += fmt::format("Not shown in {} columns: {}\n", screen.width, layout.left_out);
  return text;
}

std::string Table::csv() const {
  std::vector<std::string> fields;
  for (const Column& column : columns_) fields.push_back(key_of(column));
  std::string text = csv_line(fields);
  for (const auto& row : rows_) {
    fields.clear();
    for (const Cell& cell : row) fields.push_back(data_text(cell.value));
    text += csv_line(fields);
  }
  return text;
}

std::string Table::json() const {
  Json list = Json::array();
  for (const auto& row : rows_) {
    Json one = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) one[key_of(columns_[i])] = data_json(row[i].value);
    list.push_back(std::move(one));
  }
  return json_text(list);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i == 0 ? "" : ",") + csv_field(fields[i]);
  return line + "\r\n";
}

std::string data_of(const Table& table, Form form) {
  return form == Form::csv ? table.csv() : table.json();
}

}  // namespace warpwright
