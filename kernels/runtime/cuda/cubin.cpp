// Reading ptxas logs and ELF sections of cubins.
#include "kernels/runtime/cuda/cubin.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <stdexcept>

#include "kernels/model/hash.hpp"

namespace warpwright::gpu {
namespace {

/// The number that stands in `line` before `unit`, 0 where the unit does not occur.
int number_before(std::string_view line, std::string_view unit) {
  const std::size_t at = line.find(unit);
  if (at == std::string_view::npos) return 0;
  std::size_t begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int number = 0;
  std::from_chars(line.data() + begin, line.data() + at, number);
  return number;
}

template <class T>
T read_at(std::string_view image, std::size_t offset) {
  if (offset + sizeof(T) > image.size()) throw std::runtime_error("the cubin ends too early");
  T value;
  std::memcpy(&value, image.data() + offset, sizeof value);
  return value;
}

}  // namespace

std::map<std::string, PtxasEntry> parse_ptxas_log(std::string_view log) {
  std::map<std::string, PtxasEntry> found;
  PtxasEntry* current = nullptr;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(log.size(), line.size() + 1));
    constexpr std::string_view kEntry = "Compiling entry function '";
    if (const std::size_t at = line.find(kEntry); at != std::string_view::npos) {
      const std::string_view name = line.substr(at + kEntry.size());
      current = &found[std::string(name.substr(0, name.find('\'')))];
    }
    if (current == nullptr) continue;
    if (line.find("Compile time") == std::string_view::npos) current->text.append(line).append("\n");
    Resources& resources = current->resources;
    if (line.find("bytes stack frame") != std::string_view::npos) {
      resources.stack_bytes = number_before(line, " bytes stack frame");
      resources.spill_store_bytes = number_before(line, " bytes spill stores");
      resources.spill_load_bytes = number_before(line, " bytes spill loads");
    }
    if (line.find(" registers") != std::string_view::npos) {
      resources.registers = number_before(line, " registers");
      resources.barriers = number_before(line, " barriers");
      resources.static_shared = number_before(line, " bytes smem");
    }
  }
  return found;
}

std::string code_hash(std::string_view image, std::string_view symbol) {
  const auto header = read_at<Elf64_Ehdr>(image, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw std::runtime_error("not a cubin");
  const auto section = [&](std::size_t index) {
    return read_at<Elf64_Shdr>(image, header.e_shoff + index * header.e_shentsize);
  };
  const Elf64_Shdr names = section(header.e_shstrndx);
  const std::string text_name = fmt::format(".text.{}", symbol);
  std::string content;
  bool has_code = false;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr entry = section(i);
    const std::string_view name(image.data() + names.sh_offset + entry.sh_name);
    if (!name.ends_with(symbol) || name.size() <= symbol.size() || name[name.size() - symbol.size() - 1] != '.')
      continue;
    const bool is_code = name == text_name;
    has_code = has_code || is_code;
    if (is_code || name.starts_with(".nv.constant")) content += image.substr(entry.sh_offset, entry.sh_size);
    if (name.starts_with(".nv.shared.")) content += fmt::format("shared {}", entry.sh_size);
  }
  if (!has_code) throw std::runtime_error(fmt::format("the cubin does not hold {}", symbol));
  return hash_text(content);
}

}  // namespace warpwright::gpu
