// Distributes pieces of work over shards by consistent hashing.
#include "kernels/model/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "kernels/core/hash.hpp"

namespace warpwright {
namespace {

constexpr double kSlack = 1.25;  ///< the maximum weight of a shard, relative to the mean

std::uint64_t number_of(std::string_view key) {
  constexpr std::size_t kDigits = 16;
  constexpr int kBase = 16;
  return std::stoull(hash_text(key).substr(0, kDigits), nullptr, kBase);
}

}  // namespace

Shard parse_shard(const std::string& text) {
  Shard shard{.number = 0, .of = 0};
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, shard.number);
  bool is_read = first == std::errc{} && slash != end && *slash == '/';
  if (is_read) {
    const auto [rest, second] = std::from_chars(slash + 1, end, shard.of);
    is_read = second == std::errc{} && rest == end;
  }
  if (!is_read) throw std::invalid_argument(fmt::format("'{}' is no shard: write 3/16, the third of sixteen", text));
  if (shard.of < 1 || shard.of > most_shards)
    throw std::invalid_argument(fmt::format("'{}': there are from 1 to {} shards", text, most_shards));
  if (shard.number < 1 || shard.number > shard.of)
    throw std::invalid_argument(fmt::format("'{0}' is none of {1} shards: they are 1/{1} to {1}/{1}", text, shard.of));
  return shard;
}

std::string shard_text(const Shard& shard) {
  return fmt::format("{}/{}", shard.number, shard.of);
}

// Jump consistent hash (J. Lamping, E. Veach, arXiv:1406.2294): as the number of shards grows, the result changes at
// ever rarer numbers, which are drawn one after the other.
int shard_of(std::string_view key, int shards) {
  constexpr std::uint64_t kMultiplier = 2862933555777941757ULL;
  constexpr int kShift = 33;
  constexpr auto kRange = static_cast<double>(1LL << 31);
  std::uint64_t state = number_of(key);
  std::int64_t shard = 0;
  for (std::int64_t next = 0; next < shards;) {
    shard = next;
    state = state * kMultiplier + 1;
    next = static_cast<std::int64_t>(static_cast<double>(shard + 1) *
                                     (kRange / static_cast<double>((state >> kShift) + 1)));
  }
  return static_cast<int>(shard) + 1;
}

// Consistent hashing with bounded loads (V. Mirrokni, M. Thorup, M. Zadimoghaddam, SODA 2018). Each piece tries the
// shards in an order of its own (D. G. Thaler, C. V. Ravishankar, 1998), the heaviest piece first.
std::vector<int> spread_pieces(std::span<const Piece> pieces, int shards) {
  double sum = 0, heaviest = 0;
  for (const Piece& piece : pieces) {
    sum += piece.weight;
    heaviest = std::max(heaviest, piece.weight);
  }
  const double most = std::max(kSlack * sum / shards, heaviest);
  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(
      order, {}, [&](std::size_t i) { return std::tuple(-pieces[i].weight, number_of(pieces[i].key), pieces[i].key); });
  std::vector<double> loads(static_cast<std::size_t>(shards), 0.0);
  std::vector<int> shard_of_piece(pieces.size());
  for (const std::size_t i : order) {
    std::uint64_t best_score = 0;
    std::size_t best = 0;
    bool fits = false;
    for (std::size_t s = 0; s < loads.size(); ++s) {
      if (loads[s] + pieces[i].weight > most) continue;
      const std::uint64_t score = number_of(fmt::format("{} {}", s, pieces[i].key));
      if (!fits || score > best_score) std::tie(fits, best_score, best) = std::tuple(true, score, s);
    }
    if (!fits) best = static_cast<std::size_t>(std::ranges::min_element(loads) - loads.begin());
    loads[best] += pieces[i].weight;
    shard_of_piece[i] = static_cast<int>(best) + 1;
  }
  return shard_of_piece;
}

}  // namespace warpwright
