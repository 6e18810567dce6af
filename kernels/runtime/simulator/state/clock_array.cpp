// Times by number of a thread or a block; copies share equal parts.
#include "kernels/runtime/simulator/state/clock_array.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::simulator {

std::size_t ClockArray::place_of(std::uint32_t number) const {
  const auto place = std::lower_bound(parts_.begin(), parts_.end(), number,
                                      [](const Part& part, std::uint32_t wanted) { return part.number < wanted; });
  return static_cast<std::size_t>(place - parts_.begin());
}

std::uint32_t ClockArray::time_of(std::uint32_t key) const {
  const std::size_t place = place_of(key / part_keys);
  if (place == parts_.size() || parts_[place].number != key / part_keys) return 0;
  return parts_[place].times->of[key % part_keys];
}

void ClockArray::raise(std::uint32_t key, std::uint32_t time) {
  const std::uint32_t number = key / part_keys;
  const std::size_t place = place_of(number);
  const bool is_new = place == parts_.size() || parts_[place].number != number;
  if (!is_new && parts_[place].times->of[key % part_keys] >= time) return;
  const auto times = is_new ? std::make_shared<Times>() : std::make_shared<Times>(*parts_[place].times);
  times->of[key % part_keys] = time;
  times->latest = std::max(times->latest, time);
  if (is_new)
    parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(place), {number, times});
  else
    parts_[place].times = times;
}

bool ClockArray::covers(const Times& times, const Times& other) {
  for (std::size_t i = 0; i < part_keys; ++i)
    if (times.of[i] < other.of[i]) return false;
  return true;
}

void ClockArray::raise(const ClockArray& other) {
  std::vector<Part> all;
  all.reserve(std::max(parts_.size(), other.parts_.size()));
  auto mine = parts_.begin();
  auto theirs = other.parts_.begin();
  while (mine != parts_.end() || theirs != other.parts_.end()) {
    if (theirs == other.parts_.end() || (mine != parts_.end() && mine->number < theirs->number)) {
      all.push_back(std::move(*mine++));
    } else if (mine == parts_.end() || theirs->number < mine->number) {
      all.push_back(*theirs++);
    } else {
      if (mine->times == theirs->times || covers(*mine->times, *theirs->times)) {
        all.push_back(std::move(*mine));
      } else if (covers(*theirs->times, *mine->times)) {
        all.push_back(*theirs);
      } else {
        const auto later = std::make_shared<Times>(*mine->times);
        for (std::size_t i = 0; i < part_keys; ++i) later->of[i] = std::max(later->of[i], theirs->times->of[i]);
        later->latest = std::max(later->latest, theirs->times->latest);
        all.push_back({mine->number, later});
      }
      ++mine;
      ++theirs;
    }
  }
  parts_ = std::move(all);
}

bool ClockArray::covers(const ClockArray& other) const {
  return std::all_of(other.parts_.begin(), other.parts_.end(), [this](const Part& part) {
    const std::size_t place = place_of(part.number);
    if (place == parts_.size() || parts_[place].number != part.number) return part.times->latest == 0;
    return parts_[place].times == part.times || covers(*parts_[place].times, *part.times);
  });
}

}  // namespace warpwright::simulator
