// Parts of a run for many machines: which of them has a piece of work, the same whoever asks.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

/// The part `number` (from 1) of `of`; 1 of 1 is all.
struct Shard {
  int number = 1, of = 1;

  bool is_all() const { return of == 1; }
  bool operator==(const Shard&) const = default;
};

/// So many machines are more than anyone has.
inline constexpr int most_shards = 10'000;

/// Of "3/16"; throws std::invalid_argument for any other text.
Shard parse_shard(const std::string& text);
/// "3/16"
std::string shard_text(const Shard& shard);

/// The shard, from 1, of one of many small pieces, by its key alone: where pieces come and go the others stay, and one
/// shard more takes a like number from each of them.
int shard_of(std::string_view key, int shards);

/// A piece of work that is done whole, and how much it is.
struct Piece {
  std::string key;
  double weight = 1;
};

/// The shard, from 1, of each of a few large pieces. None has more than a quarter above the mean, unless one piece is
/// more than that; which pieces share a shard goes by their keys as far as that allows, whatever their order, so that a
/// piece more moves few others.
std::vector<int> spread_pieces(std::span<const Piece> pieces, int shards);

}  // namespace warpwright
