// Describes faults of memory accesses.
#include <fmt/format.h>

#include <utility>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {
namespace {

const char* verb_of(unsigned code) {
  if ((code & access_atomic) != 0) return (code & access_write) != 0 ? "atomic update" : "atomic load";
  return (code & access_write) != 0 ? "store" : "load";
}

}  // namespace

void AccessFaults::out_of_bounds(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  fail([&] {
    Finding finding = finding_at(FindingKind::out_of_bounds, site, address, [&](const std::string& where) {
      return fmt::format("{} of {} bytes {}{}", verb_of(code), size, where,
                         memory_.hint_at_locals(address, size, *running().block));
    });
    const auto is_element = [&](const Overflow& overflow) {
      for (std::size_t i = 0; i < memory_.global.region_count(); ++i) {
        const auto offset = static_cast<std::int64_t>(address - memory_.global.region(i).begin);
        if (overflow.explains(offset) || overflow.explains(offset / static_cast<std::int64_t>(size))) return true;
      }
      return false;
    };
    return explained(std::move(finding), is_element);
  });
}

template <class Explains>
Finding AccessFaults::explained(Finding finding, Explains explains) const {
  const Overflow* const overflow = overflows_.of(running());
  if (overflow == nullptr) return finding;
  const ThreadLocation at = findings_.where(running(), overflow->site);
  if (!explains(*overflow)) {
    finding.message += fmt::format("; before that, at {}, {}", simulator::location_of(at), overflow->words());
    return finding;
  }
  finding.kind = FindingKind::signed_overflow;
  finding.message = fmt::format("{}: it causes a {}", overflow->words(), finding.message);
  finding.other = std::exchange(finding.location, at);
  return finding;
}

void AccessFaults::misaligned(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  fail([&] {
    return finding_at(FindingKind::misaligned, site, address, [&](const std::string& where) {
      return fmt::format("{} of {} bytes {}, which is no multiple of {}", verb_of(code), size, where, size);
    });
  });
}

void AccessFaults::too_early(const AccessRecord& earlier, bool earlier_writes, std::uintptr_t address,
                             std::uint64_t bytes, bool writes, bool has_waited, const void* site) {
  findings_.add_once(FindingKind::race, site, module_base_ + earlier.site, [&] {
    Finding finding = finding_at(FindingKind::race, site, address, [&](const std::string& where) {
      return fmt::format(
          "{} of {} bytes {} {} wait_for_previous_launch (cudaGridDependencySynchronize): {}, which may still run, {} "
          "it",
          writes ? "store" : "load", bytes, where, has_waited ? "after" : "before",
          has_waited ? "a launch for which the previous one has not waited" : "an earlier launch",
          earlier_writes ? "writes" : "reads");
    });
    finding.other = findings_.where(earlier);
    finding.other.block = finding.other.thread = Dim3{0, 0, 0};
    return finding;
  });
}

void AccessFaults::input_written(const Region& region, std::uintptr_t address, const void* site) {
  findings_.add_once(FindingKind::input_written, site, nullptr, [&] {
    return finding_at(FindingKind::input_written, site, address,
                      [&](const std::string&) { return fmt::format("store to input buffer '{}'", region.name); });
  });
}

void AccessFaults::constant_written(std::uintptr_t address, std::size_t size, const void* site) {
  fail([&] {
    return finding_at(FindingKind::input_written, site, address, [&](const std::string& where) {
      return fmt::format("store of {} bytes {}, which device code cannot write", size, where);
    });
  });
}

void AccessFaults::state_kept(const ModuleVariable& variable, std::uintptr_t address, std::size_t size, unsigned code,
                              const void* site) {
  findings_.add_once(FindingKind::kept_state, site, nullptr, [&] {
    return finding_at(FindingKind::kept_state, site, address, [&](const std::string& where) {
      std::size_t at = address - variable.begin;
      while (at + 1 < address + size - variable.begin && variable.data()[at] == variable.initial_byte(at)) ++at;
      return fmt::format(
          "{} of {} bytes {} reads what an earlier run of the kernel left there: byte {} is {:#x}, and "
          "was {:#x} before that run",
          verb_of(code), size, where, at, std::to_integer<unsigned>(variable.data()[at]),
          std::to_integer<unsigned>(variable.initial_byte(at)));
    });
  });
}

void AccessFaults::uninitialised(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  if (const std::size_t number = memory_.variables().find(address); memory_.variables().contains(address)) {
    const ModuleVariable& variable = memory_.variables().variable(number);
    if (!variable.is_constant) return state_kept(variable, address, size, code, site);
  }
  const auto make = [&] {
    return finding_at(FindingKind::uninitialised_read, site, address, [&](const std::string& where) {
      return Findings::unwritten_message(fmt::format("{} of {} bytes {}", verb_of(code), size, where));
    });
  };
  if ((code & access_exchange) != 0)
    findings_.note_exchange(site, make);
  else if (findings_.tolerates(StrictRule::discarded_read))
    findings_.tolerate(StrictRule::discarded_read, site, nullptr, make);
  else
    findings_.add_once(FindingKind::uninitialised_read, site, nullptr, make);
}

void AccessFaults::race(const Race& race, std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  const void* const other_site = module_base_ + race.other.site;
  const auto make = [&] {
    const char* const other_verb = race.other.strong == weak ? (race.other_writes ? "a store" : "a load")
                                   : race.other_writes       ? "an atomic or volatile store"
                                                             : "an atomic or volatile load";
    Finding finding = finding_at(FindingKind::race, site, address, [&](const std::string& where) {
      return fmt::format("{} of {} bytes {} races with {} by another thread", verb_of(code), size, where, other_verb);
    });
    finding.other = findings_.where(race.other);
    if (!race.other_writes) findings_.add_late_writer(finding.other, finding.location);
    if (race.other.strong != weak && strength_of(code) != weak)
      finding.message += ": the scope of one of them is a block, which the other one is not in";
    return finding;
  };
  if (!race.excuse) {
    findings_.add_once(FindingKind::race, site, other_site, make);
  } else if (*race.excuse == StrictRule::same_value_stores) {
    findings_.watch_store(make(), site, other_site, address, size);
    // The thread's next step comes before any other thread's, and ends the slice.
    scheduler_.shorten_slice();
  } else {
    findings_.tolerate(*race.excuse, site, other_site, make);
  }
}

void Engine::report_at(FindingKind kind, const Region& region, std::size_t offset, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.buffer = region.name;
  finding.offset = static_cast<std::int64_t>(offset);
  finding.address = region.begin + offset;
  const AccessRecord* const writer = memory_.shadows[region.number].last_writer(offset);
  if (launch_ != nullptr && writer != nullptr && memory_.detector.is_of_this_launch(*writer)) {
    finding.location = findings_.where(*writer);
    finding.entry = launch_->entry;
  }
  findings_.add(std::move(finding));
}

void Engine::report_restrict(const Region& region, std::size_t offset, const AccessRecord& store,
                             const AccessRecord& other, std::string message) {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.message = std::move(message);
  finding.buffer = region.name;
  finding.offset = static_cast<std::int64_t>(offset);
  finding.address = region.begin + offset;
  finding.entry = launch_->entry;
  finding.location = findings_.where(store);
  finding.other = findings_.where(other);
  findings_.add(std::move(finding));
}

void Engine::bad_index(const IndexedArray& array, long long index, const void* site) {
  fail([&] {
    const std::string type = array.type;
    const auto source = module_->line_of(site);
    std::string name = module_->indexed_name(source.file, static_cast<int>(array.line), static_cast<int>(array.column));
    // The extent in question comes first: 'float [4][8]'.
    const auto bracket = type.find('[');
    const std::string what =
        bracket == std::string::npos
            ? fmt::format("of a {}", type)
            : fmt::format("in a dimension of {} of {}", type.substr(bracket + 1, type.find(']') - bracket - 1),
                          name.empty() ? "an array" : fmt::format("array '{}'", name));
    Finding finding = findings_.made_by(FindingKind::out_of_bounds, running(), site,
                                        fmt::format("index {} {}{}", index, what, MemoryState::hint_at_locals(index)));
    finding.buffer = std::move(name);
    return explained(std::move(finding), [&](const Overflow& overflow) { return overflow.explains(index); });
  });
}

void Engine::overflow(const Overflow& found) {
  overflows_.note(running(), found);
  if (!findings_.knows_arithmetic(found.site)) findings_.arithmetic(running(), found.site, found.words());
}

void Engine::wide_shift(long long by, unsigned bits, const void* site) {
  if (!findings_.knows_arithmetic(site))
    findings_.arithmetic(
        running(), site,
        fmt::format("a shift by {} of a value of {} bits is undefined, and a GPU does otherwise than this CPU", by,
                    bits));
}

void Engine::outside_variable(const void* address, const void* site) {
  fail([&] {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    const std::string message = "access past the end of the variable that it is made through";
    if (!MemoryState::is_local(begin, running())) {
      return finding_at(FindingKind::out_of_bounds, site, begin,
                        [&](const std::string& where) { return message + ", " + where; });
    }
    Finding finding = findings_.made_by(FindingKind::out_of_bounds, running(), site, message);
    finding.address = begin;
    return finding;
  });
}

}  // namespace warpwright::simulator
