// Formats tables.
#include "kernels/system/table.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  const std::string_view end = dots.substr(0, width);
  std::size_t left = width - end.size();
  std::size_t at = 0;
  while (at < text.size() && (left > 0 || !begins_character(text[at])))
    if (begins_character(text[at++])) --left;
  std::string shown(text.substr(0, at));
  shown.erase(shown.find_last_not_of(" ,") + 1);
  return shown + std::string(end);
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
  std::vector<Laid> laid;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].only_as_data) continue;
    Laid one{.column = i, .width = width_of(columns_[i].head)};
    bool has_number = false;
    bool has_text = false;
    for (const auto& row : rows_) {
      one.width = std::max(one.width, width_of(row[i].shown));
      has_number |= row[i].is_number();
      has_text |= !row[i].is_number() && !std::holds_alternative<std::monostate>(row[i].value);
    }
    one.right = has_number && !has_text;
    one.least = one.right ? one.width : std::min(one.width, std::max(columns_[i].least, width_of(columns_[i].head)));
    laid.push_back(one);
  }
  std::size_t gap = 2;
  std::string gone;
  if (screen.width > 0 && width_with(laid, gap) > screen.width) {
    // Columns without a value in any row are left out first.
    std::erase_if(laid, [&](const Laid& one) {
      const auto is_nothing = [&](const auto& row) {
        return std::holds_alternative<std::monostate>(row[one.column].value);
      };
      return columns_[one.column].can_go && std::ranges::all_of(rows_, is_nothing);
    });
  }
  if (screen.width > 0 && width_with(laid, gap) > screen.width) {
    gap = 1;
    const auto least = [&] {
      std::vector<Laid> most = laid;
      for (Laid& one : most) one.width = one.least;
      return width_with(most, gap);
    };
    for (std::size_t i = columns_.size(); i-- > 0 && least() > screen.width;) {
      if (!columns_[i].can_go) continue;
      if (std::erase_if(laid, [&](const Laid& one) { return one.column == i; }) == 0) continue;
      gone = columns_[i].head + (gone.empty() ? "" : ", ") + gone;
    }
    cut_to(laid, gap, screen.width);
  }
  const auto line = [&](const auto& cell_of) {
    std::string text;
    std::string blanks;
    for (const Laid& one : laid) {
      const Cell& cell = cell_of(one.column);
      const std::string shown = cut(cell.shown, one.width);
      const std::string pad(one.width - width_of(shown), ' ');
      if (one.right) blanks += pad;
      // Blanks are written only if text follows them.
      if (!shown.empty()) {
        text += blanks + painted(shown, cell.tone, screen);
        blanks.clear();
      }
      if (!one.right) blanks += pad;
      blanks += std::string(gap, ' ');
    }
    return text + "\n";
  };
  std::string text;
  std::vector<Cell> heads;
  for (const Column& column : columns_) heads.emplace_back(Value(column.head), column.head, Tone::heading);
  if (std::ranges::any_of(columns_, [](const Column& column) { return !column.head.empty(); }))
    text += line([&](std::size_t i) -> const Cell& { return heads[i]; });
  for (const auto& row : rows_) text += line([&](std::size_t i) -> const Cell& { return row[i]; });
  if (!gone.empty()) text += fmt::format("Not shown in {} columns: {}\n", screen.width, gone);
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
