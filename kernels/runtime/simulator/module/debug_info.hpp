// Names and source lines of a shared object: its symbol table and its DWARF 5 line table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::simulator {

/// The section of a module that holds its sources: for each file its name and its text, both ended by a zero byte.
inline constexpr std::string_view source_section = ".warpwright.sources";

/// Read from an ELF64 file: names at once, lines at their first use. Addresses are those of the file, before it is
/// loaded. Information that a damaged or stripped file lacks is empty.
class DebugInfo {
 public:
  struct Symbol {
    std::uint64_t address = 0, bytes = 0;
    std::string name;  ///< as the linker knows it
  };
  struct Row {
    std::uint64_t address = 0;
    std::uint32_t file = 0;    ///< index into files
    int line = 0, column = 0;  ///< line 0: the instructions from here on belong to no line
  };

  explicit DebugInfo(const std::filesystem::path& file);

  /// All static variables of device code, by address.
  const std::vector<Symbol>& variables() const { return variables_; }
  /// The last variable that starts at or before the address; null if there is none.
  const Symbol* last_variable_before(std::uint64_t address) const;
  /// The thread-local variable (a __shared__ variable is one here) at that offset in its module; null if there is none.
  const Symbol* shared_at(std::uint64_t offset) const;
  /// All of them, by offset.
  const std::vector<Symbol>& shared() const { return shared_; }
  /// The function that starts at the address, as the linker knows it; empty if none does.
  std::string function_at(std::uint64_t address) const;
  /// The row that covers the address; null if there is none.
  const Row* row_at(std::uint64_t address) const;
  /// Path of a row's file, relative to where the compiler ran.
  const std::string& file_name(const Row& row) const { return files_[row.file]; }

  /// The texts of all files of device code, by name.
  const std::map<std::string_view, std::string_view>& texts() const { return texts_; }
  /// The text of a file of device code; empty for an unknown one.
  std::string_view text_of(std::string_view file) const;

 private:
  void read_lines() const;
  void read_texts(std::span<const std::byte> section);

  std::vector<std::byte> bytes_;
  std::vector<Symbol> variables_;
  std::vector<Symbol> functions_;
  std::vector<Symbol> shared_;
  std::map<std::string_view, std::string_view> texts_;  ///< parts of bytes_, by name
  std::map<std::string, std::string> marked_texts_;     ///< for files that are parts of one of these texts
  mutable bool has_lines_ = false;
  mutable std::vector<Row> rows_;
  mutable std::vector<std::string> files_;
};

/// A mangled name in C++ spelling; unchanged if it is none.
std::string demangle(const std::string& name);

}  // namespace warpwright::simulator
