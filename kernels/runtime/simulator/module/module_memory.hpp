// The variables of a module that device code may store to: those at namespace scope, and static locals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace warpwright::simulator {

/// One variable: __device__, __managed__, __constant__, or static in a function.
struct ModuleVariable {
  std::string name;  ///< without its scopes
  std::uintptr_t begin = 0, end = 0;
  bool is_constant = false;             ///< __constant__: device code must not store to it
  std::vector<std::byte> initial = {};  ///< its contents when the module is loaded; empty: zeros
  /// The offsets of all bytes that were stored to since it had its initial value lie between these.
  std::size_t stored_begin = 0, stored_end = 0;

  std::size_t bytes() const { return end - begin; }
  std::byte* data() const { return reinterpret_cast<std::byte*>(begin); }
  bool is_stored_to() const { return stored_begin != stored_end; }
  std::byte initial_byte(std::size_t offset) const { return initial.empty() ? std::byte{0} : initial[offset]; }
};

/// All variables of a module, in the order of their addresses. As on a GPU, they keep their values from one launch to
/// the next, until they are restored.
class ModuleMemory {
 public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  explicit ModuleMemory(std::vector<ModuleVariable> variables);

  std::size_t count() const { return variables_.size(); }
  /// Whether all of them are constants.
  bool is_constant() const { return std::ranges::all_of(variables_, &ModuleVariable::is_constant); }
  const ModuleVariable& variable(std::size_t number) const { return variables_[number]; }
  bool contains(std::uintptr_t address) const { return address - begin_ < bytes_; }
  /// The number of the variable that contains the address, or that ends closest before it; `none` if there is none.
  std::size_t find(std::uintptr_t address) const;

  /// Notes that so many bytes of the variable are about to be stored.
  void note_store(std::size_t number, std::size_t offset, std::size_t bytes) {
    ModuleVariable& to = variables_[number];
    to.stored_begin = to.is_stored_to() ? std::min(to.stored_begin, offset) : offset;
    to.stored_end = std::max(to.stored_end, offset + bytes);
  }
  /// Gives all variables their initial values.
  void restore();
  /// Whether any variable but constants has another value than at first.
  bool is_changed() const;
  /// Calls `visit(offset, bytes)` for each range of bytes of the variable that are as they were at first.
  template <class Visit>
  void for_each_initial(std::size_t number, Visit visit) const;

 private:
  std::vector<ModuleVariable> variables_;
  std::uintptr_t begin_ = 0;
  std::size_t bytes_ = 0;  ///< from the first variable to the end of the last one
};

template <class Visit>
void ModuleMemory::for_each_initial(std::size_t number, Visit visit) const {
  const ModuleVariable& of = variables_[number];
  visit(std::size_t{0}, of.stored_begin);
  for (std::size_t at = of.stored_begin; at < of.stored_end;) {
    std::size_t end = at;
    while (end < of.stored_end && of.data()[end] == of.initial_byte(end)) ++end;
    if (end > at) visit(at, end - at);
    at = end + 1;
  }
  visit(of.stored_end, of.bytes() - of.stored_end);
}

}  // namespace warpwright::simulator
