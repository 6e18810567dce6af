// Describes faults of products by warpgroups.
#include <fmt/format.h>

#include "kernels/runtime/simulator/engine/access_faults.hpp"

namespace warpwright::simulator {

void AccessFaults::lacks_warp(const WarpgroupProduct& product, bool exists, std::size_t warp, const void* site) {
  fail(FindingKind::bad_warp_mask, site, [&] {
    return fmt::format("{} without warp {} of the block, which {}: all four warps of a warpgroup must execute it",
                       name_of(product), warp, exists ? "has left the kernel" : "is incomplete, or does not exist");
  });
}

void AccessFaults::differs_from_product(const WarpgroupProduct& product, const AsyncProduct& begun, const void* site) {
  fail([&] {
    Finding finding = findings_.made_by(
        FindingKind::bad_warp_mask, running(), site,
        fmt::format(
            "{} while other warps of the warpgroup are in another {}, or give it other operands: all four warps "
            "must execute the same one",
            name_of(product), name_of(begun.what)));
    finding.other = findings_.where(*begun.first, begun.site);
    return finding;
  });
}

void AccessFaults::not_fenced(const WarpgroupProduct& product, const void* touched, const void* site) {
  findings_.add_once(FindingKind::race, site, touched, [&] {
    Finding finding =
        findings_.made_by(FindingKind::race, running(), site,
                          fmt::format("{} uses registers that {}, and no products_fence has followed", name_of(product),
                                      touched != nullptr ? "this thread has accessed" : "may still change"));
    if (touched != nullptr) finding.other = findings_.where(running(), touched);
    return finding;
  });
}

void AccessFaults::not_fenced(std::uintptr_t address, const AccessRecord& writer, const WarpgroupProduct* product,
                              const void* site) {
  findings_.add_once(FindingKind::race, site, module_base_ + writer.site, [&] {
    Finding finding = finding_at(FindingKind::race, site, address, [&](const std::string& where) {
      return fmt::format(
          "{} reads 16 bytes {}, of which an ordinary store wrote some, and the thread that stored has "
          "executed no fence_async since",
          product == nullptr ? "a bulk copy" : name_of(*product), where);
    });
    finding.other = findings_.where(writer);
    return finding;
  });
}

void AccessFaults::overwritten(const AsyncProduct& product, std::uintptr_t address, std::size_t size,
                               const void* site) {
  findings_.add_once(FindingKind::unfinished_copy, site, product.site, [&] {
    Finding finding = finding_at(FindingKind::unfinished_copy, site, address, [&](const std::string& where) {
      return fmt::format("store of {} bytes {} while {} reads it: it is still under way, no wait covers it", size,
                         where, name_of(product.what));
    });
    finding.other = findings_.where(*product.first, product.site);
    return finding;
  });
}

void AccessFaults::touched_early(const AsyncProduct& product, unsigned code, std::size_t size, const void* site) {
  findings_.add_once(FindingKind::unfinished_copy, site, product.site, [&] {
    Finding finding = findings_.made_by(
        FindingKind::unfinished_copy, running(), site,
        fmt::format("{} of {} bytes of the registers of {}: it is still under way, no products_wait covers it",
                    (code & access_write) != 0 ? "store" : "load", size, name_of(product.what)));
    finding.other = findings_.where(running(), product.site);
    return finding;
  });
}

Finding AccessFaults::unawaited(const Thread& thread, const AsyncProduct& product) const {
  return findings_.made_by(FindingKind::unfinished_copy, thread, product.site,
                           fmt::format("nobody waits for {}", name_of(product.what)));
}

Finding AccessFaults::left_product(const Thread& thread, const AsyncProduct& product) const {
  Finding finding =
      findings_.made_by(FindingKind::bad_warp_mask, *product.first, product.site,
                        fmt::format("{} waits for the warp of thread ({}, {}, {}), which has left the kernel",
                                    name_of(product.what), thread.index.x, thread.index.y, thread.index.z));
  finding.other = findings_.where(thread, nullptr);
  return finding;
}

void AccessFaults::wrong_registers(int count, int own, bool takes, const void* site) {
  fail(FindingKind::trap, site, [&] {
    return fmt::format("setmaxnreg.{} to {} registers by a warp that has {}", takes ? "inc" : "dec", count, own);
  });
}

}  // namespace warpwright::simulator
