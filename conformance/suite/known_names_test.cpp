// Tests of the messages for unknown names.
#include "conformance/suite/known_names.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string said(const std::vector<std::string>& globs, const std::vector<std::string>& others = {}) {
  try {
    require_names(catalogue(), globs, others);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(KnownNames, MayBePatternsKernelsAndGlobs) {
  EXPECT_EQ(said({}), "");
  EXPECT_EQ(said({"reduce", "reduce/sequential", "reduce/*", "*"}), "");
}

TEST(KnownNames, TheMostSimilarNameIsSuggested) {
  EXPECT_EQ(said({"scan", "redcue"}), "no pattern or kernel is named 'redcue'; did you mean reduce?");
  EXPECT_THAT(said({"reduce/sequental"}), HasSubstr("did you mean reduce/sequential?"));
  EXPECT_THAT(said({"sequential"}), Not(HasSubstr("did you mean")));
}

TEST(KnownNames, AWordThatIsNearASubcommandMayMeanIt) {
  for (const char* word : {"inti", "innit"}) EXPECT_THAT(said({word}, {"init", "import-t1"}), HasSubstr("mean init?"));
  EXPECT_THAT(said({"init"}, {"init"}), HasSubstr("no pattern or kernel is named 'init'"));
}

TEST(KnownNames, ElseThePatternsAreListed) {
  EXPECT_THAT(said({"nothing/*"}), AllOf(HasSubstr("the patterns are compact, convolution"), HasSubstr("--list"),
                                         Not(HasSubstr("scan/naive"))));
}

TEST(KnownNames, TheKernelOfAReproLineIsChecked) {
  require_kernel_of(catalogue(), "");
  require_kernel_of(catalogue(), "kernel=reduce/sequential params={}");
  EXPECT_THROW(require_kernel_of(catalogue(), "kernel=reduce/sequental params={}"), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright::conformance
