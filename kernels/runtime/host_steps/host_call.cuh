// How a module exports the functions that the host calls between the steps of a plan.
#pragma once

#include <cstddef>
#include <utility>

namespace warpwright::simulator {

inline constexpr unsigned host_call_version = 1;

/// One function; `arguments` points to the values of its parameters.
struct HostFunctionEntry {
  const char* name;  ///< as the plan spells it
  const char* type;  ///< mangled
  void (*call)(void** arguments);
  unsigned parameter_count;
  const unsigned* parameter_bytes;
};

struct HostFunctionTable {
  unsigned version;
  unsigned count;
  const HostFunctionEntry* functions;
};

/// The table's entry for a function.
template <auto Function>
struct HostCall;
template <class... Parameters, void (*Function)(Parameters...)>
struct HostCall<Function> {
  using Type = void(Parameters...);
  static constexpr unsigned bytes[] = {static_cast<unsigned>(sizeof(Parameters))..., 0};

  static void call(void** arguments) { with_places(arguments, std::index_sequence_for<Parameters...>()); }
  /// `type` is what typeid calls Type.
  static HostFunctionEntry entry(const char* name, const char* type) {
    return {name, type, &call, sizeof...(Parameters), bytes};
  }

 private:
  template <std::size_t... Places>
  static void with_places([[maybe_unused]] void** arguments, std::index_sequence<Places...>) {
    Function(*static_cast<Parameters*>(arguments[Places])...);
  }
};

}  // namespace warpwright::simulator
