// Tests of the lookup at run time: what is found in an exported file, what is refused, and the examples of the docs.
#include "db/lookup/warpwright_lookup.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "db/exchange/export.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Lookup : public testing::Test {
 protected:
  ~Lookup() override { warpwright_close(settings_); }

  Id add(int tile_dim, double us, const std::string& shape, const std::string& variant = "op=transpose",
         const std::string& data = "uniform") {
    Trial trial = example_.measured(tile_dim, us);
    trial.problem_id = example_.problem_of(shape, variant, "", data);
    return store_.add_trial(trial);
  }

  void on(const std::string& board) {
    example_.board = store_.upsert(Board{.model = board, .arch = "sm_90", .source = "device"});
  }

  std::string write() {
    const std::string path = folder_ / "best.json";
    std::ofstream(path) << export_as(store_, "json", {}).text;
    return path;
  }

  // Empty if the file was opened.
  std::string open(const std::string& path) {
    char error[512] = "";
    settings_ = warpwright_open(path.c_str(), error, sizeof error);
    return error;
  }

  const warpwright_setting* find(const std::string& problem, const char* board = "NVIDIA H200",
                                 const char* arch = "sm_90") {
    if (settings_ == nullptr) {
      EXPECT_EQ(open(write()), "");
    }
    error_[0] = '\0';
    return warpwright_find(settings_, arch, board, problem.c_str(), &differs_, error_, sizeof error_);
  }

  // The value of tile_dim, or the error.
  std::string tile(const std::string& problem, const char* board = "NVIDIA H200", const char* arch = "sm_90") {
    const warpwright_setting* found = find(problem, board, arch);
    return found == nullptr ? error_ : warpwright_param(found, "tile_dim");
  }

  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
  warpwright_settings* settings_ = nullptr;
  unsigned differs_ = 99;
  char error_[512] = "";
};

TEST_F(Lookup, TheSettingOfAProblemHasItsKernelItsParamsAndWhereItComesFrom) {
  add(32, 12.5, "8192x8192");
  const warpwright_setting* found = find("transpose[op=transpose,data=uniform,float,8192x8192]");
  ASSERT_NE(found, nullptr) << error_;
  EXPECT_STREQ(found->kernel, "tiled");
  EXPECT_STREQ(found->params, "{.tile_dim = 32}");
  EXPECT_STREQ(found->axes, "{\"tile_dim\":32}");
  EXPECT_STREQ(found->provenance, "measured");
  EXPECT_STREQ(found->certainty, "not certified");
  EXPECT_STREQ(found->arch, "sm_90");
  EXPECT_STREQ(found->board, "NVIDIA H200");
  EXPECT_STREQ(found->problem, "transpose[op=transpose,data=uniform,float,8192x8192]");
  EXPECT_EQ(found->microseconds, 12.5);
  EXPECT_EQ(found->worst_loss, 0);
  EXPECT_EQ(differs_, 0U);
  EXPECT_EQ(warpwright_param(found, "no_such"), nullptr);
  EXPECT_EQ(warpwright_lookup_version(), WARPWRIGHT_LOOKUP_VERSION);
}

TEST_F(Lookup, TheNearestSizeAnswersAndIsSaid) {
  add(16, 1, "64x64");
  add(32, 9, "8192x8192");
  EXPECT_EQ(tile("transpose[float,2^12x2^12]"), "32");
  EXPECT_EQ(differs_, WARPWRIGHT_OTHER_SIZE);
  EXPECT_EQ(tile("transpose[float,64x100]"), "16");
  EXPECT_EQ(tile("transpose[float,64x64]", nullptr, "9.0"), "16");
  EXPECT_EQ(differs_, 0U);
}

TEST_F(Lookup, MeasuredComesBeforePredicted) {
  Trial trial = example_.predicted(16, 1);
  trial.problem_id = example_.problem_of("64x64", "op=transpose");
  store_.add_trial(trial);
  EXPECT_EQ(tile("transpose[float,64x64]"), "16");
  warpwright_close(settings_);
  settings_ = nullptr;
  add(32, 9, "8192x8192");
  EXPECT_EQ(tile("transpose[float,64x64]"), "32");
  EXPECT_EQ(differs_, WARPWRIGHT_OTHER_SIZE);
}

TEST_F(Lookup, EachBoardHasItsOwnAndAnUnknownOneThatOfTheNearestInBandwidth) {
  add(32, 9, "64x64");
  on("NVIDIA H100 PCIe");
  add(16, 8, "64x64");
  EXPECT_EQ(tile("transpose[float,64x64]"), "32");
  EXPECT_EQ(tile("transpose[float,64x64]", "h100 pcie"), "16");
  EXPECT_EQ(differs_, 0U);
  EXPECT_EQ(tile("transpose[float,64x64]", "NVIDIA GH200 96GB"), "32");
  EXPECT_EQ(differs_, WARPWRIGHT_OTHER_BOARD);
}

TEST_F(Lookup, ADataSetThatWasNotTunedIsServedByWhatLosesLeast) {
  for (const char* data : {"uniform", "sorted"}) {
    add(16, data[0] == 'u' ? 10 : 20, "64x64", "op=transpose", data);
    add(32, data[0] == 'u' ? 11 : 10, "64x64", "op=transpose", data);
  }
  EXPECT_EQ(tile("transpose[data=uniform,float,64x64]"), "16");
  EXPECT_EQ(tile("transpose[data=sorted,float,64x64]"), "32");
  EXPECT_EQ(differs_, 0U);
  EXPECT_EQ(tile("transpose[float,64x64]"), "32");
  EXPECT_EQ(differs_, 0U);
  const warpwright_setting* found = find("transpose[data=zipf,float,64x64]");
  ASSERT_NE(found, nullptr);
  EXPECT_STREQ(found->params, "{.tile_dim = 32}");
  EXPECT_NEAR(found->worst_loss, 0.1, 1e-9);
  EXPECT_EQ(differs_, WARPWRIGHT_OTHER_DATA);
}

TEST_F(Lookup, AStarAsksForTheSettingOfAllSizes) {
  add(16, 10, "64x64");
  add(32, 11, "64x64");
  EXPECT_EQ(tile("transpose[float,*]"), "16");
  EXPECT_EQ(differs_, WARPWRIGHT_OTHER_SIZE) << "one size is not all";
  warpwright_close(settings_);
  settings_ = nullptr;
  add(16, 20, "8192x8192");
  add(32, 10, "8192x8192");
  const warpwright_setting* found = find("transpose[float,*]");
  ASSERT_NE(found, nullptr) << error_;
  EXPECT_STREQ(found->params, "{.tile_dim = 32}");
  EXPECT_NEAR(found->worst_loss, 0.1, 1e-9);
  EXPECT_EQ(differs_, 0U);
  EXPECT_EQ(tile("transpose[float,64x64]"), "16");
}

TEST_F(Lookup, AnUnknownProblemIsRefusedWithTheKnownOnes) {
  add(32, 9, "64x64");
  add(16, 9, "64x64", "op=mirror");
  EXPECT_THAT(tile("transpose[float,64x64]"), AllOf(HasSubstr("matches several problems"), HasSubstr("op=mirror")));
  EXPECT_EQ(tile("transpose[op=mirror,float,64x64]"), "16");
  EXPECT_THAT(
      tile("transpose[op=mirror,double,64x64]"),
      AllOf(HasSubstr("has nothing for transpose[op=mirror,double,64x64] on sm_90; it has transpose[op=mirror,"),
            HasSubstr("best.json")));
  EXPECT_THAT(tile("scan[float,64]"), HasSubstr("it has transpose["));
  EXPECT_THAT(tile("transpose[op=mirror,float,64x64]", nullptr, "sm_75"), HasSubstr("has nothing for sm_75"));
  EXPECT_THAT(tile("transpose[op=mirror,float,64]"), HasSubstr("has nothing"));
}

TEST_F(Lookup, TextsThatNameNoProblemAreRefused) {
  add(32, 9, "64x64");
  for (const char* wrong : {"", "[", "]", "transpose", "transpose[", "transpose[]", "transpose[float]", "[float,64]",
                            "transpose[op=,float,64x64]", "transpose[float,64xy]", "transpose[float,64x64],"})
    EXPECT_EQ(find(wrong), nullptr) << wrong;
  EXPECT_THAT(tile("transpose"), HasSubstr("write PATTERN[SETTINGS,TYPES,SIZE]"));
  EXPECT_THAT(tile("transpose[float,64x64]", nullptr, "fast"), HasSubstr("sm_75"));
  EXPECT_EQ(warpwright_find(nullptr, "sm_90", nullptr, "a[1]", nullptr, nullptr, 0), nullptr);
  EXPECT_EQ(warpwright_find(settings_, nullptr, nullptr, nullptr, nullptr, error_, sizeof error_), nullptr);
  EXPECT_EQ(warpwright_param(nullptr, "tile_dim"), nullptr);
  char few[8];
  EXPECT_EQ(warpwright_find(settings_, "sm_90", nullptr, "nothing", nullptr, few, sizeof few), nullptr);
  EXPECT_STREQ(few, "'nothin") << "a short buffer ends with 0 too";
}

TEST_F(Lookup, AFileThatIsNoExportIsRefused) {
  const std::string path = folder_ / "wrong.json";
  EXPECT_THAT(open(path), HasSubstr("wrong.json: cannot be read"));
  EXPECT_THAT(open(folder_.path()), HasSubstr("is not a complete file of `tunedb export --format json`"));
  const auto said = [&](const std::string& text) {
    std::ofstream(path) << text;
    return open(path);
  };
  EXPECT_THAT(said("{\"settings\": ["), HasSubstr("is not a complete file"));
  EXPECT_THAT(said("{}"), HasSubstr("is not a complete file of"));
  EXPECT_THAT(said("{\"format\": 99, \"settings\": []}"), HasSubstr("has format 99, and this library reads format 3"));
  EXPECT_THAT(said("{\"format\": 3, \"settings\": [{\"winner\": {}}]}"), HasSubstr("is damaged"));
  EXPECT_EQ(settings_, nullptr);
  EXPECT_EQ(warpwright_open(nullptr, nullptr, 0), nullptr);
}

TEST_F(Lookup, ThreadsShareOneFile) {
  add(16, 1, "64x64");
  add(32, 9, "8192x8192");
  ASSERT_EQ(tile("transpose[float,64x64]"), "16");
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([this, t] {
      for (int i = 0; i < 200; ++i) {
        const warpwright_setting* found =
            warpwright_find(settings_, "sm_90", nullptr,
                            t % 2 == 0 ? "transpose[float,64x64]" : "transpose[float,8192x8192]", nullptr, nullptr, 0);
        ASSERT_NE(found, nullptr);
        EXPECT_STREQ(warpwright_param(found, "tile_dim"), t % 2 == 0 ? "16" : "32");
      }
    });
}

// The examples of the page, and what commands of the shell print with the library.
class LookupExamples : public Lookup {
 protected:
  // Writes the page's first block of that language.
  void write_example(const std::string& language, const std::string& name) const {
    const std::string page = bytes_of(WARPWRIGHT_SOURCE_DIR "/docs/exported_configurations.md");
    const std::size_t begin = page.find("```" + language + "\n") + language.size() + 4;
    std::ofstream(folder_ / name) << page.substr(begin, page.find("```", begin) - begin);
  }

  std::string said_by(const std::string& command) {
    const std::string out = folder_ / "out";
    const std::string whole = fmt::format("cd {} && LD_LIBRARY_PATH={} sh -c '{}' > {} 2>&1", folder_.path().string(),
                                          WARPWRIGHT_LOOKUP_FOLDER, command, out);
    code_ = WEXITSTATUS(std::system(whole.c_str()));
    return bytes_of(out);
  }

  int code_ = -1;
};

TEST_F(LookupExamples, TheProgramInCCompilesAsPrintedAndFindsASetting) {
  const Id kernel = store_.upsert(Kernel{.pattern = "reduce", .kernel = "grid_stride"});
  Trial trial = example_.measured(1, 12.5);
  trial.configuration_id = store_.upsert(
      Configuration{.kernel_id = kernel, .params = "{.block_size = 512}", .params_json = "{\"block_size\": 512}"});
  trial.problem_id = store_.upsert(
      Problem{.pattern = "reduce", .variant = "op=sum", .types = "float", .shape = "1048576", .data = "uniform"});
  store_.add_trial(trial);
  write();
  write_example("c", "choose.c");
  ASSERT_EQ(said_by("cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I" WARPWRIGHT_SOURCE_DIR
                    "/db/lookup choose.c -L" WARPWRIGHT_LOOKUP_FOLDER " -lwarpwright_lookup -o choose"),
            "");
  EXPECT_EQ(said_by("./choose best.json sm_90 \"NVIDIA H200\" 2^20"),
            "grid_stride with 512 threads a block (measured on NVIDIA H200, 12.5 us)\n");
  EXPECT_EQ(said_by("./choose best.json sm_90 \"NVIDIA H200\" 1000000"),
            "grid_stride with 512 threads a block (measured on NVIDIA H200, 12.5 us)\n"
            "the nearest size is reduce[op=sum,data=uniform,float,1048576]\n");
  EXPECT_THAT(said_by("./choose none.json sm_90 H200 1"), HasSubstr("choose: none.json: cannot be read"));
  EXPECT_EQ(code_, 3);
}

TEST_F(LookupExamples, TheProgramInPythonFindsASetting) {
  add(32, 12.5, "8192x8192");
  write();
  if (std::system("python3 -c '' 2> /dev/null") != 0) GTEST_SKIP() << "python3 was not found";
  write_example("python", "choose.py");
  const std::string python = "python3 -B choose.py best.json sm_90 H200 ";
  EXPECT_EQ(said_by(python + "transpose[float,8192x8192]"), "tiled {'tile_dim': 32}\n");
  EXPECT_EQ(code_, 0);
  EXPECT_THAT(said_by(python + "transpose[float,8x8]"), HasSubstr("the nearest size is transpose[op=transpose,"));
  EXPECT_THAT(said_by(python + "scan[float,8]"), HasSubstr("best.json has nothing for scan[float,8] on sm_90"));
  EXPECT_EQ(code_, 1);
}

// Without C++ libraries that a program in another language may have in other versions.
TEST_F(LookupExamples, TheLibraryNeedsOnlyTheCLibraryAndShowsOnlyItsOwnFunctions) {
  const std::string library = WARPWRIGHT_LOOKUP_FOLDER "/libwarpwright_lookup.so.1";
  EXPECT_THAT(said_by("objdump -p " + library + " | grep NEEDED"),
              AllOf(HasSubstr("libc.so"), Not(HasSubstr("stdc++")), Not(HasSubstr("fmt"))));
  EXPECT_THAT(
      said_by("nm -D --defined-only " + library + " | grep -v \" T warpwright_\" | grep -v WARPWRIGHT_LOOKUP_1$"),
      IsEmpty());
}

}  // namespace
}  // namespace warpwright::db
