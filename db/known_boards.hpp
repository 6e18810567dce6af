// The table of known boards: peaks as their vendor publishes them, and where they were published.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "db/records.hpp"

namespace warpwright::db {

struct KnownBoard {
  int compute_capability;  // major * 10 + minor
  const char* model;
  int sm_count;
  int clock_mhz;  // boost
  double bandwidth_gbs;
  std::int64_t l2_bytes, memory_bytes;
  const char* source;
};

// By compute capability; the first of each is its default.
std::span<const KnownBoard> known_boards();

// Names of boards differ in what vendors put before them: "NVIDIA GeForce RTX 2070" is "rtx2070", as "RTX 2070" is.
std::string bare_model(std::string_view model);

// The board of that name, under the name that is asked; nothing where the table has none.
std::optional<Board> known_board(std::string_view model);

}  // namespace warpwright::db
