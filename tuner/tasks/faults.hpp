// What became of configurations that cannot be used, counted in plain words.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "kernels/core/verdict.hpp"

namespace warpwright::tuner {

class Faults {
 public:
  /// Counts what is no ordinary end.
  void add(Verdict verdict);
  void add(const Faults& other);

  /// Those that their kernels are to blame for.
  int wrong() const;
  /// "2 wrong, 1 too slow"; empty where there are none.
  std::string text() const;
  /// The word of the gravest verdict, to ask the database by; empty where text() says all there is to know.
  std::string_view gravest() const;

 private:
  std::map<Verdict, int> counts_;
};

}  // namespace warpwright::tuner
