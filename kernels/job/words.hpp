// The tokens of an expression: numbers, names and operators.
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
  bool is_real = false;  ///< for numbers: has a point or an exponent
  std::size_t offset = 0;
};

/// The tokens, followed by one of kind `end`. Throws ExpressionError for a malformed number.
std::vector<Word> words_of(std::string_view text);

}  // namespace warpwright::job
