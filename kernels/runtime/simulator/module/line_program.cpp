// Decodes the DWARF 5 line table of a shared object.
#include "kernels/runtime/simulator/module/line_program.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "kernels/runtime/cubin/byte_cursor.hpp"

namespace warpwright::simulator {
namespace {

enum Form : std::uint64_t {
  form_block = 0x09,
  form_data1 = 0x0b,
  form_data2 = 0x05,
  form_data4 = 0x06,
  form_data8 = 0x07,
  form_data16 = 0x1e,
  form_string = 0x08,
  form_strp = 0x0e,
  form_udata = 0x0f,
  form_line_strp = 0x1f,
};
enum Content : std::uint64_t { content_path = 1, content_directory = 2 };
enum StandardOpcode : std::uint8_t {
  opcode_copy = 1,
  opcode_advance_pc,
  opcode_advance_line,
  opcode_set_file,
  opcode_set_column,
  opcode_negate_statement,
  opcode_basic_block,
  opcode_const_add_pc,
  opcode_fixed_advance_pc,
};
enum ExtendedOpcode : std::uint8_t { extended_end_sequence = 1, extended_set_address = 2 };

struct PathEntry {
  std::string path;
  std::uint64_t directory = 0;
};

std::string string_at(std::span<const std::byte> section, std::size_t offset) {
  ByteCursor cursor(section);
  cursor.move_to(offset);
  return std::string(cursor.take_string());
}

class Unit {
 public:
  Unit(const LineSections& sections, ByteCursor& cursor, LineTable& table)
      : sections_(sections), cursor_(cursor), table_(table) {}

  void decode() {
    const auto length = cursor_.take<std::uint32_t>();
    const std::size_t end = cursor_.position() + length;
    if (cursor_.take<std::uint16_t>() == 5) {
      read_header();
      while (cursor_.position() < end) step();
    }
    cursor_.move_to(end);
  }

 private:
  struct Registers {
    std::uint64_t address = 0, file = 1;
    std::int64_t line = 1, column = 0;
  };

  void read_header() {
    cursor_.skip(2);
    const auto header_length = cursor_.take<std::uint32_t>();
    const std::size_t program = cursor_.position() + header_length;
    minimum_length_ = cursor_.take<std::uint8_t>();
    cursor_.skip(2);
    line_base_ = cursor_.take<std::int8_t>();
    line_range_ = cursor_.take<std::uint8_t>();
    opcode_base_ = cursor_.take<std::uint8_t>();
    operand_counts_.assign(opcode_base_, 0);
    for (int i = 1; i < opcode_base_; ++i) operand_counts_[i] = cursor_.take<std::uint8_t>();
    const auto directories = read_paths();
    first_file_ = table_.files.size();
    for (const PathEntry& file : read_paths()) {
      std::filesystem::path path = file.path;
      if (file.directory != 0 && file.directory < directories.size()) path = directories[file.directory].path / path;
      table_.files.push_back(path.lexically_normal().string());
    }
    file_count_ = table_.files.size() - first_file_;
    if (line_range_ == 0) throw std::out_of_range("a line table without a line range");
    cursor_.move_to(program);
  }

  std::vector<PathEntry> read_paths() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> formats(cursor_.take<std::uint8_t>());
    for (auto& [content, form] : formats) {
      content = cursor_.take_uleb();
      form = cursor_.take_uleb();
    }
    std::vector<PathEntry> entries;
    for (auto count = cursor_.take_uleb(); count > 0; --count) {
      PathEntry entry;
      for (const auto& [content, form] : formats) read_attribute(content, form, entry);
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  void read_attribute(std::uint64_t content, std::uint64_t form, PathEntry& entry) {
    std::string text;
    std::uint64_t number = 0;
    switch (form) {
      case form_string:
        text = cursor_.take_string();
        break;
      case form_line_strp:
        text = string_at(sections_.line_strings, cursor_.take<std::uint32_t>());
        break;
      case form_strp:
        text = string_at(sections_.strings, cursor_.take<std::uint32_t>());
        break;
      case form_udata:
        number = cursor_.take_uleb();
        break;
      case form_data1:
        number = cursor_.take<std::uint8_t>();
        break;
      case form_data2:
        number = cursor_.take<std::uint16_t>();
        break;
      case form_data4:
        number = cursor_.take<std::uint32_t>();
        break;
      case form_data8:
        number = cursor_.take<std::uint64_t>();
        break;
      case form_data16:
        cursor_.skip(16);
        break;
      case form_block:
        cursor_.skip(cursor_.take_uleb());
        break;
      default:
        throw std::out_of_range("a line table with an unknown form");
    }
    if (content == content_path) entry.path = text;
    if (content == content_directory) entry.directory = number;
  }

  void step() {
    const auto opcode = cursor_.take<std::uint8_t>();
    if (opcode >= opcode_base_) {
      const int adjusted = opcode - opcode_base_;
      at_.address += static_cast<std::uint64_t>(adjusted / line_range_) * minimum_length_;
      at_.line += line_base_ + adjusted % line_range_;
      add_row();
    } else if (opcode == 0) {
      extended();
    } else {
      standard(opcode);
    }
  }

  void extended() {
    const auto length = cursor_.take_uleb();
    const std::size_t end = cursor_.position() + length;
    const auto opcode = cursor_.take<std::uint8_t>();
    if (opcode == extended_set_address) at_.address = cursor_.take<std::uint64_t>();
    if (opcode == extended_end_sequence) {
      at_.line = 0;
      add_row();
      at_ = {};
    }
    cursor_.move_to(end);
  }

  void standard(std::uint8_t opcode) {
    switch (opcode) {
      case opcode_copy:
        add_row();
        break;
      case opcode_advance_pc:
        at_.address += cursor_.take_uleb() * minimum_length_;
        break;
      case opcode_advance_line:
        at_.line += cursor_.take_sleb();
        break;
      case opcode_set_file:
        at_.file = cursor_.take_uleb();
        break;
      case opcode_set_column:
        at_.column = static_cast<std::int64_t>(cursor_.take_uleb());
        break;
      case opcode_const_add_pc:
        at_.address += static_cast<std::uint64_t>((255 - opcode_base_) / line_range_) * minimum_length_;
        break;
      case opcode_fixed_advance_pc:
        at_.address += cursor_.take<std::uint16_t>();
        break;
      default:
        for (int i = 0; i < operand_counts_[opcode]; ++i) cursor_.take_uleb();
    }
  }

  void add_row() {
    const bool known = at_.file < file_count_;
    table_.rows.push_back({.address = at_.address,
                           .file = static_cast<std::uint32_t>(known ? first_file_ + at_.file : 0),
                           .line = known ? static_cast<int>(at_.line) : 0,
                           .column = static_cast<int>(at_.column)});
  }

  const LineSections& sections_;
  ByteCursor& cursor_;
  LineTable& table_;
  Registers at_;
  std::uint8_t minimum_length_ = 1, line_range_ = 1, opcode_base_ = 1;
  std::int8_t line_base_ = 0;
  std::vector<std::uint8_t> operand_counts_;
  std::size_t first_file_ = 0, file_count_ = 0;
};

}  // namespace

LineTable decode_line_table(const LineSections& sections) {
  LineTable table;
  ByteCursor cursor(sections.line);
  while (!cursor.at_end()) Unit(sections, cursor, table).decode();
  // One function's code may end where the next one's starts: the row of the start must come last.
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
    return a.address != b.address ? a.address < b.address : (a.line == 0 && b.line != 0);
  });
  return table;
}

}  // namespace warpwright::simulator
