// Decides whether the compiler made the same code from two sources of device code.
#include "kernels/runtime/simulator/module/compiler_equivalence.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/runtime/cubin/elf_file.hpp"
#include "kernels/runtime/simulator/module/debug_info.hpp"

namespace warpwright::simulator {
namespace {

/// Whether loading a module or looking up its symbols needs the section; all others are for debuggers.
bool is_of_program(std::string_view section) {
  return !section.starts_with(".debug") && !section.starts_with(".note") && section != source_section &&
         section != ".shstrtab" && section != ".comment";
}

/// The sections of the program, and the symbol table with the addresses of what it contains.
ElfSections program_in(std::span<const std::byte> file) {
  ElfSections sections = sections_of(file);
  std::erase_if(sections, [](const auto& section) { return !is_of_program(section.first); });
  return sections;
}

}  // namespace

bool is_same_code(const std::filesystem::path& one, const std::filesystem::path& other) {
  const auto bytes = bytes_of_file(one);
  const auto others = bytes_of_file(other);
  try {
    const ElfSections program = program_in(bytes);
    return !program.empty() &&
           std::ranges::equal(program, program_in(others), [](const auto& mine, const auto& theirs) {
             return mine.first == theirs.first && std::ranges::equal(mine.second, theirs.second);
           });
  } catch (const std::out_of_range&) {
    return false;
  }
}

}  // namespace warpwright::simulator
