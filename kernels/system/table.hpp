// Tables with rows of plain values, as aligned text that fits a width, as CSV, or as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/system/screen.hpp"

namespace warpwright {

// The role of a text, which decides its colour.
enum class Tone { plain, heading, good, notice, bad, faint };

// The text in its colour, or unchanged if the screen has no colours.
std::string painted(std::string_view text, Tone, const Screen&);

// The number of columns of a UTF-8 text on a terminal; and the text cut to that many, with "..." at its end.
std::size_t width_of(std::string_view text);
std::string cut(std::string_view text, std::size_t width);

class Table {
 public:
  // Nothing, or a value for CSV and JSON; numbers stay numbers.
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

  // A value, and its text for people: {} is "-", {"name"}, {12}, {120.3, "120 us"}. Control characters are escaped in
  // printed text.
  struct Cell {
    Cell() = default;
    Cell(const char* text) : Cell(std::string(text)) {}  // NOLINT(google-explicit-constructor): cells are written so
    Cell(std::string text) : value(text), shown(std::move(text)) {}  // NOLINT(google-explicit-constructor)
    Cell(int number) : Cell(static_cast<std::int64_t>(number)) {}    // NOLINT(google-explicit-constructor)
    Cell(std::int64_t number);                                       // NOLINT(google-explicit-constructor)
    Cell(Value of, std::string text, Tone in = Tone::plain) : value(std::move(of)), shown(std::move(text)), tone(in) {}

    // Without a value for an empty text.
    static Cell unless_empty(std::string_view text);
    // The number of a line in a file; without a value for 0, which is none.
    static Cell of_line(int line);

    bool is_number() const {
      return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
    }

    Value value{};
    std::string shown = "-";
    Tone tone = Tone::plain;
  };

  static constexpr std::size_t whole = static_cast<std::size_t>(-1);

  struct Column {
    std::string head;       // "OF CEILING"
    std::string key = {};   // for CSV and JSON; by default the head in small letters: "of_ceiling"
    std::size_t least = 8;  // if the table is too wide, the column may be cut to this width; never: not at all
    // If the table is too wide: leave the column out if no row has a value in it, or if cutting is not enough (the last
    // such column first; the table says so).
    bool can_go = false;
    bool only_as_data = false;  // only in CSV and JSON
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // There must be as many cells as columns.
  void add(std::vector<Cell> cells);
  bool empty() const { return rows_.empty(); }

  // A line of headings and one line per row. Numbers are right-aligned, no line has trailing blanks, and each ends with
  // a newline. Empty if there are no rows. Without a line of headings if all heads are empty.
  std::string text(const Screen&) const;
  // With a line of headings, as in RFC 4180.
  std::string csv() const;
  // An array of objects. A missing value is null.
  std::string json() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// How a table is printed.
enum class Form { text, csv, json };

// The table as CSV or JSON.
std::string data_of(const Table&, Form);

// A field in CSV; and a line of fields, with its newline.
std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace warpwright
