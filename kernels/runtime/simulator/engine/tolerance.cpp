// What is noted and let pass where an execution is lenient, and no finding that ends a launch.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {

void Engine::begin_lenience() {
  lenient_ = 0;
  for (const StrictRule rule : options_->lenient) lenient_ |= 1U << static_cast<unsigned>(rule);
  known_allowed_.clear();
  racing_store_.reset();
}

void Engine::watch_store(Finding finding, const void* site, const void* other_site, std::uintptr_t address,
                         std::size_t size) {
  racing_store_ = {.finding = std::move(finding),
                   .site = site,
                   .other_site = other_site,
                   .address = reinterpret_cast<const void*>(address),
                   .size = size};
  std::memcpy(racing_store_->before.data(), racing_store_->address, size);
  // The thread's next step, which no other thread comes before, ends the slice.
  slice_length_ -= slice_ - 1;
  slice_ = 1;
}

void Engine::settle_store() {
  RacingStore store = std::move(*racing_store_);
  racing_store_.reset();
  const auto take = [&] { return std::move(store.finding); };
  if (std::memcmp(store.before.data(), store.address, store.size) == 0)
    allow(StrictRule::same_value_stores, store.site, store.other_site, take);
  else
    add_once(FindingKind::race, store.site, store.other_site, take);
}

void Engine::allow_absent_lanes(const WarpCall& call, std::uint32_t absent, const void* site) {
  allow(StrictRule::early_exit, site, nullptr, [&] {
    return finding_by(FindingKind::bad_warp_mask, *running_, site,
                      fmt::format("a warp operation with mask {:#010x} names lanes {:#010x}, which have left the "
                                  "kernel or are not there",
                                  call.mask, absent));
  });
}

}  // namespace warpwright::simulator
