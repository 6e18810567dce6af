// Computes a problem's ceiling from its bytes and operations and the rates of its board.
#include "db/query/ceiling.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::db {

Rates rates_of(const Session& session) {
  return {.copy_gbs = session.copy_gbs.value_or(0),
          .read_gbs = session.read_gbs.value_or(0),
          .to_device_gbs = session.bus_to_device_gbs.value_or(0),
          .to_host_gbs = session.bus_to_host_gbs.value_or(0),
          .float_gflops = session.float_gflops.value_or(0),
          .double_gflops = session.double_gflops.value_or(0)};
}

Rates rates_of(const Board& board) {
  const auto gflops = [&](int lanes) { return 2.0 * lanes * board.sm_count * board.sm_clock_mhz / 1e3; };
  return {.peaks = true,
          .copy_gbs = board.memory_bandwidth_gbs,
          .read_gbs = board.memory_bandwidth_gbs,
          .float_gflops = gflops(board.fp32_lanes_per_sm),
          .double_gflops = gflops(board.fp64_lanes_per_sm)};
}

std::optional<double> Ceiling::share_at(std::optional<double> us) const {
  if (!is_known() || !us || !(*us > 0)) return std::nullopt;
  return this->us() / *us;
}

std::string Ceiling::words() const {
  if (!is_peak) return name + " ceiling";
  return name == "arithmetic" ? "board's peak arithmetic" : "board's peak bandwidth";
}

std::string Ceiling::text_of(double giga) const {
  return fmt::format("{:.4g} {}", giga * giga_in_unit, unit);
}

Ceiling ceiling_of(const Problem& problem, const Rates& rates) {
  if (problem.bus_to_device + problem.bus_to_host > 0) {
    const auto us = [](double bytes, double gbs) { return gbs > 0 ? bytes / gbs / 1e3 : 0; };
    const double bytes = std::max(problem.bus_to_device, problem.bus_to_host);
    const double longest =
        std::max(us(problem.bus_to_device, rates.to_device_gbs), us(problem.bus_to_host, rates.to_host_gbs));
    return {.name = "bus", .unit = "GB/s", .amount = bytes, .rate = longest > 0 ? bytes / longest / 1e3 : 0};
  }
  const bool copies = problem.bytes_written > problem.bytes_read / 2;
  const Ceiling memory{.name = copies ? "copy" : "read",
                       .unit = "GB/s",
                       .is_peak = rates.peaks,
                       .amount = problem.bytes_read + problem.bytes_written,
                       .rate = copies ? rates.copy_gbs : rates.read_gbs};
  const double gflops = problem.arithmetic == "double"  ? rates.double_gflops
                        : problem.arithmetic == "float" ? rates.float_gflops
                                                        : 0;
  const Ceiling arithmetic{.name = "arithmetic",
                           .unit = "TFLOP/s",
                           .is_peak = rates.peaks,
                           .amount = problem.operations,
                           .rate = gflops,
                           .giga_in_unit = 1e-3};
  if (!arithmetic.is_known() || (memory.is_known() && arithmetic.us() <= memory.us())) return memory;
  return arithmetic;
}

}  // namespace warpwright::db
