// The sections and symbols of an ELF64 file.
#include "kernels/runtime/cubin/elf_file.hpp"

#include <fstream>
#include <stdexcept>

#include "kernels/runtime/cubin/byte_cursor.hpp"

namespace warpwright::simulator {
namespace {

std::span<const std::byte> part_of(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) throw std::out_of_range("a section outside its file");
  return bytes.subspan(offset, size);
}

}  // namespace

std::vector<std::byte> bytes_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<std::byte> bytes;
  in.seekg(0, std::ios::end);
  if (!in) return bytes;
  bytes.resize(static_cast<std::size_t>(in.tellg()));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return in ? bytes : std::vector<std::byte>();
}

ElfSections sections_of(std::span<const std::byte> file) {
  ElfSections sections;
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

std::span<const std::byte> section_of(const ElfSections& sections, std::string_view name) {
  const auto found = sections.find(name);
  return found == sections.end() ? std::span<const std::byte>() : found->second;
}

std::vector<ElfSymbol> symbols_of(const ElfSections& sections) {
  std::vector<ElfSymbol> all;
  ByteCursor symbols(section_of(sections, ".symtab"));
  ByteCursor strings(section_of(sections, ".strtab"));
  while (!symbols.at_end()) {
    const auto symbol = symbols.take<Elf64_Sym>();
    strings.move_to(symbol.st_name);
    all.push_back({symbol, strings.take_string()});
  }
  return all;
}

}  // namespace warpwright::simulator
