// Reads which elements of an output are compared. Names elements by the dimensions of their buffer.
#include "kernels/job/compared.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/job/draft_words.hpp"
#include "kernels/job/reader.hpp"

namespace warpwright::job {
namespace {

/// The dimensions of a buffer, slowest first. Each factor at the beginning that is an extent is a dimension; the other
/// factors together are the length of a row. If the count is no such product, there is one dimension.
std::vector<std::int64_t> dimensions_of(const JobBuffer& buffer, const Names& names) {
  std::vector<std::int64_t> dimensions;
  bool is_row = false;
  for (const std::string& factor : factors_of(buffer.count.text())) {
    const auto value = static_cast<std::int64_t>(Expression::parse(factor).value(names));
    if (is_row)
      dimensions.back() *= value;
    else
      dimensions.push_back(value);
    is_row = is_row || !names.contains(factor);
  }
  return dimensions;
}

}  // namespace

Compared compared_of(const Node& node, const JobBuffer& buffer) {
  if (!buffer.is_output()) node.fail("only what is out or inout is compared");
  if (size_of(buffer.element) == 8 && !is_floating(buffer.element))
    node.fail("\"compare\" is not possible for 64-bit integers: they are compared as they are");
  if (node.is(Node::Kind::text)) {
    if (node.text != "where written")
      node.fail(
          "\"compare\" is \"where written\" (by the oracle), {\"from\": 0, \"below\": \"n\"}, or {\"row\": \"width\", "
          "\"pitch\": \"pitch\"}");
    if (buffer.role != Role::out) node.fail("\"where written\" is for what is out: what is inout has values before");
    return {.kind = Compared::Kind::where_written};
  }
  only(node, "\"compare\"", {"from", "below", "row", "pitch"});
  if (const Node* row = node.find("row"))
    return {
        .kind = Compared::Kind::rows,
        .first = as_expression(*row, "\"row\""),
        .second = as_expression(needed(node, "pitch", "how many elements a row has with its padding"), "\"pitch\"")};
  Compared compared{.kind = Compared::Kind::range};
  if (const Node* from = node.find("from")) compared.first = as_expression(*from, "\"from\"");
  compared.second = as_expression(needed(node, "below", "the index behind the last element"), "\"below\"");
  return compared;
}

std::string element_name(const JobBuffer& buffer, const Names& names, std::int64_t index) {
  constexpr std::array<const char*, 4> members{".x", ".y", ".z", ".w"};
  const std::string member = buffer.lanes > 1 ? members.at(static_cast<std::size_t>(index % buffer.lanes)) : "";
  const std::int64_t element = index / buffer.lanes;
  const std::vector<std::int64_t> dimensions = dimensions_of(buffer, names);
  if (dimensions.size() < 2) return fmt::format("{}[{}]{}", buffer.name, element, member);
  std::vector<std::int64_t> indices(dimensions.size());
  std::int64_t rest = element;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    indices[i] = i == 0 ? rest : rest % std::max<std::int64_t>(dimensions[i], 1);
    rest /= std::max<std::int64_t>(dimensions[i], 1);
  }
  return fmt::format("{}[{}]{} of {}", buffer.name, fmt::join(indices, ", "), member, fmt::join(dimensions, " x "));
}

}  // namespace warpwright::job
