// Tables: rows of plain values, shown as aligned text that fits a width, as CSV and as JSON.
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

// What a text says, for colours: a heading, what is right, what is to be noticed, what is wrong, what matters less.
enum class Tone { plain, heading, good, notice, bad, faint };

// The text in its colour; as it is where there are none.
std::string painted(std::string_view text, Tone, const Screen&);

// Columns that a text takes on a terminal (its UTF-8 characters), and the text cut to so many, "..." at its end.
std::size_t width_of(std::string_view text);
std::string cut(std::string_view text, std::size_t width);

class Table {
 public:
  // Nothing, or what CSV and JSON show: a number stays one.
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

  // A value and how people read it: {} is "-", {"name"}, {12}, {120.3, "120 us"}. A text is printed with its control
  // characters spelt.
  struct Cell {
    Cell() = default;
    Cell(const char* text) : Cell(std::string(text)) {}  // NOLINT(google-explicit-constructor): cells are written so
    Cell(std::string text) : value(text), shown(std::move(text)) {}  // NOLINT(google-explicit-constructor)
    Cell(int number) : Cell(static_cast<std::int64_t>(number)) {}    // NOLINT(google-explicit-constructor)
    Cell(std::int64_t number);                                       // NOLINT(google-explicit-constructor)
    Cell(Value of, std::string text, Tone in = Tone::plain) : value(std::move(of)), shown(std::move(text)), tone(in) {}

    bool is_number() const {
      return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
    }

    Value value{};
    std::string shown = "-";
    Tone tone = Tone::plain;
  };

  static constexpr std::size_t whole = static_cast<std::size_t>(-1);

  struct Column {
    std::string head;       // "OF LIMIT"
    std::string key = {};   // in CSV and JSON; without one the head in small letters: "of_limit"
    std::size_t least = 8;  // a column of texts may be cut to so many columns where the table is too wide, or never
    // Left out where the table is too wide: if no row has it, or cutting is not enough (the last one first; the table
    // says so).
    bool can_go = false;
    bool only_as_data = false;  // in CSV and JSON alone
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns.
  void add(std::vector<Cell> cells);
  bool empty() const { return rows_.empty(); }

  // A heading line and a line a row, numbers at the right; every line ends with a newline and has no trailing blanks.
  // Of a table without rows nothing. What has no heads (all empty) has no heading line.
  std::string text(const Screen&) const;
  // With a heading line, as RFC 4180 has it.
  std::string csv() const;
  // An array of objects; what has no value is null.
  std::string json() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// How a table is printed: for people, or as data.
enum class Form { text, csv, json };

// The table as data.
std::string data_of(const Table&, Form);

// A field as CSV has it, and a line of them with its end.
std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace warpwright
