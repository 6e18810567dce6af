// The variables of a module that device code may store to: those at namespace scope, and static locals.
#include "kernels/runtime/simulator/module/module_memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpwright::simulator {

ModuleMemory::ModuleMemory(std::vector<ModuleVariable> variables) : variables_(std::move(variables)) {
  std::ranges::sort(variables_, {}, &ModuleVariable::begin);
  if (variables_.empty()) return;
  begin_ = variables_.front().begin;
  bytes_ = variables_.back().end - begin_;
}

std::size_t ModuleMemory::find(std::uintptr_t address) const {
  const auto after = std::ranges::upper_bound(variables_, address, {}, &ModuleVariable::begin);
  return after == variables_.begin() ? none : static_cast<std::size_t>(after - variables_.begin()) - 1;
}

void ModuleMemory::restore() {
  for (ModuleVariable& variable : variables_) {
    const std::size_t begin = variable.stored_begin, bytes = variable.stored_end - begin;
    if (variable.initial.empty())
      std::memset(variable.data() + begin, 0, bytes);
    else
      std::memcpy(variable.data() + begin, &variable.initial[begin], bytes);
    variable.stored_begin = variable.stored_end = 0;
  }
}

bool ModuleMemory::is_changed() const {
  return std::ranges::any_of(variables_, [](const ModuleVariable& variable) {
    for (std::size_t i = variable.stored_begin; !variable.is_constant && i < variable.stored_end; ++i)
      if (variable.data()[i] != variable.initial_byte(i)) return true;
    return false;
  });
}

}  // namespace warpwright::simulator
