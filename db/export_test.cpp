// Tests of the exported formats; the header is compiled against a stub of the kernels it names.
#include "db/export.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "db/fixture.hpp"
#include "db/schema.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class ExportTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  Bench bench_{store_};

  Id add(int tile_dim, double us, const char* shape, std::int64_t elements, const char* variant = "",
         const char* arch = "sm_90") {
    Trial trial = bench_.measured(tile_dim, us);
    trial.problem_id = bench_.problem_of(shape, elements, variant);
    trial.target = arch;
    return store_.add_trial(trial);
  }

  // Compiles a program that includes the exported header, and returns what g++ says; empty if it is content.
  std::string compile(const std::string& header, const std::string& program) {
    std::filesystem::create_directories(folder_ / "kernels/transpose");
    std::ofstream(folder_ / "kernels/transpose/tiled.cuh")
        << "#pragma once\nnamespace warpwright::transpose {\n"
           "struct tiled_params { int tile_dim = 8; bool operator==(const tiled_params&) const = default; };\n"
           "template <class T, tiled_params P> struct tiled { static constexpr int tile_dim = P.tile_dim; };\n}\n";
    std::ofstream(folder_ / "settings.hpp") << header;
    std::ofstream(folder_ / "main.cpp") << "#include \"settings.hpp\"\n" << program << "\nint main() {}\n";
    const std::string command = "cd " + folder_.path().string() +
                                " && g++ -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I. main.cpp"
                                " > messages 2>&1 || echo failed >> messages";
    if (std::system(command.c_str()) != 0) return "g++ could not be run";
    return bytes_of(folder_ / "messages");
  }
};

TEST_F(ExportTest, TheHeaderCompilesAndInstantiatesKernelsWithTheBestParams) {
  add(8, 1, "64x64", 1 << 12);
  add(16, 1, "1024x1024", 1 << 20);
  add(32, 1, "8192x8192", 1 << 26);
  add(64, 1, "8192x8192", 1 << 26, "op=sum, inclusive");
  add(12, 1, "8192x8192", 1 << 26, "", "sm_75");
  const std::string program = R"(
namespace best = warpwright::settings::sm_90::transpose::tiled::types_float;
using warpwright::transpose::tiled;
static_assert(warpwright::settings::format == 1 && warpwright::settings::schema >= 2);
static_assert(warpwright::settings::program_version[0] != 0);
static_assert(best::best.tile_dim == 32);
static_assert(tiled<float, best::best>::tile_dim == 32);
static_assert(tiled<float, best::select(1 << 26)>::tile_dim == 32);
static_assert(best::select(0).tile_dim == 8);
static_assert(best::select((1 << 16) - 1).tile_dim == 8);
static_assert(best::select(1 << 16).tile_dim == 16);
static_assert(best::select((1 << 23) - 1).tile_dim == 16);
static_assert(best::select(1 << 23).tile_dim == 32);
static_assert(best::select(std::int64_t{1} << 40).tile_dim == 32);
static_assert(best::op_sum_inclusive::best.tile_dim == 64);
static_assert(best::op_sum_inclusive::select(5).tile_dim == 64);
static_assert(warpwright::settings::sm_75::transpose::tiled::types_float::best.tile_dim == 12);
)";
  const std::string header = to_header(exported(store_, {}));
  EXPECT_EQ(compile(header, program), "") << header;
  EXPECT_THAT(compile(header,
                      "static_assert(warpwright::settings::sm_90::transpose::tiled::types_float::best.tile_dim "
                      "== 33);"),
              HasSubstr("failed"))
      << "the compiler's answer is looked at";
}

TEST_F(ExportTest, VariantsThatWouldShareANameGetTheirOwn) {
  add(1, 1, "64", 64, "op=sum");
  add(2, 1, "64", 64, "op:sum");
  add(3, 1, "64", 64, "inline");
  const std::string program = R"(
namespace best = warpwright::settings::sm_90::transpose::tiled::types_float;
static_assert(best::op_sum::best.tile_dim + best::op_sum_2::best.tile_dim == 3);
static_assert(best::variant_inline::best.tile_dim == 3);
)";
  EXPECT_EQ(compile(to_header(exported(store_, {})), program), "");
}

TEST_F(ExportTest, NoTextFromTheDatabaseBecomesOtherCode) {
  Trial trial = bench_.measured(1, 1);
  trial.configuration_id =
      store_.upsert(Configuration{.kernel_id = bench_.kernel, .params = "{}; int evil() { return 1; }"});
  store_.add_trial(trial);
  EXPECT_THAT(error_of([&] { to_header(exported(store_, {})); }), HasSubstr("is no braced list of params"));

  const Id kernel = store_.upsert(Kernel{.pattern = "transpose", .kernel = "x\"\n#include <evil>"});
  trial.configuration_id = store_.upsert(Configuration{.kernel_id = kernel, .params = "{}"});
  store_.add_trial(trial);
  EXPECT_THAT(error_of([&] { to_header(exported(store_, {.kernel = "x*"})); }), HasSubstr("is no C++ name"));
}

TEST_F(ExportTest, ACommentEndsWithItsLine) {
  add(1, 1, "64\n#error evil\\", 64);
  EXPECT_EQ(compile(to_header(exported(store_, {})), ""), "");
}

TEST_F(ExportTest, JsonHoldsTheVersionAndTheWholeAnswer) {
  const Id id = add(32, 2, "8192x8192", 1 << 26);
  store_.add_certificate({.trial_id = id, .cases = 200, .seed = 1});
  const auto json = nlohmann::json::parse(to_json(exported(store_, {})));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["schema"], schema_version());
  EXPECT_EQ(json["program_version"], program_version());
  ASSERT_THAT(json["settings"], SizeIs(1));
  const auto& winner = json["settings"][0]["winner"];
  EXPECT_EQ(winner["target"], "sm_90");
  EXPECT_EQ(winner["axes"]["tile_dim"], 32);
  EXPECT_EQ(winner["median_us"], 2);
  EXPECT_EQ(winner["predicted_us"], nullptr);
  EXPECT_EQ(winner["certainty"], "certified (200 cases, seed 1)");
  EXPECT_EQ(json["settings"][0]["match"], "measured on sm_90 (NVIDIA H200)");
}

TEST_F(ExportTest, JsonSurvivesBytesThatAreNoText) {
  Trial trial = bench_.measured(1, 1);
  trial.warnings = "broken \xff byte";
  store_.add_trial(trial);
  EXPECT_TRUE(nlohmann::json::accept(to_json(exported(store_, {}))));
}

TEST_F(ExportTest, CsvHasOneQuotedRowPerSetting) {
  add(16, 1.5, "64x64", 4096, "op=sum, \"x\"");
  add(32, 2, "8192x8192", 1 << 26);
  const std::string csv = to_csv(exported(store_, {}));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_THAT(csv, testing::StartsWith("format,arch,board,pattern,kernel,variant,"));
  const std::string versions = fmt::format(",{},{}\r\n", program_version(), schema_version());
  EXPECT_THAT(csv, AllOf(HasSubstr(",match,program_version,schema\r\n"), testing::EndsWith(versions)));
  EXPECT_THAT(csv, HasSubstr("1,sm_90,NVIDIA H200,transpose,tiled,\"op=sum, \"\"x\"\"\",float,64x64,4096,2^12,"
                             "{.tile_dim = 16},measured,not certified,1.5,"));
}

TEST_F(ExportTest, TheQueryNarrowsWhatIsExportedAndHostTrialsNeverAre) {
  add(16, 1, "64x64", 4096);
  add(32, 1, "64x64", 4096, "", "sm_75");
  add(64, 1, "64x64", 4096, "", "host");
  EXPECT_THAT(exported(store_, {}), SizeIs(2));
  EXPECT_THAT(exported(store_, {.arch = "sm_75"}), SizeIs(1));
  EXPECT_THAT(exported(store_, {.pattern = "scan"}), IsEmpty());
}

}  // namespace
}  // namespace warpwright::db
