// Memory for a buffer as its plan demands: on the device, pageable or pinned on the host, or managed.
#include "kernels/runtime/cuda/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace warpwright::gpu {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::byte kGuard{0xA5};

}  // namespace

PlacedMemory::PlacedMemory(const Gpu& gpu, Where where, std::int64_t bytes, Memory::Guards guards)
    : gpu_(&gpu), where_(where), bytes_(bytes) {
  if (where == Where::device) {
    device_.emplace(bytes, guards);
    return;
  }
  // One guard page before the buffer keeps the buffer at the start of a page.
  const std::size_t whole = (static_cast<std::size_t>(bytes) + 3 * kPage - 1) / kPage * kPage;
  void* made = nullptr;
  if (where == Where::pageable) {
    made = std::aligned_alloc(kPage, whole);
    if (made == nullptr) throw std::bad_alloc();
  } else if (where == Where::pinned) {
    driver().check(driver().allocate_host(&made, whole, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
  } else {
    CUdeviceptr address = 0;
    driver().check(driver().allocate_managed(&address, whole, CU_MEM_ATTACH_GLOBAL), "cuMemAllocManaged");
    made = reinterpret_cast<void*>(address);  // NOLINT: the driver's addresses are numbers
  }
  base_ = static_cast<std::byte*>(made);
  std::fill_n(base_, whole, kGuard);
}

PlacedMemory::~PlacedMemory() {
  if (base_ == nullptr) return;
  if (where_ == Where::pageable)
    std::free(base_);
  else if (where_ == Where::pinned)
    driver().free_host(base_);
  else
    driver().free(reinterpret_cast<CUdeviceptr>(base_));
}

PlacedMemory::PlacedMemory(PlacedMemory&& other) noexcept
    : gpu_(other.gpu_),
      where_(other.where_),
      bytes_(other.bytes_),
      device_(std::move(other.device_)),
      base_(std::exchange(other.base_, nullptr)) {}

std::byte* PlacedMemory::data() const {
  return base_ + kPage;
}

CUdeviceptr PlacedMemory::address() const {
  return device_ ? device_->address() : reinterpret_cast<CUdeviceptr>(data());
}

void PlacedMemory::fill(std::uint8_t byte) const {
  if (device_) device_->fill(gpu_->stream(), byte);
  // The GPU fills pinned memory several times as fast as one core of the CPU.
  const bool by_gpu = where_ == Where::pinned && bytes_ > 0;
  if (by_gpu)
    driver().check(driver().set_bytes(address(), byte, static_cast<std::size_t>(bytes_), gpu_->stream()),
                   "cuMemsetD8Async");
  gpu_->synchronize();
  if (!device_ && !by_gpu) std::fill_n(data(), bytes_, std::byte{byte});
}

void PlacedMemory::upload(const Bytes& contents) const {
  if (device_) return device_->upload(gpu_->stream(), contents);
  gpu_->synchronize();
  if (!contents.empty()) std::memcpy(data(), contents.data(), contents.size());
}

Bytes PlacedMemory::download() const {
  if (device_) return device_->download(gpu_->stream());
  gpu_->synchronize();
  return {data(), data() + bytes_};
}

void PlacedMemory::copy_from(CUdeviceptr device) const {
  if (bytes_ > 0)
    driver().check(driver().copy(address(), device, static_cast<std::size_t>(bytes_), gpu_->stream()), "cuMemcpyAsync");
  gpu_->synchronize();
}

void PlacedMemory::copy_to(CUdeviceptr device) const {
  if (bytes_ > 0)
    driver().check(driver().copy(device, address(), static_cast<std::size_t>(bytes_), gpu_->stream()), "cuMemcpyAsync");
  gpu_->synchronize();
}

void PlacedMemory::bring_to_host() const {
  if (where_ != Where::managed) return;
  const CUmemLocation host{.type = CU_MEM_LOCATION_TYPE_HOST, .id = 0};
  const auto whole = kPage + static_cast<std::size_t>(bytes_);
  const CUresult result = driver().prefetch(reinterpret_cast<CUdeviceptr>(base_), whole, host, 0, gpu_->stream());
  gpu_->synchronize();
  if (result == CUDA_SUCCESS) return;
  // Without prefetches the system moves pages when the host touches them.
  volatile std::byte* const first = base_;
  for (std::size_t at = 0; at < whole; at += kPage) first[at] = first[at];
}

bool PlacedMemory::guards_intact() const {
  if (device_) return device_->guards_intact(gpu_->stream());
  gpu_->synchronize();
  const auto is_guard = [](std::byte byte) { return byte == kGuard; };
  const std::byte* const behind = data() + bytes_;
  return std::ranges::all_of(std::span(base_, kPage), is_guard) &&
         std::ranges::all_of(std::span(behind, kPage), is_guard);
}

}  // namespace warpwright::gpu
