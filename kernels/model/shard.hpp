// Shards: divides a run among machines, so that each machine computes the same division.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

/// Shard `number` (from 1) of `of` shards; 1 of 1 is everything.
struct Shard {
  int number = 1, of = 1;

  bool is_all() const { return of == 1; }
  bool operator==(const Shard&) const = default;
};

/// No fleet has more machines.
inline constexpr int most_shards = 10'000;

/// Parses "3/16". Throws std::invalid_argument for any other text.
Shard parse_shard(const std::string& text);
/// "3/16"
std::string shard_text(const Shard& shard);

/// The shard, from 1, of one of many small pieces, from its key alone. If pieces are added or removed, the others keep
/// their shards. An additional shard takes about the same number from each of the others.
int shard_of(std::string_view key, int shards);

/// An indivisible piece of work, and its size.
struct Piece {
  std::string key;
  double weight = 1;
};

/// The shard, from 1, of each of a few large pieces. No shard has more than 1.25 times the mean, unless a single piece
/// is larger. Within that limit the keys decide, not the order of the pieces, so that an additional piece moves few
/// others.
std::vector<int> spread_pieces(std::span<const Piece> pieces, int shards);

}  // namespace warpwright
