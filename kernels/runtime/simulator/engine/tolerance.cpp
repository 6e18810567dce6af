// Findings that an execution tolerates.
#include <cstring>

#include "kernels/runtime/simulator/engine/findings.hpp"

namespace warpwright::simulator {

void Findings::watch_store(Finding finding, const void* site, const void* other_site, std::uintptr_t address,
                           std::size_t size) {
  racing_store_ = {.finding = std::move(finding),
                   .site = site,
                   .other_site = other_site,
                   .address = reinterpret_cast<const void*>(address),
                   .size = size};
  std::memcpy(racing_store_->before.data(), racing_store_->address, size);
}

void Findings::settle_store() {
  RacingStore store = std::move(*racing_store_);
  racing_store_.reset();
  const auto take = [&] { return std::move(store.finding); };
  if (std::memcmp(store.before.data(), store.address, store.size) == 0)
    tolerate(StrictRule::same_value_stores, store.site, store.other_site, take);
  else
    add_once(FindingKind::race, store.site, store.other_site, take);
}

}  // namespace warpwright::simulator
