// Tests of the exported formats; the header is compiled against a stub of the kernels it names.
#include "db/exchange/export.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "db/store/fixture.hpp"
#include "db/store/schema.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// NVRTC, loaded if it is installed; db/ must not depend on the folder that wraps it.
class Nvrtc {
 public:
  Nvrtc() {
    for (const char* name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"})
      if (!library_) library_ = dlopen(name, RTLD_NOW);
  }
  explicit operator bool() const { return library_ != nullptr; }

  // The compiler's messages; empty if it succeeds.
  std::string compile(const std::string& source, const std::string& include) {
    void* program = nullptr;
    using Create = int(void**, const char*, const char*, int, const char* const*, const char* const*);
    function<Create>("nvrtcCreateProgram")(&program, source.c_str(), "main.cu", 0, nullptr, nullptr);
    const char* options[] = {"--std=c++20", "--gpu-architecture=sm_75", include.c_str()};
    const int result = function<int(void*, int, const char* const*)>("nvrtcCompileProgram")(program, 3, options);
    std::size_t size = 0;
    function<int(void*, std::size_t*)>("nvrtcGetProgramLogSize")(program, &size);
    std::string log(size, ' ');
    function<int(void*, char*)>("nvrtcGetProgramLog")(program, log.data());
    function<int(void**)>("nvrtcDestroyProgram")(&program);
    log.resize(size > 0 ? size - 1 : 0);
    return result == 0 ? log : "failed: " + log;
  }

 private:
  template <class F>
  F* function(const char* name) {
    return reinterpret_cast<F*>(dlsym(library_, name));
  }
  void* library_ = nullptr;
};

class ExportTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};

  Id add(int tile_dim, double us, const char* shape, const char* variant = "", const char* numbers = "",
         const char* data = "uniform", const char* arch = "sm_90") {
    Trial trial = example_.measured(tile_dim, us);
    trial.problem_id = example_.problem_of(shape, variant, numbers, data);
    trial.target = arch;
    return store_.add_trial(trial);
  }
  // Adds a trial of another kernel on the same problem as trial `like`.
  Id add_naive(int block, double us, Id like) {
    Trial trial = example_.measured(1, us);
    trial.problem_id = store_.trial(like).problem_id;
    trial.configuration_id =
        store_.upsert(Configuration{.kernel_id = store_.upsert(Kernel{.pattern = "transpose", .kernel = "naive"}),
                                    .params = fmt::format("{{.block = {}}}", block)});
    return store_.add_trial(trial);
  }

  // Writes the exported header, stubs of the kernels that it includes, and a program that includes it.
  void write(const std::string& header, const std::string& program) {
    std::filesystem::create_directories(folder_ / "kernels/transpose");
    std::ofstream(folder_ / "kernels/transpose/tiled.cuh")
        << "#pragma once\nnamespace warpwright::transpose {\n"
           "struct tiled_params { int tile_dim = 8; bool operator==(const tiled_params&) const = default; };\n"
           "template <class T, tiled_params P> struct tiled { static constexpr int tile_dim = P.tile_dim; };\n}\n";
    std::ofstream(folder_ / "kernels/transpose/naive.cuh")
        << "#pragma once\nnamespace warpwright::transpose {\nstruct naive_params { int block = 8; };\n}\n";
    std::ofstream(folder_ / "settings.hpp") << header;
    std::ofstream(folder_ / "main.cpp") << program;
  }
  // The output of a command in that folder; empty if it succeeds.
  std::string said_by(const std::string& command) {
    const std::string line =
        fmt::format("cd {} && ({}) > messages 2>&1 || echo failed >> messages", folder_.path().string(), command);
    if (std::system(line.c_str()) != 0) return "no shell could be run";
    return bytes_of(folder_ / "messages");
  }
  std::string compile(const std::string& header, const std::string& program) {
    write(header, "#include \"settings.hpp\"\n" + program + "\nint main() {}\n");
    return said_by("g++ -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -I. main.cpp");
  }
};

TEST_F(ExportTest, TheHeaderSelectsTheNearestShapeAndInstantiatesKernelsWithItsParams) {
  add(8, 1, "64x64");
  add(16, 1, "1024x1024");
  add(32, 1, "8192x8192");
  add(24, 1, "1x67108864");
  add(64, 1, "8192x8192", "op=sum,scan=inclusive");
  add(12, 1, "8192x8192", "", "", "uniform", "sm_75");
  const std::string program = R"(
namespace best = warpwright::settings::sm_90::transpose::types_float;
using warpwright::transpose::tiled;
static_assert(warpwright::settings::format == 3 && best::schema >= 1 && best::program_version[0] != 0);
constexpr auto instance = [](auto setting) { return tiled<float, decltype(setting)::params>::tile_dim; };
static_assert(best::select(8192, 8192, instance) == 32);
static_assert(best::select(8192, 8192, "uniform", instance) == 32);
static_assert(best::select(1, 1 << 26, instance) == 24, "as many elements, another shape");
static_assert(best::select(0, 0, instance) == 8);
static_assert(best::select(255, 255, instance) == 8 && best::select(258, 258, instance) == 16);
static_assert(best::select(2893, 2893, instance) == 16 && best::select(2900, 2900, instance) == 32);
static_assert(best::select(1ll << 62, 8192, instance) == 32 && best::select(1 << 14, 1 << 14, instance) == 32);
static_assert(best::select(-5, 0x7fffffffffffffff, instance) == 24);
static_assert(best::op_sum_scan_inclusive::select(5, 5, instance) == 64);
static_assert(warpwright::settings::sm_75::transpose::types_float::select(1, 1, instance) == 12);
)";
  const std::string header = to_header(exported(store_, {}));
  EXPECT_EQ(compile(header, program), "") << header;
  EXPECT_THAT(compile(header, program + "static_assert(best::select(8192, 8192, instance) == 33);"),
              HasSubstr("failed"))
      << "the compiler's answer is compared";
}

TEST_F(ExportTest, TheHeaderPrefersTheGivenDataAndDistinguishesNumbers) {
  add(1, 1, "64", "op=sum", "bins=256", "uniform");
  add(2, 1, "1048576", "op=sum", "bins=256", "zipf");
  add(3, 1, "64", "op=sum", "bins=16", "uniform");
  add(4, 1, "64x64", "op=sum", "bins=16", "uniform");
  const std::string program = R"(
namespace best = warpwright::settings::sm_90::transpose::types_float;
constexpr auto tile = [](auto setting) { return decltype(setting)::params.tile_dim; };
static_assert(best::op_sum_bins_256::select(64, "zipf", tile) == 2);
static_assert(best::op_sum_bins_256::select(1048576, "uniform", tile) == 1);
static_assert(best::op_sum_bins_256::select(1048576, tile) == 2, "no data asked: the nearest shape");
static_assert(best::op_sum_bins_256::select(1048576, "other", tile) == 2, "unknown data: the nearest shape");
static_assert(best::op_sum_bins_16::select(64, tile) == 3);
static_assert(best::op_sum_bins_16::select(64, 64, tile) == 4, "as many extents");
)";
  EXPECT_EQ(compile(to_header(exported(store_, {})), program), "");
}

TEST_F(ExportTest, TheHeaderHasASettingForUnknownData) {
  for (const auto& [tile, uniform_us, zipf_us] : {std::tuple(1, 10.0, 30.0), {2, 12.0, 20.0}, {3, 11.0, 21.0}}) {
    add(tile, uniform_us, "1024", "", "bins=256", "uniform");
    add(tile, zipf_us, "1024", "", "bins=256", "zipf");
  }
  add(4, 10.5, "1024", "", "bins=256", "uniform");  // not timed on zipf
  add(5, 1, "16", "", "bins=256", "uniform");       // of a size with one data set
  const std::string program = R"text(
#include <string_view>
namespace best = warpwright::settings::sm_90::transpose::types_float::bins_256;
constexpr auto tile = [](auto setting) { return decltype(setting)::params.tile_dim; };
constexpr auto loss = [](auto setting) { return decltype(setting)::worst_loss; };
static_assert(best::select(1024, "uniform", tile) == 1 && best::select(1024, "zipf", tile) == 2);
static_assert(best::select(1024, tile) == 3 && best::select(1024, "sorted", tile) == 3, "not known, never tuned");
static_assert(best::select(1024, loss) > 0.0999 && best::select(1024, loss) < 0.1001);
static_assert(best::select(1024, "zipf", loss) == 0 && best::select(16, tile) == 5);
static_assert(std::string_view(best::any_data_0::worst_data) == "uniform" && best::any_data_0::microseconds == 11);
)text";
  const std::string header = to_header(exported(store_, {}));
  EXPECT_EQ(compile(header, program), "") << header;
}

TEST_F(ExportTest, TheHeaderHasASettingForAllSizesWithWhatItLoses) {
  for (const auto& [tile, small_us, large_us] : {std::tuple(1, 10.0, 30.0), {2, 12.0, 20.0}, {3, 11.0, 21.0}}) {
    add(tile, small_us, "64x64");
    add(tile, large_us, "8192x8192");
  }
  const std::string program = R"text(
#include <string_view>
namespace best = warpwright::settings::sm_90::transpose::types_float;
static_assert(best::all_sizes_0::params.tile_dim == 3 && std::string_view(best::all_sizes_0::worst_shape) == "64x64");
static_assert(best::all_sizes_0::worst_loss > 0.0999 && best::all_sizes_0::mean_loss < best::all_sizes_0::worst_loss);
static_assert(best::setting_0::params.tile_dim == 1 && best::setting_0::all_sizes_loss > 0.0999);
static_assert(best::setting_1::params.tile_dim == 2 && best::setting_1::all_sizes_loss < 0.0501);
)text";
  const std::string header = to_header(exported(store_, {}));
  EXPECT_EQ(compile(header, program), "") << header;
  EXPECT_THAT(to_header(exported(store_, {.robust = Robust::geomean})), HasSubstr("all_sizes_0"));
}

TEST_F(ExportTest, OneKernelIsExportedPerProblemWithItsProvenanceAsConstants) {
  const Id large = add(32, 129.5, "8192x8192");
  add_naive(64, 200, large);
  add_naive(128, 1, add(8, 2, "64x64"));
  store_.add_certificate({.trial_id = large, .cases = 200, .seed = 1});
  EXPECT_THAT(exported(store_, {}), SizeIs(2));
  const std::string program = R"text(
#include <string_view>
namespace best = warpwright::settings::sm_90::transpose::types_float;
constexpr auto kernel = [](auto setting) { return std::string_view(setting.kernel); };
static_assert(best::select(64, 64, kernel) == "naive" && best::select(8192, 8192, kernel) == "tiled");
using large = best::setting_1;
static_assert(best::setting_0::params.block == 128 && large::params.tile_dim == 32);
static_assert(std::string_view(large::provenance) == "measured" && std::string_view(large::board) == "NVIDIA H200");
static_assert(std::string_view(large::certainty) == "certified (200 cases, seed 1)");
  static_assert(std::string_view(large::mode) == "clean cold L2" && std::string_view(large::data) == "uniform");
  static_assert(std::string_view(large::shape) == "8192x8192" && large::extents[1] == 8192);
  static_assert(large::microseconds == 129.5);
)text";
  const std::string header = to_header(exported(store_, {}));
  EXPECT_EQ(compile(header, program), "") << header;
}

TEST_F(ExportTest, SeveralExportedHeadersCanBeIncludedTogether) {
  add(8, 1, "64x64");
  add(12, 1, "64x64", "", "", "uniform", "sm_75");
  write(to_header(exported(store_, {.arch = "sm_90"})), "");
  std::filesystem::rename(folder_ / "settings.hpp", folder_ / "first.hpp");
  EXPECT_EQ(compile(to_header(exported(store_, {.arch = "sm_75"})), R"(
#include "first.hpp"
static_assert(warpwright::settings::sm_90::transpose::types_float::setting_0::params.tile_dim == 8);
static_assert(warpwright::settings::sm_75::transpose::types_float::setting_0::params.tile_dim == 12);
)"),
            "");
}

// Device code that selects at run time and at compile time.
constexpr const char* device_program = R"(
#include "settings.hpp"
namespace best = warpwright::settings::sm_90::transpose::types_float;
using warpwright::transpose::tiled;
struct instance {
  template <class Setting>
  __device__ constexpr int operator()(Setting) const { return tiled<float, Setting::params>::tile_dim; }
};
template <warpwright::transpose::tiled_params P>
__device__ int tile() { return P.tile_dim; }
extern "C" __global__ void choose(long long rows, long long columns, int* chosen) {
  chosen[0] = best::select(rows, columns, "uniform", instance{});
  chosen[1] = best::select(rows, columns, instance{}) + tile<best::setting_0::params>();
}
)";

TEST_F(ExportTest, NvccCompilesTheHeader) {
  const std::string nvcc = said_by("command -v nvcc || ls /usr/local/cuda/bin/nvcc");
  if (nvcc.find("failed") != std::string::npos) GTEST_SKIP() << "nvcc was not found";
  add(8, 1, "64x64");
  add(32, 1, "8192x8192");
  write(to_header(exported(store_, {})), device_program);
  EXPECT_EQ(said_by(nvcc.substr(0, nvcc.find('\n')) +
                    " -cubin -std=c++20 -arch=sm_75 -Werror all-warnings -I. -x cu main.cpp -o main.cubin"),
            "");
}

TEST_F(ExportTest, NvrtcReadsTheHeader) {
  Nvrtc nvrtc;
  if (!nvrtc) GTEST_SKIP() << "NVRTC was not found";
  add(8, 1, "64x64");
  add(32, 1, "8192x8192");
  write(to_header(exported(store_, {})), "");
  EXPECT_EQ(nvrtc.compile(device_program, "-I" + folder_.path().string()), "");
  EXPECT_THAT(
      nvrtc.compile(std::string(device_program) + "static_assert(best::schema == 0);", "-I" + folder_.path().string()),
      HasSubstr("static"))
      << "the compiler's answer is compared";
}

TEST_F(ExportTest, TheExampleOfTheDocsCompilesAsPrinted) {
  const std::string page = bytes_of(std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "docs/exported_configurations.md");
  const std::string begin = "```cuda\n";
  const std::size_t first = page.find(begin);
  ASSERT_NE(first, std::string::npos);
  const std::string example = page.substr(first + begin.size(), page.find("```", first + 3) - first - begin.size());
  EXPECT_THAT(example, HasSubstr("#include \"best_settings.hpp\""));
  add(32, 1, "8192x8192", "op=transpose");
  std::ofstream(folder_ / "best_settings.hpp") << to_header(exported(store_, {}));
  std::filesystem::create_directory_symlink(std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "kernels",
                                            folder_ / "kernels");
  std::ofstream(folder_ / "choose.cu") << example;
  if (const std::string nvcc = said_by("command -v nvcc || ls /usr/local/cuda/bin/nvcc");
      nvcc.find("failed") == std::string::npos) {
    EXPECT_EQ(said_by(nvcc.substr(0, nvcc.find('\n')) + " -std=c++20 -cubin -arch=sm_90 -I . choose.cu"), "");
    EXPECT_GT(std::filesystem::file_size(folder_ / "choose.cubin"), 0U);
  }
  Nvrtc nvrtc;
  if (!nvrtc) GTEST_SKIP() << "NVRTC was not found";
  EXPECT_EQ(nvrtc.compile(example, "-I" + folder_.path().string()), "");
}

TEST_F(ExportTest, SettingsWhoseNamesWouldCollideGetNumbers) {
  add(1, 1, "64", "op=sum");
  add(2, 1, "64", "op:sum");
  add(3, 1, "64", "inline");
  const std::string program = R"(
namespace best = warpwright::settings::sm_90::transpose::types_float;
static_assert(best::op_sum::setting_0::params.tile_dim + best::op_sum_2::setting_0::params.tile_dim == 3);
static_assert(best::variant_inline::setting_0::params.tile_dim == 3);
)";
  EXPECT_EQ(compile(to_header(exported(store_, {})), program), "");
}

TEST_F(ExportTest, TextFromTheDatabaseCannotInjectCode) {
  Trial trial = example_.measured(1, 1);
  trial.configuration_id =
      store_.upsert(Configuration{.kernel_id = example_.kernel, .params = "{}; int evil() { return 1; }"});
  store_.add_trial(trial);
  EXPECT_THAT(error_of([&] { to_header(exported(store_, {})); }), HasSubstr("is no braced list of params"));

  const Id kernel = store_.upsert(Kernel{.pattern = "transpose", .kernel = "x\"\n#include <evil>"});
  trial.configuration_id = store_.upsert(Configuration{.kernel_id = kernel, .params = "{}"});
  store_.add_trial(trial);
  EXPECT_THAT(error_of([&] { to_header(exported(store_, {.kernel = "x*"})); }), HasSubstr("is no C++ name"));
}

TEST_F(ExportTest, TextsBecomeProperlyTerminatedLiterals) {
  Trial trial = example_.measured(1, 1);
  trial.board_id = store_.upsert(Board{.model = "H200\"; int evil; //\n#error evil\\", .arch = "sm_90"});
  trial.problem_id = example_.problem_of("64", "", "", "\"\\\n\x01");
  store_.add_trial(trial);
  EXPECT_EQ(compile(to_header(exported(store_, {})), ""), "");
}

TEST_F(ExportTest, JsonHasTheVersionAndTheCompleteAnswer) {
  const Id id = add(32, 2, "8192x8192", "op=sum", "bins=256", "zipf");
  store_.add_certificate({.trial_id = id, .cases = 200, .seed = 1});
  const auto json = nlohmann::json::parse(to_json(exported(store_, {})));
  EXPECT_EQ(json["format"], export_format);
  EXPECT_EQ(json["schema"], schema_version);
  EXPECT_EQ(json["program_version"], program_version());
  ASSERT_THAT(json["settings"], SizeIs(1));
  const auto& winner = json["settings"][0]["winner"];
  EXPECT_EQ(winner["target"], "sm_90");
  EXPECT_EQ(winner["variant"], "op=sum");
  EXPECT_EQ(winner["numbers"], "bins=256");
  EXPECT_EQ(winner["data"], "zipf");
  EXPECT_EQ(winner["shape"], "8192x8192");
  EXPECT_FALSE(winner.contains("elements") || winner.contains("size_class"));
  EXPECT_EQ(winner["axes"]["tile_dim"], 32);
  EXPECT_EQ(winner["median_us"], 2);
  EXPECT_EQ(winner["predicted_us"], nullptr);
  EXPECT_EQ(winner["certainty"], "certified (200 cases, seed 1)");
  EXPECT_EQ(json["settings"][0]["match"], "measured on sm_90 (NVIDIA H200)");
}

TEST_F(ExportTest, JsonAndCsvHaveTheBestOfEachBoardAndOtherFormatsThatOfTheArchitecture) {
  add(16, 1, "64x64");
  example_.board = store_.upsert(Board{.model = "NVIDIA H100", .arch = "sm_90", .source = "device"});
  add(32, 2, "64x64");
  example_.board = store_.upsert(Board{.model = "NVIDIA GH200", .arch = "sm_90", .source = "device"});
  Trial predicted = example_.predicted(32, 2);
  predicted.problem_id = example_.problem_of("64x64");
  store_.add_trial(predicted);
  example_.board = store_.upsert(Board{.model = "NVIDIA T4", .arch = "sm_75", .source = "device"});
  add(8, 3, "64x64", "", "", "uniform", "sm_75");
  const auto json = nlohmann::json::parse(export_as(store_, "json", {}).text)["settings"];
  ASSERT_THAT(json, SizeIs(4));
  std::vector<std::string> boards;
  for (const auto& one : json) boards.push_back(one["winner"]["board"]);
  EXPECT_THAT(boards, ElementsAre("NVIDIA T4", "NVIDIA GH200", "NVIDIA H100", "NVIDIA H200"));
  EXPECT_EQ(export_as(store_, "csv", {}).what, "4 configurations");
  EXPECT_EQ(export_as(store_, "hpp", {}).what, "2 configurations");
  EXPECT_EQ(export_as(store_, "json", {.types = "float", .board = "NVIDIA H100"}).what, "2 configurations");
}

TEST_F(ExportTest, JsonHandlesInvalidUtf8) {
  Trial trial = example_.measured(1, 1);
  trial.warnings = "broken \xff byte";
  store_.add_trial(trial);
  EXPECT_TRUE(nlohmann::json::accept(to_json(exported(store_, {}))));
}

TEST_F(ExportTest, CsvHasOneQuotedRowPerSetting) {
  add(16, 1.5, "64x64", "op=sum,\"x\"", "alpha=0.5", "kept:0.1");
  add(32, 2, "8192x8192");
  const std::string csv = to_csv(exported(store_, {}));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_THAT(csv, testing::StartsWith("format,arch,board,pattern,variant,numbers,types,shape,data,kernel,params,"));
  const std::string versions = fmt::format(",{},{}\r\n", program_version(), schema_version);
  EXPECT_THAT(csv, AllOf(HasSubstr(",match,program_version,schema\r\n"), testing::EndsWith(versions)));
  EXPECT_THAT(csv, HasSubstr("3,sm_90,NVIDIA H200,transpose,\"op=sum,\"\"x\"\"\",alpha=0.5,float,64x64,kept:0.1,tiled,"
                             "{.tile_dim = 16},measured,not certified,1.5,"));
}

TEST_F(ExportTest, TheQueryRestrictsTheExportAndSimulatorTrialsAreNeverExported) {
  add(16, 1, "64x64");
  add(32, 1, "64x64", "", "", "uniform", "sm_75");
  add(64, 1, "64x64", "", "", "uniform", "host/sm_75");
  add(8, 1, "32x32", "op=sum");
  EXPECT_THAT(exported(store_, {}), SizeIs(3));
  EXPECT_THAT(exported(store_, {.arch = "sm_75"}), SizeIs(1));
  EXPECT_THAT(exported(store_, {.settings = {{"op", "sum"}}}), SizeIs(1));
  EXPECT_THAT(exported(store_, {.pattern = "scan"}), IsEmpty());
}

}  // namespace
}  // namespace warpwright::db
