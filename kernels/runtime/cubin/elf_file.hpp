// The sections and symbols of an ELF64 file.
#pragma once

#include <elf.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::simulator {

/// The bytes of the file; empty if it cannot be read.
std::vector<std::byte> bytes_of_file(const std::filesystem::path& path);

/// Sections by name, as parts of the file's bytes; without sections that occupy no bytes of the file.
using ElfSections = std::map<std::string, std::span<const std::byte>, std::less<>>;

/// Throws std::out_of_range if the file is damaged; empty if it is no ELF file.
ElfSections sections_of(std::span<const std::byte> file);
/// The section of that name; empty if there is none.
std::span<const std::byte> section_of(const ElfSections& sections, std::string_view name);

struct ElfSymbol {
  Elf64_Sym entry;
  std::string_view name;  ///< as the linker knows it; part of the file's bytes
  unsigned type() const { return ELF64_ST_TYPE(entry.st_info); }
};

/// All symbols of the file. Throws std::out_of_range if it is damaged.
std::vector<ElfSymbol> symbols_of(const ElfSections& sections);

}  // namespace warpwright::simulator
