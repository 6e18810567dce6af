// The ceiling of a problem (roofline model): the rate of the bus, the memory or the arithmetic that bounds its time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "db/store/store.hpp"

namespace warpwright::db {

// The rates of a board; 0 if not known.
struct Rates {
  bool peaks = false;  // rates from the vendor's data sheet, not measured
  double copy_gbs = 0, read_gbs = 0;
  double to_device_gbs = 0, to_host_gbs = 0;
  double float_gflops = 0, double_gflops = 0;  // a multiply-add counts as two operations
};

// The rates measured in a session.
Rates rates_of(const Session& session);
// The rates of the data sheet: memory bandwidth, and lanes times SMs times clock for arithmetic.
Rates rates_of(const Board& board);

struct Ceiling {
  std::string name{};       // "copy", "read", "bus", "arithmetic"
  std::string unit{};       // unit in which rates are printed: "GB/s", "TFLOP/s"
  bool is_peak = false;     // from the data sheet of the board
  double amount = 0;        // the problem's bytes or operations that this ceiling counts
  double rate = 0;          // bytes or operations per second / 1e9; 0 if not known
  double giga_in_unit = 1;  // 1e9 per second, expressed in `unit`

  bool is_known() const { return amount > 0 && rate > 0; }
  // The least time of the problem at this rate, which must be known.
  double us() const { return amount / rate / 1e3; }
  std::optional<double> share_at(std::optional<double> us) const;
  std::string text() const { return text_of(rate); }  // the rate: "4304 GB/s", "56.2 TFLOP/s"
  // The rate of a solution that takes this time.
  std::string text_at(double us) const { return text_of(amount / us / 1e3); }
  std::string words() const;  // "read ceiling", "board's peak bandwidth", "board's peak arithmetic"

 private:
  std::string text_of(double giga) const;
};

// The ceiling that gives the longest least time. If data must cross the bus, it is the bus (both directions work at the
// same time); else arithmetic, if that takes longer than memory; else memory, at the rate of copying, or of reading if
// the problem writes little.
Ceiling ceiling_of(const Problem& problem, const Rates& rates);

// The measured ceilings of a database, per GPU model: the highest rates over all its sessions, and over all right
// solutions (kernels and libraries) of problems that are too large for its L2.
class Ceilings {
 public:
  explicit Ceilings(const Store&);

  // Never above the fastest time that is known of the problem on that GPU model. Not known if nothing was measured.
  Ceiling of(const Problem&, const Board&) const;

 private:
  using Model = std::pair<std::string, std::string>;  // name and architecture
  static Model model_of(const Board& board) { return {board.model, board.arch}; }

  std::map<Model, Rates> rates_;
  std::map<std::pair<Model, Id>, double> fastest_us_;  // by model and problem
};

}  // namespace warpwright::db
