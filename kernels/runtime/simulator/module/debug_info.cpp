// Names and source lines of a shared object: its symbol table and its DWARF 5 line table.
#include "kernels/runtime/simulator/module/debug_info.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "kernels/runtime/cubin/byte_cursor.hpp"
#include "kernels/runtime/cubin/elf_file.hpp"
#include "kernels/runtime/simulator/module/line_program.hpp"
#include "kernels/runtime/simulator/module/source_text.hpp"

namespace warpwright::simulator {
namespace {

/// Whether a symbol belongs to the generated part of a module or to the CPU model, not to device code.
bool is_our_own(std::string_view name) {
  return name.starts_with("_ZGV") || name.starts_with("_ZZ17warpwright_module") || name == "__dso_handle" ||
         name.starts_with("_ZN10warpwright9simulator");
}

}  // namespace

DebugInfo::DebugInfo(const std::filesystem::path& file) : bytes_(bytes_of_file(file)) {
  try {
    const auto sections = sections_of(bytes_);
    for (const auto& [entry, name] : symbols_of(sections)) {
      const Symbol symbol{entry.st_value, entry.st_size, std::string(name)};
      const auto type = ELF64_ST_TYPE(entry.st_info);
      if (type == STT_TLS && entry.st_shndx != SHN_UNDEF) shared_.push_back(symbol);
      if ((type != STT_OBJECT && type != STT_FUNC) || symbol.bytes == 0 || is_our_own(name)) continue;
      (type == STT_OBJECT ? variables_ : functions_).push_back(symbol);
    }
    read_texts(section_of(sections, source_section));
  } catch (const std::out_of_range&) {
    variables_.clear();
  }
  std::ranges::sort(variables_, {}, &Symbol::address);
  std::ranges::sort(functions_, {}, &Symbol::address);
  std::ranges::sort(shared_, {}, &Symbol::address);
}

void DebugInfo::read_texts(std::span<const std::byte> section) {
  ByteCursor cursor(section);
  while (!cursor.at_end()) {
    const std::string_view name = cursor.take_string();
    const auto [text, is_new] = texts_.emplace(name, cursor.take_string());
    if (text->second.find("\n#line 1 \"") != std::string_view::npos) marked_texts_.merge(marked_files(text->second));
  }
}

std::string_view DebugInfo::text_of(std::string_view file) const {
  // A text made of several users' files may have the name of one of them.
  if (const auto marked = marked_texts_.find(std::string(file)); marked != marked_texts_.end()) return marked->second;
  const auto found = texts_.find(file);
  return found == texts_.end() ? std::string_view() : found->second;
}

const DebugInfo::Symbol* DebugInfo::shared_at(std::uint64_t offset) const {
  const auto found = std::ranges::lower_bound(shared_, offset, {}, &Symbol::address);
  return found == shared_.end() || found->address != offset ? nullptr : &*found;
}

void DebugInfo::read_lines() const {
  has_lines_ = true;
  try {
    const auto sections = sections_of(bytes_);
    LineTable table = decode_line_table({section_of(sections, ".debug_line"), section_of(sections, ".debug_line_str"),
                                         section_of(sections, ".debug_str")});
    rows_ = std::move(table.rows);
    files_ = std::move(table.files);
  } catch (const std::out_of_range&) {
    rows_.clear();
  }
}

std::string DebugInfo::function_at(std::uint64_t address) const {
  const auto found = std::ranges::lower_bound(functions_, address, {}, &Symbol::address);
  return found == functions_.end() || found->address != address ? "" : found->name;
}

const DebugInfo::Symbol* DebugInfo::last_variable_before(std::uint64_t address) const {
  const auto after = std::upper_bound(variables_.begin(), variables_.end(), address,
                                      [](std::uint64_t value, const Symbol& symbol) { return value < symbol.address; });
  return after == variables_.begin() ? nullptr : &*std::prev(after);
}

const DebugInfo::Row* DebugInfo::row_at(std::uint64_t address) const {
  if (!has_lines_) read_lines();
  const auto after = std::upper_bound(rows_.begin(), rows_.end(), address,
                                      [](std::uint64_t value, const Row& row) { return value < row.address; });
  if (after == rows_.begin() || std::prev(after)->line == 0) return nullptr;
  return &*std::prev(after);
}

std::string demangle(const std::string& name) {
  // The name of a variable at global scope is not mangled, but may look like a mangled type: "x" is long long.
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : name;
}

}  // namespace warpwright::simulator
