// The table of known boards, and looking boards up by name.
#include "kernels/core/boards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "kernels/core/target.hpp"
#include "kernels/core/text.hpp"

namespace warpwright {
namespace {

constexpr std::int64_t kib = 1024;
constexpr std::int64_t mib = 1024 * kib;
constexpr std::int64_t gb = 1024 * mib;

constexpr const char* turing =
    "NVIDIA Turing GPU Architecture, WP-09183-001, appendices A-D, and the board's product page";
constexpr const char* turing116 = "GeForce GTX 16 series product pages (TU116, TU117)";
constexpr const char* t4 = "NVIDIA T4 datasheet, 2019; NVIDIA Turing GPU Architecture, WP-09183-001, appendix C";
constexpr const char* a100 = "NVIDIA A100 datasheet, 2021; NVIDIA A100 Tensor Core GPU Architecture, V1.0, table 4";
constexpr const char* a30 = "NVIDIA A30 datasheet, 2021";
constexpr const char* ampere =
    "NVIDIA Ampere GA102 GPU Architecture, V2.1, tables 2, 6 and 7, and the board's product page";
constexpr const char* orin =
    "NVIDIA Jetson AGX Orin Series Technical Brief, v1.2, 2022; Jetson Orin NX Series datasheet";
constexpr const char* stand_in =
    "stand-in: NVIDIA names no board of compute capability 8.8. 12 Ampere SMs at 1007 MHz and 102.4 GB/s as published "
    "for the T239 (Nintendo and Digital Foundry, May 2025); L2 assumed; limits taken from 8.6";
constexpr const char* ada = "NVIDIA Ada GPU Architecture, V2.1, appendices A and B, and the board's datasheet";
constexpr const char* hopper =
    "NVIDIA H100 Tensor Core GPU Architecture, V1.04, table 3; H100, H200 and GH200 datasheets";
constexpr const char* b200 =
    "device attributes of a B200 in pytorch/ao pull request 4002, 2026 (148 SMs, 7680 bit at 3996 MHz, 126.5 MB L2); "
    "NVIDIA Blackwell datasheet, 2024; boost clock as cuDNN and driver tables list it (1965 MHz)";
constexpr const char* b300 =
    "NVIDIA, Inside Blackwell Ultra, 2025 (8 TB/s, 288 GB); HGX B300 datasheet (75 TFLOP/s float: 148 SMs at 1.98 GHz)";
constexpr const char* thor =
    "NVIDIA Jetson T5000 datasheet, 2025 (2560 lanes, 1.57 GHz, 273 GB/s, 128 GB); 20 SMs and 32 MiB L2 from device "
    "attributes in NVIDIA developer forum thread 356355 and apache/tvm pull request 20259";
constexpr const char* blackwell =
    "NVIDIA RTX Blackwell GPU Architecture, V1.1, appendices A and B, and the board's datasheet";
constexpr const char* gb10 =
    "DGX Spark hardware overview (6144 lanes, 273 GB/s, 128 GB); deviceQuery output at blog.kubesimplify.com, day 3 of "
    "DGX Spark (48 SMs, 2418 MHz, 24 MiB L2)";

struct Row {
  int compute_capability;  // major * 10 + minor
  const char* model;
  int sm_count;
  int clock_mhz;  // boost
  double bandwidth_gbs;
  std::int64_t l2_bytes, memory_bytes;
  const char* source;
};

// By compute capability. The first board of each one is its default.
constexpr Row kRows[] = {
    {75, "Tesla T4", 40, 1590, 320, 4 * mib, 16 * gb, t4},
    {75, "GeForce RTX 2060", 30, 1680, 336, 3 * mib, 6 * gb, turing},
    {75, "GeForce RTX 2070", 36, 1620, 448, 4 * mib, 8 * gb, turing},
    {75, "GeForce RTX 2070 SUPER", 40, 1770, 448, 4 * mib, 8 * gb, turing},
    {75, "GeForce RTX 2080", 46, 1710, 448, 4 * mib, 8 * gb, turing},
    {75, "GeForce RTX 2080 SUPER", 48, 1815, 496, 4 * mib, 8 * gb, turing},
    {75, "GeForce RTX 2080 Ti", 68, 1545, 616, 5632 * kib, 11 * gb, turing},
    {75, "TITAN RTX", 72, 1770, 672, 6 * mib, 24 * gb, turing},
    {75, "Quadro RTX 4000", 36, 1545, 416, 4 * mib, 8 * gb, turing},
    {75, "Quadro RTX 5000", 48, 1815, 448, 4 * mib, 16 * gb, turing},
    {75, "Quadro RTX 6000", 72, 1770, 672, 6 * mib, 24 * gb, turing},
    {75, "Quadro RTX 8000", 72, 1770, 672, 6 * mib, 48 * gb, turing},
    {75, "GeForce GTX 1650", 14, 1665, 128, 1 * mib, 4 * gb, turing116},
    {75, "GeForce GTX 1660 Ti", 24, 1770, 288, 1536 * kib, 6 * gb, turing116},
    {80, "A100-SXM4-40GB", 108, 1410, 1555, 40 * mib, 40 * gb, a100},
    {80, "A100-SXM4-80GB", 108, 1410, 2039, 40 * mib, 80 * gb, a100},
    {80, "A100 80GB PCIe", 108, 1410, 1935, 40 * mib, 80 * gb, a100},
    {80, "A30", 56, 1440, 933, 24 * mib, 24 * gb, a30},
    {86, "GeForce RTX 3090", 82, 1695, 936, 6 * mib, 24 * gb, ampere},
    {86, "GeForce RTX 3060", 28, 1777, 360, 3 * mib, 12 * gb, ampere},
    {86, "GeForce RTX 3070", 46, 1725, 448, 4 * mib, 8 * gb, ampere},
    {86, "GeForce RTX 3080", 68, 1710, 760, 5 * mib, 10 * gb, ampere},
    {86, "A10", 72, 1695, 600, 6 * mib, 24 * gb, ampere},
    {86, "A40", 84, 1740, 696, 6 * mib, 48 * gb, ampere},
    {86, "RTX A4000", 48, 1560, 448, 4 * mib, 16 * gb, ampere},
    {86, "RTX A6000", 84, 1800, 768, 6 * mib, 48 * gb, ampere},
    {87, "Jetson AGX Orin 64GB", 16, 1300, 204.8, 4 * mib, 64 * gb, orin},
    {88, "sm_88 stand-in", 12, 1007, 102.4, 1 * mib, 12 * gb, stand_in},
    {89, "L4", 58, 2040, 300, 48 * mib, 24 * gb, ada},
    {89, "L40S", 142, 2520, 864, 96 * mib, 48 * gb, ada},
    {89, "GeForce RTX 4070", 46, 2475, 504, 36 * mib, 12 * gb, ada},
    {89, "GeForce RTX 4080", 76, 2505, 716.8, 64 * mib, 16 * gb, ada},
    {89, "GeForce RTX 4090", 128, 2520, 1008, 72 * mib, 24 * gb, ada},
    {89, "RTX 6000 Ada Generation", 142, 2505, 960, 96 * mib, 48 * gb, ada},
    {90, "H100 SXM", 132, 1980, 3350, 50 * mib, 80 * gb, hopper},
    {90, "H100 PCIe", 114, 1755, 2000, 50 * mib, 80 * gb, hopper},
    {90, "H200", 132, 1980, 4800, 50 * mib, 141 * gb, hopper},
    {90, "GH200 96GB", 132, 1980, 4000, 50 * mib, 96 * gb, hopper},
    {100, "B200", 148, 1965, 7672, 129536 * kib, 180 * gb, b200},
    {103, "B300", 148, 1980, 8000, 129536 * kib, 288 * gb, b300},
    {110, "Jetson AGX Thor", 20, 1575, 273, 32 * mib, 128 * gb, thor},
    {120, "GeForce RTX 5090", 170, 2407, 1792, 96 * mib, 32 * gb, blackwell},
    {120, "GeForce RTX 5070", 48, 2512, 672, 48 * mib, 12 * gb, blackwell},
    {120, "GeForce RTX 5080", 84, 2617, 960, 64 * mib, 16 * gb, blackwell},
    {120, "RTX PRO 6000 Blackwell", 188, 2617, 1792, 128 * mib, 96 * gb, blackwell},
    {121, "GB10", 48, 2418, 273, 24 * mib, 128 * gb, gb10},
};

std::vector<Board> make_boards() {
  std::vector<Board> result;
  for (const Row& row : kRows) {
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
  for (const Board* board : matches)
    if (bare_model(board->device.model) == bare_model(name)) return *board;
  if (matches.empty()) {
    throw std::invalid_argument(fmt::format("no board is named '{}'; known are {}", name, names_of(eligible)));
  }
  throw std::invalid_argument(
      fmt::format("'{}' names several boards: {}; write one of these", name, names_of(matches)));
}

std::string bare_model(std::string_view model) {
  std::string bare = lower_case(model);
  for (const std::string_view word : {"nvidia", "geforce", "tesla", "quadro"}) {
    const std::size_t at = bare.find(word);
    if (at != std::string::npos) bare.erase(at, word.size());
  }
  std::erase(bare, ' ');
  return bare;
}

double distance_in_bandwidth(std::optional<double> one, std::optional<double> other) {
  return one && other ? 1 + std::abs(std::log2(*other / *one)) : std::numeric_limits<double>::max();
}

}  // namespace warpwright
