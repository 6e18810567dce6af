// The findings and hints of an execution: their texts, which are reported only once, and which are tolerated.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "kernels/model/plan.hpp"
#include "kernels/runtime/simulator/module/module.hpp"
#include "kernels/runtime/simulator/results/execution.hpp"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// Collects the findings and hints of an execution. Sites are return addresses in the module. `make()` returns the
/// finding, or the text of a hint, and is called only if it is kept.
class Findings {
 public:
  /// Starts an execution; all three must outlive it.
  void begin(const Module& module, const SimulationOptions& options, Execution& execution);
  void begin_launch(const Launch& launch) { launch_ = &launch; }

  /// The source line of the site, and the thread.
  ThreadLocation where(const Thread& thread, const void* site) const;
  /// The same for an access of this launch.
  ThreadLocation where(const AccessRecord& record) const;
  Finding made_by(FindingKind kind, const Thread& thread, const void* site, std::string message) const;

  void add(Finding finding) { execution_->findings.push_back(std::move(finding)); }
  /// The message of a finding about a load of unwritten memory.
  static std::string unwritten_message(std::string_view access) { return fmt::format("{}{}", access, unwritten_); }
  /// Adds a finding that does not end the launch, if it is the first between these two sites and there are not too
  /// many.
  template <class Make>
  void add_once(FindingKind kind, const void* site, const void* other_site, Make make);
  /// If there is a finding about a load of unwritten memory at that location, adds that `writer` stores it later,
  /// although nothing orders the two.
  void add_late_writer(const ThreadLocation& reader, const ThreadLocation& writer);
  /// Adds a hint: a possible cause of a wrong result.
  template <class Make>
  void hint(Make make);
  /// Adds it if it is the first for that site.
  template <class Make>
  void hint_once(const void* site, Make make) {
    if (hinted_.insert(site).second) hint(make);
  }
  /// Adds arithmetic that C++ does not define, as a hint too, if it is the first for that site.
  void arithmetic(const Thread& thread, const void* site, const std::string& words);
  bool knows_arithmetic(const void* site) const { return arithmetic_.contains(site); }

  // Tolerance: tolerance.cpp.
  bool tolerates(StrictRule rule) const { return (lenient_ >> static_cast<unsigned>(rule) & 1U) != 0; }
  /// Whether exited threads count as arrived.
  bool tolerates_exits() const { return options_->accept_exited_threads || tolerates(StrictRule::early_exit); }
  /// Adds a tolerated finding, if it is the first between these two sites.
  template <class Make>
  void tolerate(StrictRule rule, const void* site, const void* other_site, Make make);
  /// Notes an exchange of memory that nobody wrote.
  template <class Make>
  void note_exchange(const void* site, Make make) {
    if (exchanged_.insert(site).second) execution_->exchanged.push_back(make());
  }
  /// A thread waits for an exited one. Returns whether that is tolerated; adds a finding if it is not.
  template <class Make>
  bool tolerate_exit(const void* site, Make make);
  /// A store is about to race with other stores. It is tolerated if it does not change what is in memory.
  void watch_store(Finding finding, const void* site, const void* other_site, std::uintptr_t address, std::size_t size);
  bool watches_store() const { return racing_store_.has_value(); }
  /// The watched store is done.
  void settle_store();

 private:
  struct RacingStore {
    Finding finding;
    const void* site = nullptr;
    const void* other_site = nullptr;
    const void* address = nullptr;
    std::size_t size = 0;
    std::array<std::byte, 16> before{};
  };

  static constexpr std::string_view unwritten_ = " that nobody wrote";

  const Module* module_ = nullptr;
  const SimulationOptions* options_ = nullptr;
  const Launch* launch_ = nullptr;
  Execution* execution_ = nullptr;
  unsigned lenient_ = 0;  ///< a bit for each rule
  std::set<std::tuple<FindingKind, const void*, const void*>> known_;
  std::set<std::tuple<StrictRule, const void*, const void*>> known_tolerated_;
  std::set<const void*> hinted_, arithmetic_, exchanged_;
  std::optional<RacingStore> racing_store_;
};

template <class Make>
void Findings::add_once(FindingKind kind, const void* site, const void* other_site, Make make) {
  if (execution_->findings.size() >= static_cast<std::size_t>(std::max(options_->limits.findings, 1))) return;
  // insert(), since emplace() allocates what is known already.
  if (known_.insert({kind, std::min(site, other_site), std::max(site, other_site)}).second) add(make());
}

template <class Make>
void Findings::hint(Make make) {
  constexpr std::size_t most_hints = 4;
  ++execution_->hint_count;
  if (execution_->hints.size() < most_hints) execution_->hints.push_back(make());
}

template <class Make>
void Findings::tolerate(StrictRule rule, const void* site, const void* other_site, Make make) {
  if (known_tolerated_.insert({rule, std::min(site, other_site), std::max(site, other_site)}).second)
    execution_->tolerated.push_back({.rule = rule, .finding = make()});
}

template <class Make>
bool Findings::tolerate_exit(const void* site, Make make) {
  if (options_->accept_exited_threads) return true;
  if (tolerates(StrictRule::early_exit))
    tolerate(StrictRule::early_exit, site, nullptr, make);
  else
    add(make());
  return tolerates(StrictRule::early_exit);
}

}  // namespace warpwright::simulator
