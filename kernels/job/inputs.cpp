// Chooses the kinds of data for the inputs of a job.
#include "kernels/job/inputs.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {
namespace {

/// The sign of a comparison ends or begins at this token: <, >, <=, >=, == or !=.
bool is_comparison(const Tokens& tokens, std::size_t at, bool is_behind) {
  if (at >= tokens.size()) return false;
  if (tokens.is(at, "<") || tokens.is(at, ">")) return true;
  const std::size_t other = is_behind ? at + 1 : at - 1;
  if (other >= tokens.size()) return false;
  const std::size_t first = is_behind ? at : other;
  return tokens.is(first + 1, "=") &&
         (tokens.is(first, "<") || tokens.is(first, ">") || tokens.is(first, "=") || tokens.is(first, "!"));
}

bool has_buffer(const Job& job, bool (JobBuffer::*is_of)() const, bool floating) {
  return std::ranges::any_of(job.buffers, [&](const JobBuffer& buffer) {
    return (buffer.*is_of)() && is_floating(buffer.element) == floating;
  });
}

bool has_halves(const Job& job) {
  return std::ranges::any_of(job.buffers, [](const JobBuffer& buffer) { return size_of(buffer.element) == 2; });
}

}  // namespace

std::vector<double> compared_numbers(const std::string& text) {
  const Tokens tokens(text, "");
  std::set<double> numbers;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::number) continue;
    const bool is_negative = tokens.is(i - 1, "-") && i > 1;
    if (!is_comparison(tokens, is_negative ? i - 2 : i - 1, false) && !is_comparison(tokens, i + 1, true)) continue;
    const double number = std::strtod(std::string(tokens.view(i)).c_str(), nullptr);
    constexpr double kMost = 1 << 20;  // sums and products of the numbers stay small
    if (!(number <= kMost)) continue;
    numbers.insert(is_negative ? -number : number);
  }
  return {numbers.begin(), numbers.end()};
}

bool starts_from_infinity(const std::string& text) {
  const Tokens tokens(text, "");
  constexpr std::array names{"INFINITY",  "FLT_MAX",      "DBL_MAX",    "HUGE_VAL",           "HUGE_VALF",
                             "HUGE_VALL", "CUDART_INF_F", "CUDART_INF", "CUDART_MAX_NORMAL_F"};
  constexpr double kLarge = 1e30;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string token(tokens.view(i));
    if (tokens.is_word(i) && std::ranges::find(names, token) != names.end()) return true;
    if (tokens[i].kind == TokenKind::number && std::strtod(token.c_str(), nullptr) >= kLarge) return true;
  }
  return false;
}

std::vector<InputKind> inputs_of(const Lowering& lowering) {
  const Job& job = lowering.job;
  const bool is_exact = job.bound.kind == JobBound::Kind::equal || job.bound.kind == JobBound::Kind::bits;
  std::vector<std::string> words = job.inputs;
  if (words.empty()) {
    words = {"uniform", "normal", "few_values", "all_equal", "sorted", "reversed"};
    // A guessed bound does not hold for results that cancel.
    if (job.bound.kind != JobBound::Kind::guessed) {
      words.insert(words.end(), {"position", "alternating", "tiny"});
      // A number that an integer cannot hold is converted in other ways by a CPU and by a GPU. Sums of halves overflow.
      const bool are_converted =
          has_buffer(job, &JobBuffer::is_input, true) && has_buffer(job, &JobBuffer::is_output, false);
      if (!are_converted && (is_exact || !has_halves(job))) words.emplace_back("huge");
      // Elsewhere, right kernels may subtract or divide infinities.
      if (!are_converted && job.bound.kind == JobBound::Kind::equal && starts_from_infinity(lowering.text.text))
        words.emplace_back("infinities");
      if (!is_exact) words.emplace_back("absorbed");
    }
    if (!lowering.cutoffs.empty() || !job.numbers.empty()) words.emplace_back(kCutoffs);
  }
  std::vector<InputKind> kinds{{.name = "exact", .exact = job.bound.exact}};
  for (const std::string& word : words)
    if (word != "exact")
      kinds.push_back({.name = word, .exact = is_exact, .same_sign = word == "all_equal" || word == "absorbed"});
  return kinds;
}

std::string untested_inputs(const Lowering& lowering) {
  const Job& job = lowering.job;
  const bool has_floats = std::ranges::any_of(job.buffers, [](const JobBuffer& buffer) {
    return buffer.is_input() && is_floating(buffer.element) && !buffer.data.always;
  });
  if (!has_floats || !job.inputs.empty() || !starts_from_infinity(lowering.text.text) ||
      job.bound.kind == JobBound::Kind::guessed)
    return {};
  const std::vector<InputKind> drawn = inputs_of(lowering);
  if (std::ranges::find(drawn, "infinities", &InputKind::name) != drawn.end()) return {};
  return "infinities and NaN are not tested: \"inputs\" may list \"infinities\" and \"special\"";
}

}  // namespace warpwright::job
