// Reads the machine code of instances from cubins in the cache.
#include "kernels/runtime/cubin/instance_code.hpp"

#include <fmt/format.h>

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
  bool floats = false, doubles = false;
  for (const Buffer& buffer : plan.buffers) {
    if (buffer.role == Role::scratch || !is_floating(buffer.type)) continue;
    (buffer.type == ElementType::f64 ? doubles : floats) = true;
  }
  if (!floats || doubles) return {};
  std::string warning;
  for (const auto& [entry, instance] : built_.instances)
    if (const int count = gpu::count_fp64(of(entry)); count > 0)
      warning += fmt::format("{}{} FP64 instructions in {}", warning.empty() ? "" : "; ", count, entry);
  return warning;
}

}  // namespace warpwright::tuner
