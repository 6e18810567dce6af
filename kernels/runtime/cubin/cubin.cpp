// Reads ptxas logs and ELF sections of cubins.
#include "kernels/runtime/cubin/cubin.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "kernels/core/hash.hpp"

namespace warpwright::gpu {
namespace {

/// The number in `line` before `unit`; 0 if the unit does not occur.
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

struct Section {
  std::string_view name;
  Elf64_Shdr header;
};

std::vector<Section> sections_of(std::string_view image) {
  const auto header = read_at<Elf64_Ehdr>(image, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw std::runtime_error("not a cubin");
  std::vector<Section> sections(header.e_shnum);
  for (std::size_t i = 0; i < sections.size(); ++i)
    sections[i].header = read_at<Elf64_Shdr>(image, header.e_shoff + i * header.e_shentsize);
  const std::size_t names = sections.at(header.e_shstrndx).header.sh_offset;
  for (Section& section : sections) section.name = image.data() + names + section.header.sh_name;
  return sections;
}

/// One record of a .nv.info section.
struct InfoRecord {
  std::uint8_t format, attribute;
  std::uint16_t bytes;  ///< of what follows, for records with a value of any size
};
constexpr std::uint8_t kSizedFormat = 4;
constexpr std::uint8_t kMaxThreads = 0x05, kParameterInfo = 0x17;

/// The value of a record of one parameter; its size is in the upper 14 bits of `flags`.
struct ParameterInfo {
  std::uint32_t index;
  std::uint16_t ordinal, offset;
  std::uint32_t flags;
};

/// Where the values of the kernel's records of that kind are.
std::vector<std::size_t> records_of(std::string_view image, std::string_view symbol, std::uint8_t attribute) {
  const std::string wanted = fmt::format(".nv.info.{}", symbol);
  std::vector<std::size_t> found;
  for (const auto& [name, section] : sections_of(image)) {
    if (name != wanted) continue;
    const std::size_t end = section.sh_offset + section.sh_size;
    for (std::size_t at = section.sh_offset; at < end;) {
      const auto record = read_at<InfoRecord>(image, at);
      at += sizeof record;
      if (record.format != kSizedFormat) continue;
      if (record.attribute == attribute) found.push_back(at);
      at += record.bytes;
    }
  }
  return found;
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
  const std::string text_name = fmt::format(".text.{}", symbol);
  std::string content;
  bool has_code = false;
  for (const auto& [name, entry] : sections_of(image)) {
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

std::string_view code_of(std::string_view image, std::string_view symbol) {
  const std::string wanted = fmt::format(".text.{}", symbol);
  for (const auto& [name, section] : sections_of(image))
    if (name == wanted && section.sh_offset + section.sh_size <= image.size())
      return image.substr(section.sh_offset, section.sh_size);
  throw std::runtime_error(fmt::format("the cubin does not hold {}", symbol));
}

std::vector<std::size_t> parameter_bytes(std::string_view image, std::string_view symbol) {
  std::map<std::uint16_t, std::size_t> sizes;
  for (const std::size_t at : records_of(image, symbol, kParameterInfo)) {
    const auto parameter = read_at<ParameterInfo>(image, at);
    sizes[parameter.ordinal] = parameter.flags >> 18;
  }
  std::vector<std::size_t> bytes;
  for (const auto& [ordinal, size] : sizes) bytes.push_back(size);
  return bytes;
}

int most_threads(std::string_view image, std::string_view symbol) {
  for (const std::size_t at : records_of(image, symbol, kMaxThreads)) {
    const auto extents = read_at<std::array<std::uint32_t, 3>>(image, at);
    return static_cast<int>(extents[0] * extents[1] * extents[2]);
  }
  return 0;
}

}  // namespace warpwright::gpu
