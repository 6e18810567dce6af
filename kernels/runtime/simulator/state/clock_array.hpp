// Times by number of a thread or a block; copies share equal parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpwright::simulator {

/// A time for each key, 0 where none was set. Copies share parts of 32 keys. So a copy that differs in few keys is
/// small, and the maximum of two arrays only computes the parts in which they differ.
class ClockArray {
 public:
  std::uint32_t time_of(std::uint32_t key) const;
  /// Raises the time to that one, if it was earlier.
  void raise(std::uint32_t key, std::uint32_t time);
  /// Raises every time to the later one of both.
  void raise(const ClockArray& other);
  /// Whether no time of the other is later than the time here.
  bool covers(const ClockArray& other) const;
  /// Forgets parts. `is_known(first, last, latest)` says that all keys in that range up to that time need no clock.
  template <class IsKnown>
  void forget(IsKnown is_known) {
    std::erase_if(parts_, [&](const Part& part) {
      const std::uint32_t first = part.number * part_keys;
      return is_known(first, first + part_keys - 1, part.times->latest);
    });
  }

 private:
  static constexpr std::uint32_t part_keys = 32;
  struct Times {
    std::array<std::uint32_t, part_keys> of{};
    std::uint32_t latest = 0;
  };
  using SharedTimes = std::shared_ptr<const Times>;
  struct Part {
    std::uint32_t number = 0;
    SharedTimes times;
  };

  std::size_t place_of(std::uint32_t number) const;
  static bool covers(const Times& times, const Times& other);

  std::vector<Part> parts_;  ///< in the order of their numbers
};

}  // namespace warpwright::simulator
