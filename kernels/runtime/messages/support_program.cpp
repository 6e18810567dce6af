// The program of support kernels that a worker verifies and times with.
#include "kernels/runtime/messages/support_program.hpp"

#include <set>

namespace warpwright::gpu {

std::string support_entry(const std::string& name) {
  return "warpwright::support::" + name;
}

Program support_program(const std::vector<ElementType>& types) {
  std::set<std::string> entries;
  for (const ElementType type : types) {
    const std::string name(storage_name(type));
    for (const char* each : {"compare_bits", "compare_values", "compare_bounded"})
      entries.insert(support_entry(std::string(each) + "<" + name + ">"));
  }
  for (const char* each : {"checksum<unsigned int>", "checksum<unsigned char>", "first_non_zero", "flush_write",
                           "flush_read", "work", "block_stream", "copy_vectors<1>", "copy_vectors<2>",
                           "copy_vectors<4>", "copy_vectors<8>", "multiply_add<float>", "multiply_add<double>"})
    entries.insert(support_entry(each));
  return {.source = "kernels/runtime/cuda/support.cuh", .entries = {entries.begin(), entries.end()}};
}

}  // namespace warpwright::gpu
