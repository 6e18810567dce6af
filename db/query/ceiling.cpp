// Computes a problem's ceiling from its bytes and operations and the rates of its board.
#include "db/query/ceiling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "db/store/connection.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

void raise(double& known, double rate) {
  known = std::max(known, rate);
}

}  // namespace

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

Ceilings::Ceilings(const Store& store) {
  std::map<Id, Board> boards;
  for (Board& board : store.boards()) boards[board.id] = std::move(board);
  std::map<Id, Rates> of_session;
  for (const Session& session : store.sessions()) of_session[session.id] = rates_of(session);
  Statement pairs(store.connection(),
                  fmt::format("SELECT DISTINCT board_id, session_id FROM trial WHERE provenance = '{}'"
                              " AND board_id IS NOT NULL AND session_id IS NOT NULL",
                              provenance::measured));
  while (pairs.step()) {
    Rates& rates = rates_[model_of(boards.at(pairs.get<Id>(0)))];
    const Rates& seen = of_session.at(pairs.get<Id>(1));
    raise(rates.copy_gbs, seen.copy_gbs);
    raise(rates.read_gbs, seen.read_gbs);
    raise(rates.to_device_gbs, seen.to_device_gbs);
    raise(rates.to_host_gbs, seen.to_host_gbs);
    raise(rates.float_gflops, seen.float_gflops);
    raise(rates.double_gflops, seen.double_gflops);
  }
  std::map<Id, Problem> problems;
  for (Problem& problem : store.problems()) problems[problem.id] = std::move(problem);
  Statement times(store.connection(),
                  fmt::format("SELECT board_id, problem_id, min(us) FROM"
                              " (SELECT board_id, problem_id, median_us AS us FROM trial"
                              "   WHERE provenance = '{0}' AND verdict = '{1}' AND NOT stopped_early"
                              "  UNION ALL SELECT board_id, problem_id, median_us FROM baseline WHERE verdict = '{1}')"
                              " WHERE us > 0 AND board_id IS NOT NULL GROUP BY board_id, problem_id",
                              provenance::measured, verdict::passed));
  constexpr double kTimesL2 = 4;
  while (times.step()) {
    const Board& board = boards.at(times.get<Id>(0));
    const Problem& problem = problems.at(times.get<Id>(1));
    const double us = times.get<double>(2);
    const auto [known, is_new] = fastest_us_.try_emplace({model_of(board), problem.id}, us);
    known->second = std::min(known->second, us);
    const auto rates = rates_.find(model_of(board));
    if (rates == rates_.end()) continue;
    const Ceiling ceiling = ceiling_of(problem, rates->second);
    const bool is_memory = ceiling.name == "copy" || ceiling.name == "read";
    if (!is_memory || !ceiling.is_known() || ceiling.amount < kTimesL2 * static_cast<double>(board.l2_bytes)) continue;
    raise(ceiling.name == "copy" ? rates->second.copy_gbs : rates->second.read_gbs, ceiling.amount / us / 1e3);
  }
}

Ceiling Ceilings::of(const Problem& problem, const Board& board) const {
  const auto rates = rates_.find(model_of(board));
  if (rates == rates_.end()) return {};
  Ceiling ceiling = ceiling_of(problem, rates->second);
  const auto fastest = fastest_us_.find({model_of(board), problem.id});
  if (ceiling.is_known() && fastest != fastest_us_.end())
    ceiling.rate = std::max(ceiling.rate, ceiling.amount / fastest->second / 1e3);
  return ceiling;
}

}  // namespace warpwright::db
