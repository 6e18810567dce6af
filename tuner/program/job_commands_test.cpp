// Tests of jobs with `tune` and `tunedb`: from a .cu file to stored configurations.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::tuner {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct Result {
  int code = -1;
  std::string text;
};

class JobCommands : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "scale.cu") << R"raw(
#define BLOCK 128
__global__ void scaled(float* y, const float* x, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
int main() { scaled<<<7, BLOCK>>>(nullptr, nullptr, 0); }
)raw";
  }

  /// Runs a program in the job's folder; returns standard output and error together.
  Result run(const std::string& command) const {
    const std::string line = "cd " + folder_.path().string() + " && " WARPWRIGHT_BINARY_DIR "/bin/" + command;
    const simulator::ProcessResult result =
        simulator::run_process({"sh", "-c", line}, "", time_factor * std::chrono::minutes(5));
    return {.code = result.exit_code, .text = result.output};
  }

  const TemporaryFolder folder_;
};

TEST_F(JobCommands, StoreRowsThatAreShownLikeAnyOthers) {
  std::ofstream(folder_ / "scale.json") << R"raw({
  "extents": ["n"], "params": {"BLOCK": {"values": [64, 128, 2048], "default": 128}},
  "buffers": {"x": {"role": "in", "type": "float", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
  "steps": {"kernel": "scaled", "grid": "ceil_div(n, BLOCK)", "block": "BLOCK"}, "shapes": ["2^20"], "bound": "bits"
})raw";
  const std::string tune =
      "tune scale.json --predict --arch sm_75 --no-report --db jobs.db --cache " WARPWRIGHT_BINARY_DIR "/test_cache";
  const Result first = run(tune + " --verbose");
  EXPECT_EQ(first.code, 0) << first.text;
  EXPECT_THAT(first.text,
              AllOf(HasSubstr("job:scale/scaled {.BLOCK = "), HasSubstr("values were not checked: without an oracle"),
                    HasSubstr("2 configurations predicted")));
  EXPECT_THAT(run(tune).text, HasSubstr("0 configurations predicted"));
  EXPECT_THAT(run("tunedb best -v --db jobs.db --arch sm_75").text, HasSubstr("job:scale/scaled"));
  const Result trials = run("tunedb trials --db jobs.db --json");
  EXPECT_THAT(trials.text,
              AllOf(HasSubstr("job:scale"), HasSubstr("{.BLOCK = 64}"), Not(HasSubstr("{.BLOCK = 2048}"))));
  EXPECT_THAT(run("tunedb show 1 --db jobs.db").text, HasSubstr("values were not checked: without an oracle"));
  EXPECT_THAT(run("tunedb export --db jobs.db --format csv").text, HasSubstr("job:scale"));
  const Result header = run("tunedb export --db jobs.db --format hpp --output best.hpp");
  EXPECT_EQ(header.code, 0);
  EXPECT_THAT(header.text, HasSubstr("left out of the header: --format defines has them"));
}

TEST_F(JobCommands, PredictTheSameTimeWhateverTheStatedWork) {
  std::ofstream(folder_ / "sums.cu") << R"raw(__global__ void sums(const float* x, float* y, int columns) {
  __shared__ float part[128];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += 128) sum += x[blockIdx.x * columns + i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int i = 1; i < 128; ++i) sum += part[i];
  y[blockIdx.x] = sum;
}
)raw";
  std::vector<double> times;
  for (const char* work : {"{}", R"({"operations": "rows * columns"})", R"({"operations": "50 * rows * columns"})",
                           R"({"steps": "rows"})", R"({"steps": "50 * rows * columns", "read": 4})"}) {
    std::ofstream(folder_ / "sums.json") << R"raw({
  "extents": ["rows", "columns"], "buffers": {"x": {"role": "in", "type": "float", "count": "rows * columns"},
  "y": {"role": "out", "type": "float", "count": "rows"}}, "steps": {"kernel": "sums", "grid": "rows", "block": 128},
  "shapes": [[4096, 2048]], "check_shapes": [[1, 1], [3, 200]], "bound": {"depth": "columns"}, "work": )raw"
                                         << work << "}";
    const std::string database = "work" + std::to_string(times.size()) + ".db";
    const Result tuned = run("tune sums.json --arch sm_75 --no-report --db " + database +
                             " --cache " WARPWRIGHT_BINARY_DIR "/test_cache");
    ASSERT_EQ(tuned.code, 0) << tuned.text;
    const db::Store store(folder_ / database, db::Mode::read_only);
    const auto trials = db::trials(store, {});
    ASSERT_FALSE(trials.empty());
    times.push_back(trials.front().trial.predicted_us.value_or(0));
  }
  for (const double time : times) EXPECT_NEAR(time / times.front(), 1, 0.05);
}

TEST_F(JobCommands, AStrictFindingAtAShapeThatNobodyTunesIsANote) {
  // Threads beyond the end leave before the barrier. The tuned shapes with whole blocks have none.
  std::ofstream(folder_ / "early.cu") << R"raw(
#define BLOCK 128
__global__ void early(float* y, const float* x, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;
  __syncthreads();
  y[i] = 2 * x[i];
}
)raw";
  const auto tuned = [&](const std::string& shape) {
    std::ofstream(folder_ / "early.json") << R"raw({
  "extents": ["n"], "params": {"BLOCK": {"values": [64, 128], "default": 128}},
  "buffers": {"x": {"role": "in", "type": "float", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
  "steps": {"kernel": "early", "grid": "ceil_div(n, BLOCK)", "block": "BLOCK"}, "bound": "bits", "shapes": [")raw" +
                                                 shape + "\"]}";
    const std::string tune =
        "tune early.json --arch sm_75 --no-report --db " + shape + ".db --cache " WARPWRIGHT_BINARY_DIR "/test_cache";
    return run(tune + " && " WARPWRIGHT_BINARY_DIR "/bin/tunedb trials --json --db " + shape + ".db");
  };
  const Result whole = tuned("65536");
  EXPECT_EQ(whole.code, 0) << whole.text;
  EXPECT_THAT(whole.text, AllOf(HasSubstr("which is not tuned: "), HasSubstr("--repro 'kernel=job:early/early")));
  const Result part = tuned("65500");
  EXPECT_NE(part.code, 0) << "the tuned shape itself breaks the rule: " << part.text;
}

TEST_F(JobCommands, CompareTheSampleAndTheBestOnly) {
  std::ofstream(folder_ / "three.cu") << R"raw(
#define A 1
#define B 1
#define C 1
__global__ void three(float* y, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i] + (A + B + C) * 0;
}
)raw";
  std::ofstream(folder_ / "three.json") << R"raw({
  "extents": ["n"], "params": {"A": {"values": [1, 2, 3, 4, 5], "default": 1},
  "B": {"values": [1, 2, 3, 4, 5], "default": 1}, "C": {"values": [1, 2, 3, 4, 5], "default": 1}},
  "buffers": {"x": {"role": "in", "type": "float", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
  "steps": {"kernel": "three", "grid": "ceil_div(n, 128)", "block": 128}, "shapes": ["2^20"], "bound": "bits"
})raw";
  const std::string tune =
      "tune three.json --predict --arch sm_75 --strategy random --evaluations 20 --no-report --db three.db "
      "--cache " WARPWRIGHT_BINARY_DIR "/test_cache";
  const Result tuned = run(tune);
  ASSERT_EQ(tuned.code, 0) << tuned.text;
  EXPECT_THAT(run(tune).text, HasSubstr("0 configurations predicted")) << "unchecked ones are not predicted again";
  const db::Store store(folder_ / "three.db", db::Mode::read_only);
  int unchecked = 0;
  for (const db::TrialView& view : db::trials(store, {})) {
    EXPECT_TRUE(view.trial.predicted_us);
    unchecked += view.trial.verdict == "unchecked" ? 1 : 0;
    if (view.trial.verdict == "unchecked") {
      EXPECT_EQ(view.trial.simulated_cases, 0);
    }
    if (view.trial.full_property) {
      EXPECT_EQ(view.trial.verdict, "passed");
    }
  }
  EXPECT_GT(unchecked, 5) << "a sample that covers all pairs has about 25 of 125 configurations";
  EXPECT_THAT(tuned.text, HasSubstr("predicted, checked"));
}

TEST_F(JobCommands, SayWhyAKernelThatTheSimulatorCannotReadHasNoPrediction) {
  std::ofstream(folder_ / "lane.cu") << R"raw(__global__ void lanes(unsigned* y, int n) {
  unsigned lane;
  asm volatile("bfind.u32 %0, %1;" : "=r"(lane) : "r"(threadIdx.x));
  if (threadIdx.x < n) y[threadIdx.x] = lane;
}
__global__ void plain(unsigned* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = threadIdx.x; }
)raw";
  std::ofstream(folder_ / "lane.json") << R"raw({"file": "lane.cu", "extents": ["n"],
    "buffers": {"y": {"role": "out", "type": "unsigned int", "count": "n"}},
    "steps": {"kernel": "lanes", "grid": 1, "block": 32}, "takes": ["n <= 32"], "shapes": [32], "bound": "bits",
    "oracle": {"kernel": "plain", "grid": 1, "block": 32}})raw";
  const Result tuned = run(
      "tune lane.json --predict --arch sm_75 --no-report --db jobs.db --cache " WARPWRIGHT_BINARY_DIR "/test_cache");
  EXPECT_THAT(tuned.text, AllOf(HasSubstr("no best configurations for job:lane 32 uint: kernels that the simulator "
                                          "does not support have no predicted time"),
                                HasSubstr("inline PTX at lane.cu:3"), Not(HasSubstr("streams"))));
  // It also completes if the oracle uses such a kernel.
  const std::string given = R"({"kernel": "plain", "grid": 1, "block": 32})";
  for (const std::string oracle : {R"("default")", R"({"kernel": "lanes", "grid": 1, "block": 32})"}) {
    std::ifstream in(folder_ / "lane.json");
    std::string job{std::istreambuf_iterator<char>(in), {}};
    std::ofstream(folder_ / "other.json") << job.replace(job.find(given), given.size(), oracle);
    const Result other =
        run("tune other.json --predict --arch sm_75 --no-report --db other.db --cache " WARPWRIGHT_BINARY_DIR
            "/test_cache");
    EXPECT_EQ(other.code, tuned.code) << other.text;
    EXPECT_THAT(other.text, HasSubstr("inline PTX at lane.cu:3"));
  }
}

TEST_F(JobCommands, SayWhatIsWrongWithAKernelAndOfferNoSettings) {
  std::ofstream(folder_ / "race.cu") << R"raw(__global__ void turned(float* y, const float* x, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = 0;
  __syncthreads();
  tile[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void plain(float* y, const float* x, int n) { y[threadIdx.x] = x[63 - threadIdx.x]; }
)raw";
  const std::string job = R"raw({"file": "race.cu", "extents": ["n"],
    "buffers": {"x": {"role": "in", "type": "float", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
    "steps": {"kernel": "turned", "grid": 1, "block": 64}, "takes": ["n == 64"], "shapes": [64], "bound": "equal")raw";
  std::ofstream(folder_ / "race.json") << job << R"(, "oracle": {"kernel": "plain", "grid": 1, "block": 64}})";
  std::ofstream(folder_ / "alone.json") << job << "}";
  const std::string rest =
      " --predict --arch sm_75 --no-report --db jobs.db --cache " WARPWRIGHT_BINARY_DIR "/test_cache";
  const Result broken = run("tune race.json" + rest);
  EXPECT_EQ(broken.code, 1) << broken.text;
  EXPECT_THAT(
      broken.text,
      AllOf(ContainsRegex("\nrace.cu:[0-9]+:[0-9]+: race: "), HasSubstr("\n  reproduce: conform race.json --repro "),
            HasSubstr("tunedb trials --verdict failed --db jobs.db"), Not(HasSubstr("Settings:"))));
  const Result alone = run("tune alone.json" + rest);
  EXPECT_EQ(alone.code, 1) << alone.text;
  EXPECT_THAT(alone.text, AllOf(HasSubstr("tune: job:alone has a wrong reference"), HasSubstr("\nrace.cu:"),
                                HasSubstr("\n  Correct it: the \"oracle\" of the job")));
}

/// From sources to their best configurations, and back into the sources: all of them, each behind its exported header.
class ExportedHeaders : public JobCommands {
 protected:
  void write_all() const {
    const std::string body = "const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = 2 * x[i];\n}\n";
    const std::string kernel = "__global__ void k(float* y, const float* x, int n) {\n  " + body;
    const std::string launch = "<<<(n + THREADS - 1) / THREADS, THREADS>>>(y, x, n); }\n";
    const std::string run_it = "void run(float* y, const float* x, int n) { ";
    const std::string guarded = "#ifndef THREADS\n#define THREADS 128\n#endif\n";
    const std::map<std::string, std::string> texts = {
        {"macro", guarded +
                      "__global__ void k(float* y, const float* x, int n) {\n  __shared__ int seen[THREADS];\n"
                      "  seen[threadIdx.x] = n;\n  " +
                      body + run_it + "k" + launch},
        {"plan", guarded + kernel + run_it + "k" + launch},
        {"constant", "constexpr int THREADS = 128;\n" + kernel + run_it + "k" + launch},
        {"template", "template <int THREADS> " + kernel + run_it + "k<64><<<(n + 63) / 64, 64>>>(y, x, n); }\n"}};
    std::string all = "#include <cstdio>\n";  // one compilation is quicker than four
    for (const auto& [name, text] : texts) {
      std::ofstream(folder_ / (name + ".cu")) << text;
      const std::string rest = " --db jobs.db --cache " WARPWRIGHT_BINARY_DIR "/test_cache";
      EXPECT_EQ(run("tune init " + name + ".cu").code, 0);
      const Result tuned = run("tune " + name + ".json --predict --arch sm_75 --no-report" + rest);
      EXPECT_EQ(tuned.code, 0) << tuned.text;
      const Result made =
          run("tunedb export --format defines --db jobs.db --pattern job:" + name + " --output " + name + ".h");
      EXPECT_EQ(made.code, 0) << made.text;
      all += "#include \"" + name + ".h\"\nnamespace of_" + name + " {\n#include \"" + name +
             ".cu\"\n}\n#undef THREADS\n#undef WARPWRIGHT_DEFINES\n";
    }
    std::string calls;
    for (const auto& [name, text] : texts) calls += "  check(\"" + name + "\", of_" + name + "::run);\n";
    std::ofstream(folder_ / "all.cu") << all << R"(
int failed = 0;
void check(const char* name, void (*run)(float*, const float*, int)) {
  const int n = 1000;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = i;
  run(y, x, n);
  const bool ran = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; ran && i < n; ++i) failed += y[i] != 2 * i;
  if (!ran || failed > 0) printf("%s: %s\n", name, ran ? "wrong values" : "did not run");
  failed += !ran;
}
int main() {
)" << calls << "  return failed != 0;\n}\n";
  }

  simulator::ProcessResult shell(const std::string& command) const {
    return simulator::run_process({"sh", "-c", "cd " + folder_.path().string() + " && " + command}, "",
                                  std::chrono::minutes(2));
  }
};

TEST_F(ExportedHeaders, AreCompiledWithTheirSources) {
  write_all();
  const auto header = [&](const std::string& name) {
    std::ifstream in(folder_ / (name + ".h"));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_THAT(header("macro"), ContainsRegex("\n#define THREADS [0-9]+\n"));
  EXPECT_THAT(header("plan"), ContainsRegex("\n#define THREADS [0-9]+\n"));
  EXPECT_THAT(header("constant"),
              AllOf(Not(HasSubstr("define THREADS")),
                    ContainsRegex("\n// the constant THREADS of the source: give it the value [0-9]+\n")));
  EXPECT_THAT(header("template"), AllOf(Not(HasSubstr("define THREADS")), ContainsRegex("call k<[0-9]+><<<...>>>")));
  const auto compiled = shell("nvcc -arch=sm_75 -c all.cu");
  EXPECT_EQ(compiled.exit_code, 0) << compiled.output;
}

TEST_F(ExportedHeaders, RunOnTheGpuWithTheirSources) {
  if (shell("nvidia-smi -L").exit_code != 0) GTEST_SKIP() << "this machine has no GPU";
  write_all();
  const auto ran = shell("nvcc -arch=native -o all all.cu && ./all");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
}

TEST_F(JobCommands, TellOfADefineThatOverridesTheHeader) {
  EXPECT_THAT(run("tune init scale.cu").text,
              HasSubstr("scale.cu:2: this #define BLOCK would override the tuned value that `tunedb export --format "
                        "defines` writes to a header. To let the header set it, write:\n  #ifndef BLOCK\n  #define "
                        "BLOCK 128\n  #endif\n"));
}

TEST_F(JobCommands, DraftAJobThatConformAccepts) {
  const Result drafted = run("tune init scale.cu");
  EXPECT_EQ(drafted.code, 0) << drafted.text;
  EXPECT_THAT(run("conform scale.json --cases 5 --cache " WARPWRIGHT_BINARY_DIR "/test_cache").text,
              HasSubstr("job:scale/scaled"));
  const Result again = run("tune init scale.cu");
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.text, AllOf(HasSubstr("scale.json exists, and is not overwritten: name another file with --out"),
                                Not(HasSubstr("remove"))));
  const Result no_job = run("tune scale.cu --arch sm_75");
  EXPECT_EQ(no_job.code, 2);
  EXPECT_THAT(no_job.text, AllOf(HasSubstr("scale.cu is a CUDA file, and a job file is needed"),
                                 HasSubstr("`tune init scale.cu`"), HasSubstr("give scale.json here")));
  EXPECT_EQ(run("tune init nothing.cu").code, 2);
  std::filesystem::create_directory(folder_ / "folder.json");
  EXPECT_THAT(run("conform folder.json").text, HasSubstr("folder.json is a folder: name the job file in it"));
  std::ofstream(folder_ / "two.cu") << "#include \"helper.h\"\n__global__ void a(int* p) { *p = 1; }\n"
                                       "__global__ void b(int* p) { *p = 2; }\n";
  const Result two = run("tune init two.cu --kernel b");
  EXPECT_EQ(two.code, 0) << two.text;
  EXPECT_THAT(two.text, AllOf(HasSubstr("It is for b; --kernel NAME drafts one for another: a"),
                              HasSubstr("\"helper.h\" was not found and is left out")));
  EXPECT_THAT(run("tune init two.cu --kernel c --out c.json").text, HasSubstr("defines no kernel c; it has a, b"));
}

}  // namespace
}  // namespace warpwright::tuner
