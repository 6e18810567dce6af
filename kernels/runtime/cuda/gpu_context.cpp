// Contexts, memory and descriptions of GPUs.
#include "kernels/runtime/cuda/gpu_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace warpwright::gpu {
namespace {

constexpr std::uint8_t kGuardByte = 0xA5;

int attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  driver().check(driver().device_attribute(&value, which, device), "cuDeviceGetAttribute");
  return value;
}

std::string uuid_text(const CUuuid& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

GpuInfo describe(int index) {
  CUdevice device = 0;
  driver().check(driver().device(&device, index), "cuDeviceGet");
  std::array<char, 256> name{};
  driver().check(driver().device_name(name.data(), static_cast<int>(name.size()), device), "cuDeviceGetName");
  std::size_t memory = 0;
  driver().check(driver().device_memory(&memory, device), "cuDeviceTotalMem");
  CUuuid uuid{};
  driver().check(driver().device_uuid(&uuid, device), "cuDeviceGetUuid");
  int version = 0;
  driver().check(driver().driver_version(&version), "cuDriverGetVersion");
  const auto get = [device](CUdevice_attribute which) { return attribute(device, which); };
  const int capability =
      get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 + get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  // Double data rate: two transfers a clock.
  const double bandwidth =
      2e3 * get(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * get(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8 / 1e9;
  const Lanes lanes = lanes_per_sm(capability);
  return {.device = {.model = name.data(),
                     .compute_capability = capability,
                     .sm_count = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                     .sm_clock_mhz = get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000,
                     .memory_bandwidth_gbs = bandwidth,
                     .l2_bytes = get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
                     .memory_bytes = static_cast<std::int64_t>(memory),
                     .max_threads_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
                     .max_threads_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
                     .max_blocks_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
                     .registers_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
                     .registers_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
                     .shared_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
                     .shared_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
                     .shared_per_block_optin = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                     .shared_reserved_per_block = get(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK),
                     .fp32_lanes_per_sm = lanes.fp32,
                     .fp64_lanes_per_sm = lanes.fp64},
          .index = index,
          .uuid = uuid_text(uuid),
          .driver_version = fmt::format("{}.{}", version / 1000, version % 1000 / 10),
          .ecc = get(CU_DEVICE_ATTRIBUTE_ECC_ENABLED) != 0};
}

}  // namespace

std::vector<GpuInfo> list_gpus() {
  int count = 0;
  driver().check(driver().device_count(&count), "cuDeviceGetCount");
  std::vector<GpuInfo> gpus;
  for (int index = 0; index < count; ++index) gpus.push_back(describe(index));
  return gpus;
}

Gpu::Gpu(int index) : info_(describe(index)) {
  driver().check(driver().device(&device_, index), "cuDeviceGet");
  CUcontext context = nullptr;
  driver().check(driver().retain_primary_context(&context, device_), "cuDevicePrimaryCtxRetain");
  driver().check(driver().set_current_context(context), "cuCtxSetCurrent");
  driver().check(driver().create_stream(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
}

Gpu::~Gpu() {
  driver().destroy_stream(stream_);
  driver().release_primary_context(device_);
}

void Gpu::synchronize() const {
  driver().check(driver().synchronize(stream_), "cuStreamSynchronize");
}

Memory::Memory(std::int64_t bytes, Guards guards)
    : bytes_(bytes), guard_bytes_(guards == Guards::none ? 0 : kGuardBytes) {
  const auto whole = static_cast<std::size_t>(std::max<std::int64_t>(bytes + 2 * guard_bytes_, 1));
  driver().check(driver().allocate(&base_, whole), "cuMemAlloc");
  if (guards == Guards::none) return;
  driver().check(driver().set_bytes(base_, kGuardByte, kGuardBytes, nullptr), "cuMemsetD8");
  driver().check(driver().set_bytes(base_ + kGuardBytes + bytes, kGuardByte, kGuardBytes, nullptr), "cuMemsetD8");
  driver().check(driver().synchronize(nullptr), "cuStreamSynchronize");
}

Memory::~Memory() {
  if (base_ != 0) driver().free(base_);
}

Memory::Memory(Memory&& other) noexcept
    : base_(std::exchange(other.base_, 0)), bytes_(std::exchange(other.bytes_, 0)), guard_bytes_(other.guard_bytes_) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  std::swap(guard_bytes_, other.guard_bytes_);
  return *this;
}

void Memory::fill(CUstream stream, std::uint8_t byte) const {
  if (bytes_ > 0)
    driver().check(driver().set_bytes(address(), byte, static_cast<std::size_t>(bytes_), stream), "cuMemsetD8Async");
}

void Memory::upload(CUstream stream, const Bytes& contents) const {
  if (contents.empty()) return;
  driver().check(driver().copy_to_device(address(), contents.data(), contents.size(), stream), "cuMemcpyHtoDAsync");
  driver().check(driver().synchronize(stream), "cuStreamSynchronize");
}

Bytes Memory::download(CUstream stream) const {
  Bytes contents(static_cast<std::size_t>(bytes_));
  if (!contents.empty())
    driver().check(driver().copy_to_host(contents.data(), address(), contents.size(), stream), "cuMemcpyDtoHAsync");
  driver().check(driver().synchronize(stream), "cuStreamSynchronize");
  return contents;
}

bool Memory::guards_intact(CUstream stream) const {
  if (guard_bytes_ == 0) return true;
  std::array<std::uint8_t, 2 * kGuardBytes> guards{};
  driver().check(driver().copy_to_host(guards.data(), base_, kGuardBytes, stream), "cuMemcpyDtoHAsync");
  driver().check(driver().copy_to_host(guards.data() + kGuardBytes, address() + static_cast<std::size_t>(bytes_),
                                       kGuardBytes, stream),
                 "cuMemcpyDtoHAsync");
  driver().check(driver().synchronize(stream), "cuStreamSynchronize");
  return std::ranges::all_of(guards, [](std::uint8_t byte) { return byte == kGuardByte; });
}

}  // namespace warpwright::gpu
