// Laws of the compact pattern.
#include "kernels/compact/laws.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/compact/checks.hpp"
#include "kernels/compact/operation.hpp"
#include "kernels/model/elements.hpp"

namespace warpwright::compact {
namespace {

/// The same problem with another number of elements.
Problem resized(Problem problem, std::int64_t elements) {
  problem.shape = {elements};
  return problem;
}

/// Elements [begin, end) of an array of the problem's type.
Bytes part_of(const Bytes& array, const Problem& problem, std::int64_t begin, std::int64_t end) {
  const auto size = static_cast<std::ptrdiff_t>(size_of(problem.type()));
  return {array.begin() + begin * size, array.begin() + end * size};
}

Bytes joined(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// The number of kept elements in observed outputs; 0 if it is out of range.
std::int64_t count_of(const Problem& problem, const std::vector<Bytes>& observed) {
  const std::int64_t kept = elements_of<std::int64_t>(observed.at(1)).at(0);
  return kept < 0 || kept > problem.elements() ? 0 : kept;
}

/// The kept elements in observed outputs.
Bytes head_of(const Problem& problem, const std::vector<Bytes>& observed) {
  return part_of(observed[0], problem, 0, count_of(problem, observed));
}

std::int64_t plain_count(const Problem& problem, const Bytes& in) {
  const std::vector<bool> kept = kept_of(problem, in);
  return std::ranges::count(kept, true);
}

/// The correct selection of `in`, padded with arbitrary elements.
Bytes plain_head(const Problem& problem, const Bytes& in) {
  Problem select = problem;
  select.variant["op"] = "select";
  return oracle(select, {in})[0].values;
}

/// `in` with rejected elements replaced by zeros.
Bytes masked(const Problem& problem, Bytes in) {
  const std::vector<bool> kept = kept_of(problem, in);
  const std::size_t size = size_of(problem.type());
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!kept[i]) std::memset(&in[i * size], 0, size);
  return in;
}

std::string count(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (operation_of(problem) == operation::split) return "";
  return elements_of<std::int64_t>(run(problem, inputs).at(1)).at(0) == plain_count(problem, inputs[0])
             ? ""
             : "the count is not the number of elements that the predicate keeps";
}

/// Compares with separate runs for the first third of the elements and for the rest.
std::string concatenation(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::int64_t n = problem.elements();
  const std::int64_t cut = n / 3;
  const Problem front = resized(problem, cut);
  const Problem back = resized(problem, n - cut);
  std::vector<Bytes> first{part_of(inputs[0], problem, 0, cut)};
  std::vector<Bytes> second{part_of(inputs[0], problem, cut, n)};
  if (operation_of(problem) == operation::split) {
    const std::int64_t used = plain_count(front, first[0]);
    first.push_back(part_of(inputs[1], problem, 0, cut));
    second.push_back(part_of(inputs[1], problem, used, used + n - cut));
    return joined(run(front, first)[0], run(back, second)[0]) == run(problem, inputs)[0]
               ? ""
               : "what the parts are split to is not what the whole is split to";
  }
  const std::vector<Bytes> of_front = run(front, first);
  const std::vector<Bytes> of_back = run(back, second);
  const std::vector<Bytes> of_all = run(problem, inputs);
  if (joined(head_of(front, of_front), head_of(back, of_back)) != head_of(problem, of_all))
    return "what the parts keep is not what the whole keeps";
  if (operation_of(problem) == operation::select) return "";
  const auto rest = [&](const Problem& of, const std::vector<Bytes>& observed) {
    return part_of(observed[0], of, count_of(of, observed), of.elements());
  };
  return joined(rest(front, of_front), rest(back, of_back)) == rest(problem, of_all)
             ? ""
             : "what the parts do not keep is not what the whole does not keep";
}

std::string idempotence(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (operation_of(problem) == operation::split) return "";
  const std::vector<Bytes> once = run(problem, inputs);
  if (operation_of(problem) == operation::partition)
    return run(problem, {once[0]}) == once ? "" : "partitioning what was partitioned changed it";
  const Bytes head = head_of(problem, once);
  const Problem again = resized(problem, static_cast<std::int64_t>(head.size() / size_of(problem.type())));
  return head_of(again, run(again, {head})) == head ? "" : "compacting what was kept did not keep all of it";
}

/// A selection followed by a split gives the masked input. The kernel under test does one of the two, plain code the
/// other.
std::string pack_then_split(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  Bytes result;
  if (operation_of(problem) == operation::split) {
    result = run(problem, {inputs[0], plain_head(problem, inputs[0])})[0];
  } else {
    Problem split = problem;
    split.variant["op"] = "split";
    const std::vector<Bytes> observed = run(problem, inputs);
    Bytes packed = head_of(problem, observed);
    packed.resize(inputs[0].size());
    result = oracle(split, {inputs[0], packed})[0].values;
  }
  return result == masked(problem, inputs[0]) ? "" : "packed and split again, it is not the masked input";
}

}  // namespace

std::vector<Law> laws() {
  return {{.name = "count", .broken = count, .input = "special"},
          {.name = "concatenation", .broken = concatenation, .input = "special"},
          {.name = "idempotence", .broken = idempotence, .input = "special"},
          {.name = "pack then split", .broken = pack_then_split, .input = "special"}};
}

}  // namespace warpwright::compact
