// Tests of completion: what the programs suggest, and that bash accepts their scripts.
#include "kernels/system/completion.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "kernels/system/temporary_folder.hpp"

namespace warpwright::program {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

class CompletionTest : public testing::Test {
 protected:
  CompletionTest() {
    app_.fallthrough();
    app_.add_option("--db", text_);
    app_.add_option("--devices", text_)->check(CLI::IsMember({"first", "all"}));
    app_.add_option("--size", list_);
    app_.add_flag("--json", flag_);
    app_.add_flag("--djson", flag_)->group("");  // an old name
    CLI::App* best = app_.add_subcommand("best");
    best->add_option("--arch", text_);
    best->add_option("kernels", list_);
    app_.add_subcommand("backup");
  }

  std::vector<std::string> at(const std::vector<std::string>& words) const {
    return completions(app_, words, [](const std::string& option) -> std::vector<std::string> {
      if (option == "--arch") return {"native", "sm_75", "sm_90"};
      if (option == "kernels") return {"reduce", "reduce/sequential", "transpose"};
      return {};
    });
  }

  CLI::App app_{"A program.", "program"};
  std::string text_;
  std::vector<std::string> list_;
  bool flag_ = false;
};

TEST_F(CompletionTest, OffersSubcommandsAndOptions) {
  EXPECT_THAT(at({""}), UnorderedElementsAre("best", "backup"));
  EXPECT_THAT(at({"be"}), ElementsAre("best"));
  EXPECT_THAT(at({"--d"}), UnorderedElementsAre("--db", "--devices"));
  EXPECT_THAT(at({"best", "--"}), AllOf(Contains("--arch"), Contains("--db")));
  EXPECT_THAT(at({"backup", "--"}), Not(Contains("--arch")));
}

TEST_F(CompletionTest, OffersTheValuesOfAnOption) {
  EXPECT_THAT(at({"--devices", ""}), ElementsAre("first", "all"));
  EXPECT_THAT(at({"--json", "best", "--arch", "sm"}), ElementsAre("sm_75", "sm_90"));
  EXPECT_THAT(at({"best", "--arch", "=", "sm_9"}), ElementsAre("sm_90"));
  EXPECT_THAT(at({"best", "--arch", "="}), ElementsAre("native", "sm_75", "sm_90"));
  EXPECT_THAT(at({"best", "--arch=sm_7"}), ElementsAre("--arch=sm_75"));
  EXPECT_THAT(at({"best", "--arch=sm_75", "tr"}), ElementsAre("transpose"));
}

TEST_F(CompletionTest, LeavesFileNamesToTheShell) {
  EXPECT_THAT(at({"--db", ""}), IsEmpty());
  EXPECT_THAT(at({"--nonsense", "be"}), ElementsAre("best"));
  EXPECT_THAT(at({}), UnorderedElementsAre("best", "backup"));
}

TEST_F(CompletionTest, AnOptionThatIsGivenIsOfferedAgainOnlyIfItTakesSeveralValues) {
  EXPECT_THAT(at({"--db", "a.db", "--size", "2", "3", "--"}),
              AllOf(Not(Contains("--db")), Contains("--size"), Contains("--json")));
}

TEST_F(CompletionTest, OffersTheValuesOfPositionals) {
  EXPECT_THAT(at({"best", "red"}), ElementsAre("reduce", "reduce/sequential"));
  EXPECT_THAT(at({"best", "--arch", "sm_75", "reduce", "t"}), ElementsAre("transpose"));
}

// Runs `script` in bash and returns what it prints, or a message if it fails.
std::string bash(const std::string& script) {
  const TemporaryFolder folder;
  std::ofstream(folder / "script") << script;
  const std::string command = "bash " + (folder / "script").string() + " > " + (folder / "out").string() + " 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream in(folder / "out");
  const std::string out(std::istreambuf_iterator<char>(in), {});
  return status == 0 ? out : "FAILED: " + out;
}

// The completions of the words by bash, one per line. The program's name is the first word.
std::string completed_by_bash(const std::string& words, int at) {
  return bash("set -eu\nPATH=" WARPWRIGHT_BINARY_DIR "/bin:$PATH\nsource <(tunedb --completion bash)\nCOMP_WORDS=(" +
              words + ")\nCOMP_CWORD=" + std::to_string(at) +
              "\n$(complete -p tunedb | sed 's/.*-F \\([^ ]*\\).*/\\1/')\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
}

TEST(CompletionScript, IsReadByBash) {
  EXPECT_EQ(bash("bash -n <(" WARPWRIGHT_BINARY_DIR "/bin/tunedb --completion bash)"), "");
}

TEST(CompletionScript, CompletesInBash) {
  EXPECT_EQ(completed_by_bash("tunedb ba", 1), "backup\n");
  EXPECT_THAT(completed_by_bash("tunedb best --", 2), AllOf(HasSubstr("--arch\n"), HasSubstr("--size\n")));
  EXPECT_EQ(completed_by_bash("tunedb trials --provenance = ''", 4), "measured\npredicted\nimported\n");
  EXPECT_EQ(completed_by_bash("tunedb trials --verdict 'not l'", 3), "not\\ launchable\n");
}

TEST(CompletionScript, NamesTheProgramAlone) {
  for (const std::string& shell : completion_shells()) {
    const std::string script = completion_script(shell, "tune");
    EXPECT_THAT(script,
                AllOf(HasSubstr("tune --completion " + shell), HasSubstr("--complete "), Not(HasSubstr("PROGRAM"))));
  }
  EXPECT_THROW(completion_script("tcsh", "tune"), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright::program
