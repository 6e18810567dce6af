// A compiled module of device code, loaded into this process.
#include "kernels/runtime/simulator/module/module.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "kernels/runtime/simulator/module/debug_info.hpp"
#include "kernels/runtime/simulator/module/source_text.hpp"

namespace warpwright::simulator {

std::string plain_name(const std::string& symbol) {
  const std::string name = demangle(symbol);
  std::size_t begin = 0;
  int depth = 0;  // of template arguments and parameters
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    depth += name[i] == '<' || name[i] == '(' ? 1 : name[i] == '>' || name[i] == ')' ? -1 : 0;
    if (depth == 0 && name.compare(i, 2, "::") == 0) begin = i + 2;
  }
  return name.substr(begin);
}

namespace {

/// Whether a thread-local variable says that others are constructed.
bool is_guard(const DebugInfo::Symbol& variable) {
  return variable.name.starts_with("_ZGV") || variable.name == "__tls_guard";
}

}  // namespace

struct Module::Loaded {
  ~Loaded() {
    if (handle != nullptr) dlclose(handle);
    if (file >= 0) close(file);
  }

  const DebugInfo& debug_info() {
    if (!info) info.emplace(fmt::format("/proc/self/fd/{}", file));
    return *info;
  }
  std::uint64_t offset_of(const void* address) const { return reinterpret_cast<std::uint64_t>(address) - base; }

  /// The segment that contains the address; it extends to the end of its last page.
  const Elf64_Phdr* segment_of(const void* address) const {
    constexpr std::uint64_t page = 4096;
    for (const auto& segment : segments) {
      const std::uint64_t bytes = (segment.p_memsz + segment.p_vaddr % page + page - 1) / page * page;
      if (segment.p_type == PT_LOAD && offset_of(address) - segment.p_vaddr / page * page < bytes) return &segment;
    }
    return nullptr;
  }

  void* handle = nullptr;
  int file = -1;  ///< stays open, since the path may be gone when names and lines are needed
  std::uint64_t base = 0;
  std::vector<Elf64_Phdr> segments;
  std::unordered_map<std::string_view, const ModuleEntry*> entries;
  std::unordered_map<const ModuleEntry*, Signature> signatures;
  std::optional<DebugInfo> info;
  std::vector<ComparisonKind> comparisons;
  std::optional<ModuleMemory> memory;
  std::vector<std::byte> guards;  ///< as long as all thread-local variables; empty until it is needed
  static constexpr std::size_t jump_bytes = 5;
  bool contracts = false;
  std::vector<std::array<std::byte, jump_bytes>> own_code;  ///< of the instructions that are replaced
};

Module::Module(const std::filesystem::path& path) : loaded_(std::make_unique<Loaded>()) {
  loaded_->file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  loaded_->handle = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded_->handle == nullptr) throw ModuleError(fmt::format("dlopen({}): {}", path.string(), dlerror()));
  void* const symbol = dlsym(loaded_->handle, "warpwright_module");
  if (symbol == nullptr) throw ModuleError(fmt::format("{} is no module of device code", path.string()));
  table_ = reinterpret_cast<const ModuleTable* (*)()>(symbol)();
  if (table_->version != interface_version) {
    throw ModuleError(fmt::format("{} was built for version {} of the device headers, not {}: delete it", path.string(),
                                  table_->version, interface_version));
  }
  link_map* map = nullptr;
  dlinfo(loaded_->handle, RTLD_DI_LINKMAP, &map);
  loaded_->base = map->l_addr;
  Dl_info place;
  dladdr(symbol, &place);
  const auto* const header = static_cast<const Elf64_Ehdr*>(place.dli_fbase);
  const auto* const segments =
      reinterpret_cast<const Elf64_Phdr*>(static_cast<const std::byte*>(place.dli_fbase) + header->e_phoff);
  loaded_->segments.assign(segments, segments + header->e_phnum);
  for (unsigned i = 0; i < table_->entry_count; ++i) {
    loaded_->entries.emplace(table_->entries[i].name, &table_->entries[i]);
  }
}

Module::~Module() = default;
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;

const ModuleEntry* Module::entry(std::string_view name) const {
  const auto found = loaded_->entries.find(name);
  return found == loaded_->entries.end() ? nullptr : found->second;
}

const Signature* Module::signature(const std::string& name) const {
  const ModuleEntry* const asked = entry(name);
  if (asked == nullptr) return nullptr;
  const auto [found, is_new] = loaded_->signatures.try_emplace(asked);
  if (is_new) {
    const auto address = loaded_->offset_of(reinterpret_cast<const void*>(asked->kernel));
    found->second.types = parameters_of(loaded_->debug_info().function_at(address));
    found->second.bytes.emplace(asked->argument_sizes, asked->argument_sizes + asked->argument_count);
  }
  return &found->second;
}

const ModuleConstant* Module::constant(std::string_view name) const {
  for (unsigned i = 0; i < table_->constant_count; ++i) {
    if (table_->constants[i].name == name) return &table_->constants[i];
  }
  return nullptr;
}

std::vector<std::string> Module::entry_names() const {
  std::vector<std::string> names;
  for (unsigned i = 0; i < table_->entry_count; ++i) names.emplace_back(table_->entries[i].name);
  return names;
}

Module::SourceLine Module::line_of(const void* return_address) const {
  // The call is the instruction before the return address.
  const DebugInfo& info = loaded_->debug_info();
  const DebugInfo::Row* const row = info.row_at(loaded_->offset_of(return_address) - 1);
  return row == nullptr ? SourceLine{} : SourceLine{info.file_name(*row), row->line, row->column};
}

Module::Variable Module::nearest_variable(const void* address) const {
  const DebugInfo::Symbol* const symbol = loaded_->debug_info().last_variable_before(loaded_->offset_of(address));
  if (symbol == nullptr) return {};
  return {.symbol = &symbol->name,
          .begin = reinterpret_cast<const void*>(loaded_->base + symbol->address),
          .bytes = symbol->bytes};
}

Module::SharedVariable Module::shared_variable(std::uint64_t offset) const {
  const DebugInfo::Symbol* const symbol = loaded_->debug_info().shared_at(offset);
  if (symbol == nullptr) throw ModuleError(fmt::format("no __shared__ variable at offset {} of the module", offset));
  using Kind = SharedVariable::Kind;
  return {.kind = offset == 0 || is_guard(*symbol) ? Kind::guard
                  : symbol->bytes == 0             ? Kind::dynamic
                                                   : Kind::declared,
          .bytes = symbol->bytes,
          .symbol = &symbol->name};
}

void* Module::guard(std::uint64_t offset) const {
  if (loaded_->guards.empty()) {
    const auto& all = loaded_->debug_info().shared();
    loaded_->guards.resize(all.back().address + std::max<std::uint64_t>(all.back().bytes, 1));
    for (const DebugInfo::Symbol& one : all)
      if (is_guard(one)) loaded_->guards[one.address] = std::byte{1};
  }
  return &loaded_->guards.at(offset);
}

bool Module::is_in_a_guard(const void* address) const {
  return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(loaded_->guards.data()) <
         loaded_->guards.size();
}

std::string Module::indexed_name(const std::string& file, int line, int column) const {
  return simulator::indexed_name(loaded_->debug_info().text_of(file), line, column);
}

std::vector<KernelParameter> Module::declared_parameters(std::string_view entry, std::size_t count) const {
  std::string_view name = entry.substr(0, entry.find('<'));
  if (const auto scope = name.rfind("::"); scope != std::string_view::npos) name = name.substr(scope + 2);
  std::vector<KernelParameter> known;
  for (const auto& [file, text] : loaded_->debug_info().texts())
    for (std::vector<KernelParameter>& declared : parameters_of_kernel(name, text)) {
      if (declared.size() != count) continue;
      if (!known.empty() && known != declared) return {};
      known = std::move(declared);
    }
  return known;
}

bool Module::contains(const void* address) const {
  return loaded_->segment_of(address) != nullptr;
}

bool Module::is_writable(const void* address) const {
  const Elf64_Phdr* const segment = loaded_->segment_of(address);
  return segment != nullptr && (segment->p_flags & PF_W) != 0;
}

ModuleMemory& Module::memory() const {
  if (loaded_->memory) return *loaded_->memory;
  const DebugInfo& info = loaded_->debug_info();
  std::set<std::string> constants, others;
  for (const auto& [file, text] : info.texts()) {
    constants.merge(declared_with("__constant__", text));
    others.merge(declared_with("__device__", text));
  }
  std::vector<ModuleVariable> variables;
  for (const DebugInfo::Symbol& symbol : info.variables()) {
    const std::uint64_t begin = loaded_->base + symbol.address;
    const auto* const data = reinterpret_cast<const std::byte*>(begin);
    if (!is_writable(data)) continue;
    ModuleVariable& variable = variables.emplace_back(
        ModuleVariable{.name = plain_name(symbol.name), .begin = begin, .end = begin + symbol.bytes});
    // What the file does not contain is zero.
    const Elf64_Phdr& segment = *loaded_->segment_of(data);
    if (symbol.address < segment.p_vaddr + segment.p_filesz) variable.initial.assign(data, data + symbol.bytes);
    const std::string name = variable.name.substr(0, variable.name.find('<'));
    const bool is_uploaded =
        std::any_of(table_->constants, table_->constants + table_->constant_count,
                    [&](const ModuleConstant& one) { return reinterpret_cast<std::uintptr_t>(one.address) == begin; });
    variable.is_constant = constants.contains(name) || (is_uploaded && !others.contains(name));
  }
  return loaded_->memory.emplace(std::move(variables));
}

void Module::set_contraction(bool contracts) const {
  if (contracts == loaded_->contracts || table_->contractions == nullptr || !__builtin_cpu_supports("fma")) return;
  loaded_->contracts = contracts;
  const auto target = [](const int* distance) {
    return reinterpret_cast<std::uintptr_t>(distance) + static_cast<std::uintptr_t>(std::intptr_t{*distance});
  };
  std::uintptr_t first = ~std::uintptr_t{0}, last = 0;
  for (const int* one = table_->contractions + 2; one != table_->contractions_end; one += 2) {
    first = std::min(first, target(one));
    last = std::max(last, target(one));
  }
  constexpr std::uintptr_t page = 4096;
  void* const begin = reinterpret_cast<void*>(first / page * page);
  const std::size_t bytes = last + Loaded::jump_bytes - first / page * page;
  const auto protect = [&](int rights) {
    if (mprotect(begin, bytes, rights) != 0)
      throw ModuleError(fmt::format("the system does not let code be changed ({})", std::strerror(errno)));
  };
  protect(PROT_READ | PROT_WRITE | PROT_EXEC);
  std::size_t number = 0;
  for (const int* one = table_->contractions + 2; one != table_->contractions_end; one += 2, ++number) {
    auto* const code = reinterpret_cast<std::byte*>(target(one));
    if (number == loaded_->own_code.size())
      std::memcpy(loaded_->own_code.emplace_back().data(), code, Loaded::jump_bytes);
    if (contracts) {
      constexpr std::byte jump{0xe9};
      const auto distance = static_cast<int>(target(one + 1) - target(one) - Loaded::jump_bytes);
      code[0] = jump;
      std::memcpy(code + 1, &distance, sizeof(distance));
    } else {
      std::memcpy(code, loaded_->own_code[number].data(), Loaded::jump_bytes);
    }
  }
  protect(PROT_READ | PROT_EXEC);
}

bool Module::take_contracted() const {
  if (table_->contractions == nullptr) return false;
  std::array<std::byte, 16> changed;
  auto* const bits =
      const_cast<std::byte*>(reinterpret_cast<const std::byte*>(table_->contractions)) + *table_->contractions;
  std::memcpy(changed.data(), bits, changed.size());
  std::memset(bits, 0, changed.size());
  return std::ranges::any_of(changed, [](std::byte one) { return one != std::byte{0}; });
}

const std::byte* Module::base() const {
  return reinterpret_cast<const std::byte*>(loaded_->base);
}

ComparisonKind* Module::comparisons() const {
  if (loaded_->comparisons.empty()) {
    std::uint64_t end = 0;
    for (const auto& segment : loaded_->segments) {
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
        end = std::max(end, segment.p_vaddr + segment.p_memsz);
    }
    loaded_->comparisons.resize(end + 1, comparison_unknown);
  }
  return loaded_->comparisons.data();
}

}  // namespace warpwright::simulator
