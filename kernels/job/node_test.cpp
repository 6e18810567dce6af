// Tests of the line numbers of values in JSON with comments.
#include "kernels/job/node.hpp"

#include <gtest/gtest.h>

namespace warpwright::job {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_node(text, "a.json");
  } catch (const JobError& error) {
    return error.what();
  }
  return "none";
}

TEST(JobText, EveryValueKnowsItsLine) {
  const Node root = parse_node(
      "// first\n{\n  \"a\": 1,\n  /* two\n lines */ \"b\": [\n    \"x\",\n    2.5\n  ],\n  \"c\": {\n  \"d\": "
      "true}\n}\n",
      "a.json");
  EXPECT_EQ(root.line, 2);
  EXPECT_EQ(root.find("a")->line, 3);
  EXPECT_EQ(root.find("b")->line, 5);
  EXPECT_EQ(root.find("b")->items.at(0).line, 6);
  EXPECT_EQ(root.find("b")->items.at(1).line, 7);
  EXPECT_EQ(root.find("b")->items.at(1).number, 2.5);
  EXPECT_EQ(root.find("c")->line, 9);
  EXPECT_EQ(root.find("c")->find("d")->line, 10);
  EXPECT_EQ(root.find("z"), nullptr);
}

TEST(JobText, MembersKeepTheirOrder) {
  const Node root = parse_node(R"({"z": 1, "a": 2})", "a.json");
  EXPECT_EQ(root.members.at(0).first, "z");
  EXPECT_EQ(root.members.at(1).second.text, "2");
}

TEST(JobText, ACommaMayBeLast) {
  const Node root = parse_node("{\"a\": [1, 2, // two,\n ], \"b\": \",]\\\",}\", /* , */\n}", "a.json");
  EXPECT_EQ(root.find("a")->items.size(), 2U);
  EXPECT_EQ(root.find("b")->text, ",]\",}");
  EXPECT_EQ(refusal("{\n\"a\": [,\n]}").substr(0, 9), "a.json:2:");
  EXPECT_EQ(refusal("{\n\"a\": 1,\n\n,}").substr(0, 9), "a.json:4:");
}

TEST(JobText, InvalidJsonIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("{\n\"a\": 1\n\"b\": 2}").substr(0, 9), "a.json:3:");
  EXPECT_EQ(refusal("{\n\"a\": 1,\n\"a\": 2}"), "a.json:3: \"a\" stands twice: leave one");
}

}  // namespace
}  // namespace warpwright::job
