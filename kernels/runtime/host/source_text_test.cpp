// What is indexed at a place of device code.
#include "kernels/runtime/host/source_text.hpp"

#include <gtest/gtest.h>

namespace warpwright::host {
namespace {

TEST(SourceText, the_name_before_the_brackets_at_a_place) {
  const std::string text = "int x;\n  tile[i + o[2]] [o[3]] = row->values[k];\n[0] = (a)[1]";
  EXPECT_EQ(indexed_name(text, 2, 7), "tile");
  EXPECT_EQ(indexed_name(text, 2, 13), "o");
  EXPECT_EQ(indexed_name(text, 2, 18), "tile");
  EXPECT_EQ(indexed_name(text, 2, 20), "o");
  EXPECT_EQ(indexed_name(text, 2, 38), "values");
  EXPECT_EQ(indexed_name(text, 2, 40), "values");
  EXPECT_EQ(indexed_name(text, 3, 10), "");
}

TEST(SourceText, no_name_where_there_is_no_bracket) {
  const std::string text = "tile[0] = 1;\n]]";
  for (const auto& [line, column] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, 99}, {2, 1}, {2, 2}, {2, 3}, {9, 1}})
    EXPECT_EQ(indexed_name(text, line, column), "") << line << ':' << column;
  EXPECT_EQ(indexed_name("", 1, 1), "");
}

}  // namespace
}  // namespace warpwright::host
