// The share of the configurations of a problem that was evaluated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "db/store/store.hpp"

namespace warpwright::db {

// For one problem on one board, over all sessions and all kernels in them.
struct Searched {
  std::int64_t evaluated = 0;       // different configurations evaluated, at most `configurations`
  std::int64_t configurations = 0;  // all configurations; 0 if not known
  bool only_defaults = false;       // only default configurations were evaluated
  std::int64_t kernels_left = 0;    // kernels of which nothing was evaluated

  // From 0 to 1.
  std::optional<double> share() const;
  // "100 %", "1 %", "0.2 %", "< 0.1 %"; "default only" if there was no search; "-" if not known.
  // "2 kernels left" instead if of some kernels nothing was evaluated: the best may be among them.
  std::string text() const;
  // "12 of 2300 configurations (0.5 %)"
  std::string in_words() const;
};

Searched searched(const Store&, Id problem_id, Id board_id, std::string_view provenance);

}  // namespace warpwright::db
