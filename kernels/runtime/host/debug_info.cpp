// Names and source lines of a shared object: its symbol table and its DWARF 5 line table.
#include "kernels/runtime/host/debug_info.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "kernels/runtime/host/byte_cursor.hpp"
#include "kernels/runtime/host/line_program.hpp"

namespace warpwright::host {
namespace {

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<std::byte> bytes;
  in.seekg(0, std::ios::end);
  if (!in) return bytes;
  bytes.resize(static_cast<std::size_t>(in.tellg()));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return in ? bytes : std::vector<std::byte>();
}

std::span<const std::byte> part_of(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) throw std::out_of_range("a section outside its file");
  return bytes.subspan(offset, size);
}

using Sections = std::map<std::string, std::span<const std::byte>, std::less<>>;

Sections sections_of(std::span<const std::byte> file) {
  Sections sections;
  ByteCursor cursor(file);
  const auto header = cursor.take<Elf64_Ehdr>();
  if (std::string_view(reinterpret_cast<const char*>(header.e_ident), SELFMAG) != ELFMAG) return sections;
  std::vector<Elf64_Shdr> headers(header.e_shnum);
  cursor.move_to(header.e_shoff);
  for (auto& section : headers) section = cursor.take<Elf64_Shdr>();
  if (header.e_shstrndx >= headers.size()) return sections;
  const Elf64_Shdr& names = headers[header.e_shstrndx];
  for (const auto& section : headers) {
    if (section.sh_type == SHT_NOBITS || (section.sh_flags & SHF_COMPRESSED) != 0) continue;
    ByteCursor name(part_of(file, names.sh_offset, names.sh_size));
    name.move_to(section.sh_name);
    sections.emplace(name.take_string(), part_of(file, section.sh_offset, section.sh_size));
  }
  return sections;
}

std::span<const std::byte> section_of(const Sections& sections, std::string_view name) {
  const auto found = sections.find(name);
  return found == sections.end() ? std::span<const std::byte>() : found->second;
}

/// Whether a symbol belongs to the generated part of a module, or to warpwright::host, and not to device code.
bool is_our_own(std::string_view name) {
  return name.starts_with("_ZGV") || name.starts_with("_ZZ17warpwright_module") ||
         name.starts_with("_ZN10warpwright4host");
}

}  // namespace

DebugInfo::DebugInfo(const std::filesystem::path& file) : bytes_(read_file(file)) {
  try {
    const auto sections = sections_of(bytes_);
    ByteCursor symbols(section_of(sections, ".symtab"));
    ByteCursor strings(section_of(sections, ".strtab"));
    while (!symbols.at_end()) {
      const auto symbol = symbols.take<Elf64_Sym>();
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      if ((type != STT_OBJECT && type != STT_FUNC) || symbol.st_size == 0) continue;
      strings.move_to(symbol.st_name);
      const auto name = strings.take_string();
      if (is_our_own(name)) continue;
      (type == STT_OBJECT ? variables_ : functions_).push_back({symbol.st_value, symbol.st_size, std::string(name)});
    }
  } catch (const std::out_of_range&) {
    variables_.clear();
  }
  std::ranges::sort(variables_, {}, &Symbol::address);
  std::ranges::sort(functions_, {}, &Symbol::address);
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
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : name;
}

}  // namespace warpwright::host
