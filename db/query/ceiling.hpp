// What bounds a problem: the rate that the bus, the memory or the arithmetic of its board reaches.
#pragma once

#include <optional>
#include <string>

#include "db/store/records.hpp"

namespace warpwright::db {

// What a board reaches; 0 where it is not known.
struct Rates {
  bool peaks = false;  // as its vendor says, not as it was measured
  double copy_gbs = 0, read_gbs = 0;
  double to_device_gbs = 0, to_host_gbs = 0;
  double float_gflops = 0, double_gflops = 0;  // a multiply-add counts as two
};

// As measured in that session.
Rates rates_of(const Session& session);
// By the data sheet: bandwidth, and lanes times SMs times clock.
Rates rates_of(const Board& board);

struct Ceiling {
  std::string name{};       // "copy", "read", "bus", "arithmetic"
  std::string unit{};       // of rates as they are read: "GB/s", "TFLOP/s"
  bool is_peak = false;     // of the board's data sheet
  double amount = 0;        // bytes or operations that are counted against it
  double rate = 0;          // 1e9 of them a second; 0: not known
  double giga_in_unit = 1;  // 1e9 a second as `unit`

  bool is_known() const { return amount > 0 && rate > 0; }
  // Of the problem at that rate; of one that is known.
  double us() const { return amount / rate / 1e3; }
  std::optional<double> share_at(std::optional<double> us) const;
  std::string text() const { return text_of(rate); }                           // "4304 GB/s", "56.2 TFLOP/s"
  std::string text_at(double us) const { return text_of(amount / us / 1e3); }  // of the problem in that time
  std::string words() const;  // "read ceiling", "board's peak bandwidth", "board's peak arithmetic"

 private:
  std::string text_of(double giga) const;
};

// The rate of the bus where data must cross it (the directions work side by side), else that of arithmetic where it
// takes longer than memory, else the one that memory reaches when it mostly copies, or mostly reads.
Ceiling ceiling_of(const Problem& problem, const Rates& rates);

}  // namespace warpwright::db
