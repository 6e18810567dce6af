// A compiled module of device code, loaded into this process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/signature.hpp"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/host_steps/module_error.hpp"
#include "kernels/runtime/simulator/module/module_memory.hpp"
#include "kernels/runtime/simulator/module/source_text.hpp"

namespace warpwright::simulator {

class DebugInfo;

/// The C++ name of a variable or function without its scopes, from its mangled name.
std::string plain_name(const std::string& symbol);

/// A shared object made by `compile`. Loading is cheap; names and lines are read at their first use. Two modules never
/// share anything, and the destructor unloads. A module may be used by one execution at a time.
class Module {
 public:
  /// Throws ModuleError.
  explicit Module(const std::filesystem::path& path);
  ~Module();
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;

  /// The kernel with that C++ name expression, spelled as it was given to `compile`; null for an unknown one.
  const ModuleEntry* entry(std::string_view name) const;
  /// The parameters of that kernel; null for an unknown one.
  const Signature* signature(const std::string& name) const;
  /// The __constant__ variable of that name; null for an unknown one.
  const ModuleConstant* constant(std::string_view name) const;
  std::vector<std::string> entry_names() const;

  struct SourceLine {
    std::string file;  ///< relative to the source tree; empty if it is not known
    int line = 0, column = 0;
    bool operator==(const SourceLine&) const = default;
  };
  /// The source of a call in this module, given its return address.
  SourceLine line_of(const void* return_address) const;

  struct Variable {
    const std::string* symbol = nullptr;  ///< as the linker knows it
    const void* begin = nullptr;
    std::size_t bytes = 0;
  };
  /// The static variable that contains the address or ends closest before it.
  Variable nearest_variable(const void* address) const;

  struct SharedVariable {
    enum class Kind {
      declared,  ///< of a size of its own
      dynamic,   ///< of the size that the launch sets
      guard,     ///< a guard, which says whether another variable is constructed, or what begins at offset 0
    };
    Kind kind = Kind::declared;
    std::size_t bytes = 0;
    const std::string* symbol = nullptr;  ///< mangled
  };
  /// The __shared__ variable that the device code refers to by that offset. Throws ModuleError for an unknown one.
  SharedVariable shared_variable(std::uint64_t offset) const;
  /// The place of the guard at that offset. Their distances are those of the offsets, and all are set.
  void* guard(std::uint64_t offset) const;
  /// Whether the address lies in a guard.
  bool is_in_a_guard(const void* address) const;
  /// The parameters of that kernel as its source declares them; empty unless all declarations with so many parameters
  /// agree.
  std::vector<KernelParameter> declared_parameters(std::string_view entry, std::size_t count) const;
  /// The name of the array that the brackets at that position of a file index; empty if not known.
  std::string indexed_name(const std::string& file, int line, int column) const;

  /// Whether the address lies in this module, and in a part of it that may be written.
  bool contains(const void* address) const;
  bool is_writable(const void* address) const;

  /// The variables that device code may store to. Call it first before anything is stored there.
  ModuleMemory& memory() const;

  /// From now on, device code rounds a product and the sum that uses it once, as a GPU's compiler lets it (fused
  /// multiply-add), or separately. Without such sums, or on a CPU without that instruction, it does nothing.
  void set_contraction(bool contracts) const;
  /// Whether that changed a result since the last call.
  bool take_contracted() const;

  /// The address of its first byte in memory.
  const std::byte* base() const;

  /// The kinds of its comparisons, by their offset in the module; unknown until somebody sets them.
  ComparisonKind* comparisons() const;

  const ModuleTable& table() const { return *table_; }

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
  const ModuleTable* table_ = nullptr;
};

}  // namespace warpwright::simulator
