// Tests of finding open questions in drafted job files.
#include "kernels/job/questions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace warpwright::job {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kDraft = R"({
  // Drafted by `tune init`. Each ??? is a question: correct the line below it
  "version": 1,
  // The dimensions of the problem, slowest first ???
  "extents": ["n"],
  "buffers": {
    // A __constant__ variable
    "filter": {"role": "constant", "type": "float", "count": 25},
    // Its number of elements ???
    "out": {"role": "out", "type": "float", "count": "n"}
  },
  "name": "a // no comment ???",
  "steps": [{
    // The host code launches <<<n, 256>>> at line 3
    // ??? What is its
    // kernel?
    // ??? Which block?
    "kernel": "k"
  }],
  // A plain kernel of the same text, or a function;
  // default: the first configuration ???
  "oracle": "default",
  "shared": 0 // not understood ???: needed()
})";

TEST(Questions, AreTheMarkedCommentsWithTheirLinesAndTheNextKey) {
  const auto found = questions_in(kDraft);
  ASSERT_THAT(found, SizeIs(6));
  EXPECT_EQ(found[0].line, 4);
  EXPECT_EQ(found[0].key, "extents");
  EXPECT_EQ(found[0].asks, "The dimensions of the problem, slowest first");
  EXPECT_EQ(found[1].line, 9);
  EXPECT_EQ(found[1].key, "out");
  EXPECT_EQ(found[1].asks, "Its number of elements") << "not what is said of the buffer before";
  EXPECT_EQ(found[2].line, 15);
  EXPECT_EQ(found[2].key, "kernel");
  EXPECT_EQ(found[2].key_line, 18);
  EXPECT_EQ(found[2].asks, "What is its kernel?") << "the mark is in front";
  EXPECT_EQ(found[3].asks, "Which block?");
  EXPECT_EQ(found[4].line, 21);
  EXPECT_EQ(found[4].key, "oracle");
  EXPECT_EQ(found[4].asks, "A plain kernel of the same text, or a function; default: the first configuration");
  EXPECT_EQ(found[5].key, "shared");
  EXPECT_EQ(found[5].key_line, 23);
  EXPECT_EQ(found[5].asks, "not understood: needed()");
}

TEST(Questions, AreNoneInAJobWhoseMarksAreGone) {
  EXPECT_THAT(questions_in("{\n  // Drafted by `tune init`: edit what is marked with ???\n  \"version\": 1\n}"),
              IsEmpty());
  EXPECT_THAT(open_questions("no such file"), IsEmpty());
  EXPECT_EQ(describe("a.json", {}), "");
}

TEST(Questions, ArePrintedInLinesThatFitTheScreen) {
  const std::string words = describe("mine.json", questions_in(kDraft));
  EXPECT_THAT(words, AllOf(HasSubstr("mine.json is a draft with 6 guesses (marked ?"),
                           HasSubstr("\n  mine.json:4: \"extents\": The dimensions of the problem, slowest first\n"),
                           HasSubstr("\n  mine.json:9: \"out\": Its number of elements\n")));
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

}  // namespace
}  // namespace warpwright::job
