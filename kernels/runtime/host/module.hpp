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
#include "kernels/runtime/host/interface.cuh"

namespace warpwright::host {

class DebugInfo;

/// The file is no module, or one that was built against another version of the device headers.
class ModuleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A shared object made by `compile`. Loading is cheap; names and lines are read when they are first asked for. Two
/// modules never share anything, and the destructor unloads. A module may be used by one execution at a time.
class Module {
 public:
  /// Throws ModuleError.
  explicit Module(const std::filesystem::path& path);
  ~Module();
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;

  /// The kernel with that C++ name expression, spelled as it was given to `compile`; null for an unknown one.
  const ModuleEntry* entry(std::string_view name) const;
  /// What that kernel takes; null for an unknown one.
  const Signature* signature(const std::string& name) const;
  /// The __constant__ variable of that name; null for an unknown one.
  const ModuleConstant* constant(std::string_view name) const;
  std::vector<std::string> entry_names() const;

  struct SourceLine {
    std::string file;  ///< relative to the source tree; empty where it is not known
    int line = 0, column = 0;
    bool operator==(const SourceLine&) const = default;
  };
  /// The source of a call in this module, given its return address.
  SourceLine line_of(const void* return_address) const;

  struct Variable {
    std::string name;  ///< without its scopes
    const void* begin = nullptr;
    std::size_t bytes = 0;
    bool local = false;  ///< declared inside a function
  };
  /// The static variable that contains the address; an empty name where there is none.
  Variable variable_at(const void* address) const;
  /// The static variable that contains the address or ends closest before it.
  Variable nearest_variable(const void* address) const;

  /// Whether the address lies in this module, and in a part of it that may be written.
  bool contains(const void* address) const;
  bool is_writable(const void* address) const;

  /// Where its first byte was loaded.
  const std::byte* base() const;

  /// What comparisons are made for, by their offset in the module; unknown until somebody says so.
  ComparisonKind* comparisons() const;

  const ModuleTable& table() const { return *table_; }
  /// A number above 0 that no other shared array of this module has.
  int next_array_slot() const;

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
  const ModuleTable* table_ = nullptr;
};

}  // namespace warpwright::host
