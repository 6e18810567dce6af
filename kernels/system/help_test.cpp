// Tests of helps, and of messages on command lines that cannot be parsed.
#include "kernels/system/help.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "kernels/system/nearest.hpp"

namespace warpwright::program {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class HelpTest : public testing::Test {
 protected:
  HelpTest() {
    app_.fallthrough();
    app_.require_subcommand(0, 1);
    app_.add_option("--db", text_, "Database")->type_name("FILE")->group("Database");
    CLI::App* best = app_.add_subcommand("best", "The best");
    best->add_option("--arch", text_, "Architecture: sm_90")->required()->type_name("ARCH")->group("Which ones");
    best->add_option("--cases", number_, "Cases")->check(CLI::PositiveNumber)->capture_default_str();
    best->add_option("--sort", text_, std::string(90, 'x') + " and more")->check(CLI::IsMember({"newest", "time"}));
    CLI::Option* json = best->add_flag("--json", flag_, "Print JSON")->group(group::kOutput);
    best->add_flag("--csv", flag_, "Print CSV")->group(group::kOutput)->excludes(json);
    best->add_flag("--all", flag_, "All of the list")->group(group::kOutput)->needs(json);
    best->add_option("--of", words_, "Kinds")->check(CLI::IsMember({"right", "wrong"}))->allow_extra_args(false);
    best->add_option("others", list_, "Files");
    app_.add_subcommand("show", "One")->add_option("id", text_, "Its number")->required();
    format_help(app_);
  }

  std::string help(const std::string& line) {
    try {
      app_.parse(line);
    } catch (const CLI::CallForHelp&) {
    }
    return app_.help();
  }

  // The message for the line; empty if it can be parsed.
  std::string said(const std::string& line) {
    try {
      app_.parse(line);
    } catch (const CLI::ParseError& error) {
      return complaint(app_, error);
    }
    return "";
  }

  CLI::App app_{"Asks databases.", "tunedb"};
  std::string text_;
  std::vector<std::string> list_, words_;
  int number_ = 200;
  bool flag_ = false;
};

TEST_F(HelpTest, ListsSubCommandsAndGroupsOfOptions) {
  EXPECT_THAT(help("--help"),
              AllOf(HasSubstr("Asks databases.\n\nUsage: tunedb SUB-COMMAND [OPTIONS]\n"),
                    HasSubstr("\nSub-commands, each with its own --help:\n  best                      The best\n"),
                    HasSubstr("\nDatabase:\n  --db FILE                 Database\n"),
                    HasSubstr("\nAbout the program:\n  -h, --help                Print this help\n")));
}

TEST_F(HelpTest, OfASubCommandListsTheSharedOptions) {
  const std::string text = help("best --help");
  EXPECT_THAT(text, AllOf(HasSubstr("Usage: tunedb best [OTHERS...] [OPTIONS]\n"),
                          HasSubstr("  --arch ARCH               Architecture: sm_90 (must be given)\n"),
                          HasSubstr("  --cases NUMBER            Cases (default: 200)\n"),
                          HasSubstr("  --csv                     Print CSV\n"),
                          HasSubstr("  --all                     All of the list. Needs --json.\n"),
                          HasSubstr("\nDatabase:\n  --db FILE"), HasSubstr("One of: newest, time")));
  EXPECT_LT(text.find("--db"), text.find("--help"));
}

TEST_F(HelpTest, HasNoLongLines) {
  std::istringstream lines(help("best --help"));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), line.find("xxx") == std::string::npos ? kHelpColumns : 28 + 90) << line;
}

TEST_F(HelpTest, AnUnknownOptionIsReportedWithTheMostSimilarOne) {
  EXPECT_EQ(said("best --acrh sm_90"),
            "tunedb best: there is no option --acrh; did you mean --arch? See: tunedb best --help\n");
  EXPECT_EQ(said("best -arch sm_90"),
            "tunedb best: there is no option -arch; did you mean --arch? See: tunedb best --help\n");
  EXPECT_EQ(said("--colour"), "tunedb: there is no option --colour. See: tunedb --help\n");
  EXPECT_THAT(said("--json best --arch sm_90"), HasSubstr("--json belongs after the sub-command"));
  EXPECT_EQ(said("bets"), "tunedb: there is no sub-command 'bets'; did you mean best? See: tunedb --help\n");
  EXPECT_EQ(said("bst --arch sm_75"), "tunedb: there is no sub-command 'bst'; did you mean best? See: tunedb --help\n");
  EXPECT_EQ(said("bst --colour"), "tunedb: there is no sub-command 'bst'; did you mean best? See: tunedb --help\n");
  EXPECT_THAT(said("xyz"), HasSubstr("there is no sub-command 'xyz'; there are: best, show"));
}

TEST_F(HelpTest, AMissingOrWrongValueIsReported) {
  EXPECT_THAT(said("best"), HasSubstr("tunedb best: --arch must be given (Architecture: sm_90). See:"));
  EXPECT_THAT(said("best --arch"), HasSubstr("--arch takes a value: Architecture: sm_90"));
  EXPECT_THAT(said("best --arch sm_90 --sort tiem"), HasSubstr("--sort does not take 'tiem'; did you mean time?"));
  EXPECT_THAT(said("best --arch sm_90 --of wrogn --of right"),
              HasSubstr("--of does not take 'wrogn'; did you mean wrong?"));
  EXPECT_THAT(said("best --arch sm_90 --sort by"), HasSubstr("it takes one of: newest, time"));
  EXPECT_THAT(said("best --arch sm_90 --cases some"), HasSubstr("--cases takes a whole number above 0, not 'some'"));
  EXPECT_THAT(said("best --arch sm_90 --cases 1.5"), HasSubstr("--cases takes a whole number above 0, not '1.5'"));
  EXPECT_THAT(said("show"), HasSubstr("tunedb show: ID must be given (Its number"));
  EXPECT_THAT(said("show 1 2"), HasSubstr("tunedb show: '2' is one word too many"));
}

TEST_F(HelpTest, ConflictingOptionsAreReported) {
  EXPECT_THAT(said("best --arch sm_90 --csv --json"), HasSubstr("do not go together: leave one of them out. See:"));
  EXPECT_THAT(said("best --arch sm_90 --all"), HasSubstr("--all needs --json too"));
}

TEST(Nearest, IsFoundForAMistypedWord) {
  const std::vector<std::string> known{"reduce", "transpose", "scan", "stencil", "--pattern"};
  EXPECT_EQ(nearest("reduec", known), "reduce");
  EXPECT_EQ(nearest("transpos", known), "transpose");
  EXPECT_EQ(nearest("SCAN", known), "scan");
  EXPECT_EQ(nearest("sten", known), "stencil");
  EXPECT_EQ(nearest("--patern", known), "--pattern");
  EXPECT_EQ(nearest("matmul", known), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest(std::string(5000, 'A'), known), "");
}

TEST(Nearest, IsNamedOrElseAllWordsAre) {
  EXPECT_EQ(unknown("pattern", "reduec", {"reduce", "scan"}), "there is no pattern 'reduec'; did you mean reduce?");
  EXPECT_EQ(unknown("pattern", "x", {"reduce", "scan"}), "there is no pattern 'x'; there are: reduce, scan");
}

}  // namespace
}  // namespace warpwright::program
