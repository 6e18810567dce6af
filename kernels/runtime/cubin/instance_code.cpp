// Reads the machine code of instances from cubins in the cache.
#include "kernels/runtime/cubin/instance_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "kernels/runtime/cubin/cubin.hpp"

namespace warpwright::tuner {

InstanceCode::InstanceCode(const CompiledProgram& built, int compute_capability)
    : built_(built), compute_capability_(compute_capability) {
  std::ifstream file(built.module, std::ios::binary);
  image_.assign(std::istreambuf_iterator<char>(file), {});
}

std::vector<gpu::Instruction> InstanceCode::of(const std::string& entry) const {
  const auto instance = built_.instances.find(entry);
  if (image_.empty() || instance == built_.instances.end()) return {};
  try {
    return gpu::machine_code(image_, instance->second.symbol, compute_capability_);
  } catch (const std::runtime_error&) {
    return {};
  }
}

int InstanceCode::most_threads(const std::string& entry) const {
  const auto instance = built_.instances.find(entry);
  if (image_.empty() || instance == built_.instances.end()) return 0;
  try {
    return gpu::most_threads(image_, instance->second.symbol);
  } catch (const std::runtime_error&) {
    return 0;
  }
}

std::string InstanceCode::fp64_warning(const Plan& plan) const {
  const auto has = [&](ElementType type) {
    return std::ranges::any_of(
        plan.buffers, [&](const Buffer& buffer) { return buffer.role != Role::scratch && buffer.type == type; });
  };
  const bool floats = has(ElementType::f32) || has(ElementType::f16) || has(ElementType::bf16);
  if (!floats || has(ElementType::f64)) return {};
  std::string warning;
  for (const auto& [entry, instance] : built_.instances)
    if (const int count = gpu::count_fp64(of(entry)); count > 0)
      warning += fmt::format("{}{} FP64 instructions in {}", warning.empty() ? "" : "; ", count, entry);
  return warning;
}

}  // namespace warpwright::tuner
