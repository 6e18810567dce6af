// The words of an expression: numbers, names and signs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::job {

struct Word {
  enum class Kind { number, name, sign, end } kind = Kind::end;
  std::string text = {};
  long double number = 0;
  bool is_real = false;  ///< of a number: it has a point or an exponent
  std::size_t offset = 0;
};

/// The text's words, and behind them one of the kind `end`. Throws ExpressionError for a number that is none.
std::vector<Word> words_of(std::string_view text);

}  // namespace warpwright::job
