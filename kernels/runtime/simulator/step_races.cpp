// Finds races of a plan's steps: unordered steps that touch the same bytes, since a wait is missing.
#include "kernels/runtime/simulator/step_races.hpp"

#include <algorithm>
#include <iterator>

namespace warpwright::simulator {

void StepRaces::split(Pieces& pieces, std::size_t at) {
  auto around = pieces.upper_bound(at);
  if (around == pieces.begin()) return;
  around = std::prev(around);
  if (around->first == at || around->second.end <= at) return;
  Piece rest = around->second;
  around->second.end = at;
  pieces.emplace(at, std::move(rest));
}

std::optional<StepRaces::Conflict> StepRaces::touch(std::size_t step, std::size_t buffer, const Touched& touched) {
  if (touched.begin >= touched.end) return std::nullopt;
  Pieces& pieces = pieces_[buffer];
  split(pieces, touched.begin);
  split(pieces, touched.end);
  std::optional<Conflict> conflict;
  const auto meet = [&](std::size_t other, std::size_t byte, bool other_writes) {
    if (conflict || other == nobody || other == step || are_ordered(steps_[step], steps_[other])) return;
    conflict = Conflict{.other = other, .byte = byte, .other_writes = other_writes};
  };
  // Compares with what was touched before, piece by piece, and adds the gaps between pieces.
  std::size_t at = touched.begin;
  for (auto piece = pieces.lower_bound(touched.begin); at < touched.end; ++piece) {
    if (piece == pieces.end() || piece->first > at) {
      const std::size_t end = piece == pieces.end() ? touched.end : std::min(touched.end, piece->first);
      piece = pieces.emplace(at, Piece{.end = end}).first;
    }
    Piece& known = piece->second;
    meet(known.writer, piece->first, true);
    if (touched.writes) {
      for (const std::size_t reader : known.readers) meet(reader, piece->first, false);
      known.writer = step;
      known.readers.clear();
    } else if (std::ranges::find(known.readers, step) == known.readers.end()) {
      known.readers.push_back(step);
    }
    at = known.end;
  }
  return conflict;
}

}  // namespace warpwright::simulator
