// How much of what there is to search was evaluated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "db/store/store.hpp"

namespace warpwright::db {

// Of a problem on a board, over all sessions and all kernels that they had.
struct Searched {
  std::int64_t evaluated = 0;       // different configurations, at most those that there are
  std::int64_t configurations = 0;  // that there are; 0: not known
  bool only_defaults = false;       // nothing but the kernels' defaults

  // From 0 to 1.
  std::optional<double> share() const;
  // "100 %", "1 %", "0.2 %", "< 0.1 %"; "default only" where nothing was searched for; "-" where it is not known.
  std::string text() const;
  // "12 of 2300 configurations (0.5 %)"
  std::string in_words() const;
};

Searched searched(const Store&, Id problem_id, Id board_id, std::string_view provenance);

}  // namespace warpwright::db
