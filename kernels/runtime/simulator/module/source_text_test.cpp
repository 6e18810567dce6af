// Tests of the name of an indexed array at a position of device code.
#include "kernels/runtime/simulator/module/source_text.hpp"

#include <gtest/gtest.h>

namespace warpwright::simulator {
namespace {

TEST(SourceText, the_name_before_the_brackets_at_a_position) {
  const std::string code = "int x;\n  tile[i + o[2]] [o[3]] = row->values[k];\n[0] = (a)[1]";
  EXPECT_EQ(indexed_name(code, 2, 7), "tile");
  EXPECT_EQ(indexed_name(code, 2, 13), "o");
  EXPECT_EQ(indexed_name(code, 2, 18), "tile");
  EXPECT_EQ(indexed_name(code, 2, 20), "o");
  EXPECT_EQ(indexed_name(code, 2, 38), "values");
  EXPECT_EQ(indexed_name(code, 2, 40), "values");
  EXPECT_EQ(indexed_name(code, 3, 10), "");
}

TEST(SourceText, no_name_where_there_is_no_bracket) {
  const std::string code = "tile[0] = 1;\n]]";
  for (const auto& [line, column] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, 99}, {2, 1}, {2, 2}, {2, 3}, {9, 1}})
    EXPECT_EQ(indexed_name(code, line, column), "") << line << ':' << column;
  EXPECT_EQ(indexed_name("", 1, 1), "");
}

TEST(SourceText, files_that_a_text_was_made_from_have_their_lines_at_their_numbers) {
  const auto files =
      marked_files("own\n#line 1 \"a.cu\"\none\n#line 1 \"b.h\"\nb[1]\n#line 3 \"a.cu\"\nthree\n#line 9\nfour");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files.at("a.cu"), "one\n\nthree\nfour\n");
  EXPECT_EQ(files.at("b.h"), "b[1]\n");
  EXPECT_TRUE(marked_files("no\nmark\n").empty());
  // Lines that stand in the place of an include.
  const auto with_include =
      marked_files("#line 1 \"a.cu\"\none\n#pragma x\n#include <h>\n#pragma y\n#line 2 \"a.cu\"\n\nthree\n");
  EXPECT_EQ(with_include.at("a.cu"), "one\n\nthree\n#pragma y\n");
}

}  // namespace
}  // namespace warpwright::simulator
