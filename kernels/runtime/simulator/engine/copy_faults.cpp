// Describes faults of asynchronous copies and of barriers that count them.
#include <fmt/format.h>

#include "kernels/runtime/simulator/engine/access_faults.hpp"

namespace warpwright::simulator {

void AccessFaults::disturbed(const AsyncCopy& copy, std::uintptr_t address, std::size_t size, unsigned code,
                             const void* site) {
  findings_.add_once(FindingKind::unfinished_copy, site, module_base_ + copy.start.site, [&] {
    const bool is_written = copy.writes(address, size);
    Finding finding = finding_at(FindingKind::unfinished_copy, site, address, [&](const std::string& where) {
      return fmt::format("{} of {} bytes {} while an asynchronous copy {} it: it is still under way, no wait covers it",
                         (code & access_write) != 0 ? "store" : "load", size, where, is_written ? "writes" : "reads");
    });
    finding.other = findings_.where(copy.start);
    return finding;
  });
}

void AccessFaults::drop_unawaited_copies(const Thread& thread) {
  async_.drop_unawaited(thread, [&](const AsyncCopy& copy) {
    const void* const start = module_base_ + copy.start.site;
    findings_.add_once(FindingKind::unfinished_copy, start, nullptr, [&] {
      const std::uintptr_t place = copy.is_store ? copy.from : copy.to;
      Finding finding = finding_at(FindingKind::unfinished_copy, start, place, [&](const std::string& where) {
        return fmt::format("nobody waits for the asynchronous copy of {} bytes {}", copy.bytes, where);
      });
      finding.location = findings_.where(copy.start);
      return finding;
    });
  });
}

void AccessFaults::misaligned_copy(const void* to, const void* from, std::size_t bytes, const char* rule,
                                   const void* site) {
  fail([&] {
    const auto address = reinterpret_cast<std::uintptr_t>(to);
    return finding_at(FindingKind::misaligned, site, address, [&](const std::string& where) {
      return fmt::format("asynchronous copy of {} bytes {}, from {}: {}", bytes, where,
                         location_of(reinterpret_cast<std::uintptr_t>(from)).words, rule);
    });
  });
}

void AccessFaults::not_fenced(std::uintptr_t address, const PhaseBarrier& barrier, const void* site) {
  findings_.add_once(FindingKind::race, site, module_base_ + barrier.set_up.site, [&] {
    Finding finding = finding_at(FindingKind::race, site, address, [&](const std::string& where) {
      return fmt::format("a bulk copy uses the barrier {}, and no fence_async has followed its phase_init", where);
    });
    finding.other = findings_.where(barrier.set_up);
    return finding;
  });
}

void AccessFaults::check_expected_bytes(std::uintptr_t address, const PhaseBarrier& barrier, const void* site) {
  const AsyncCopy* const copy = async_.excess_copy(address, barrier);
  if (copy == nullptr) return;
  fail([&] {
    Finding finding = finding_at(FindingKind::unfinished_copy, site, address, [&](const std::string& where) {
      return fmt::format("phase {} of the barrier {} expects {} bytes, and copies of {} are under way", barrier.phase,
                         where, barrier.bytes, async_.bytes_of(address));
    });
    finding.other = findings_.where(copy->start);
    return finding;
  });
}

}  // namespace warpwright::simulator
