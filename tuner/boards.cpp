// The known boards as devices.
#include "tuner/boards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "db/known_boards.hpp"

namespace warpwright::tuner {
namespace {

std::vector<Board> make_boards() {
  std::vector<Board> result;
  for (const db::KnownBoard& row : db::known_boards()) {
    Device device = architecture_limits(row.compute_capability);
    device.model = row.model;
    device.sm_count = row.sm_count;
    device.sm_clock_mhz = row.clock_mhz;
    device.memory_bandwidth_gbs = row.bandwidth_gbs;
    device.l2_bytes = row.l2_bytes;
    device.memory_bytes = row.memory_bytes;
    result.push_back({std::move(device), row.source});
  }
  return result;
}

std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (result.starts_with("nvidia ")) result.erase(0, 7);
  return result;
}

std::string names_of(const std::vector<const Board*>& some) {
  std::vector<std::string> names;
  for (const Board* board : some) names.push_back(board->device.model);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const std::vector<Board>& boards() {
  static const std::vector<Board> all = make_boards();
  return all;
}

std::vector<Board> boards_of(int compute_capability) {
  std::vector<Board> result;
  for (const Board& board : boards()) {
    if (board.device.compute_capability == compute_capability) result.push_back(board);
  }
  return result;
}

const Board& default_board(int compute_capability) {
  for (const Board& board : boards()) {
    if (board.device.compute_capability == compute_capability) return board;
  }
  throw std::invalid_argument(fmt::format("no board of sm_{}; {}", compute_capability, supported_architectures_text()));
}

const Board& find_board(std::string_view name, int compute_capability) {
  const std::string wanted = folded(name);
  std::vector<const Board*> eligible, matches;
  for (const Board& board : boards()) {
    if (compute_capability != 0 && board.device.compute_capability != compute_capability) continue;
    eligible.push_back(&board);
    const std::string candidate = folded(board.device.model);
    if (candidate == wanted) return board;
    if (!wanted.empty() && candidate.find(wanted) != std::string::npos) matches.push_back(&board);
  }
  if (matches.size() == 1) return *matches.front();
  if (matches.empty()) {
    throw std::invalid_argument(fmt::format("no board is named '{}'; known are {}", name, names_of(eligible)));
  }
  throw std::invalid_argument(fmt::format("'{}' names several boards: {}", name, names_of(matches)));
}

}  // namespace warpwright::tuner
