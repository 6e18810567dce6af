// Building blocks of HTML: escaped text, numbers formatted for people, tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/core/text.hpp"
#include "reports/charts/escape.hpp"

namespace warpwright::reports {

// Four significant digits, no exponent up to 10^15: "63.62", "0.0213", "1937". Empty if not finite.
std::string number(double value);
// "1.2 %".
std::string percent(double fraction);
// Formats the database's "2026-11-21T06:01:28.123Z" as "2026-11-21 06:01 UTC"; other text is not changed.
std::string moment(const std::string& utc);
// Keeps only letters, digits and dashes, for ids and file names.
std::string slug(std::string_view text);

// One cell of a table.
struct Cell {
  std::string html{};
  bool numeric = false;
  std::string tone{};  // "bad", "warn" or "good": selects a colour

  Cell() = default;
  Cell(const std::string& text) : html(escape(text)) {}
  Cell(const char* text) : html(escape(text)) {}
  Cell(std::string_view text) : html(escape(text)) {}
  Cell(double value) : html(number(value)), numeric(true) {}
  Cell(std::int64_t value) : html(grouped(value)), numeric(true) {}
  Cell(int value) : Cell(static_cast<std::int64_t>(value)) {}
  template <class T>
  Cell(const std::optional<T>& value) : Cell(value ? Cell(*value) : Cell()) {}

  // A cell with `html`, not escaped.
  static Cell markup(std::string html);
  // Text aligned like a number.
  static Cell figure(const std::string& text);
  // In a fixed-width font.
  static Cell code(std::string_view text);
  Cell with_tone(const std::string& name) const;
};

// The tone of a verdict: "bad" if the kernel is at fault, "warn" if it could not be decided, "" if it passed.
std::string tone_of(std::string_view verdict);

// The finding, shortened, and without the command that reproduces it, which is shown beside it.
std::string finding_of(const std::string& detail);

// A table with a caption and a header; the first cell of a row is its header. Columns without anything are left out.
// Each cell has its column's name as data-head, for rows that are cards on small screens.
class Table {
 public:
  Table(std::string caption, std::vector<std::string> columns);

  void add(std::vector<Cell> row);
  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }
  // Empty for a table without rows.
  std::string html() const;

 private:
  std::string caption_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace warpwright::reports
