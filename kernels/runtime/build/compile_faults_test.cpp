// Tests of compilers that fail. If the program is the cause, the failure is a result and is cached; if the environment
// is, it is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/runtime/build/compiler.hpp"
#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::worker {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

SourceTree tree() {
  const fs::path root = WARPWRIGHT_SOURCE_DIR;
  SourceTree sources;
  for (const auto& file : fs::recursive_directory_iterator(root / "kernels" / "runtime")) {
    if (file.path().extension() != ".cuh") continue;
    std::ifstream in(file.path());
    sources[fs::relative(file.path(), root).string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  sources["good.cuh"] =
      "#include \"kernels/runtime/device.cuh\"\ntemplate <int N> __global__ void good(float* out) { *out = N; }\n";
  return sources;
}

/// A fake compiler: it answers like g++ when asked for its version, and runs `says` when it is to compile.
class FakeCompiler {
 public:
  explicit FakeCompiler(const std::string& says) {
    std::ofstream(folder_ / "c++") << "#!/bin/bash\nfor word in \"$@\"; do\n  [ \"$word\" = -dM ] && exec g++ \"$@\"\n"
                                   << "done\n"
                                   << says << "\n";
    fs::permissions(folder_ / "c++", fs::perms::owner_all);
    ::setenv("WARPWRIGHT_HOST_CXX", (folder_ / "c++").c_str(), 1);
  }
  ~FakeCompiler() { ::unsetenv("WARPWRIGHT_HOST_CXX"); }
  FakeCompiler(const FakeCompiler&) = delete;
  FakeCompiler& operator=(const FakeCompiler&) = delete;

 private:
  const TemporaryFolder folder_;
};

class CompileFaults : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("WARPWRIGHT_WORKER", (fs::path(WARPWRIGHT_BINARY_DIR) / "bin" / "worker").c_str(), 1);
  }
  void TearDown() override { ::unsetenv("WARPWRIGHT_WORKER"); }

  /// The environment fault with which compiling ends; empty if there is a result.
  static std::string fault_of(Compiler& compiler, const Program& program) {
    try {
      compiler.compile("host/sm_75", {program}).front().get();
    } catch (const EnvironmentFault& fault) {
      return fault.what();
    }
    return {};
  }

  std::vector<std::string> cached_entries() const {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(folder_ / "entries")) names.push_back(file.path().filename());
    return names;
  }

  const SourceTree sources_ = tree();
  const Program good_{.source = "good.cuh", .entries = {"good<1>"}};
  const TemporaryFolder folder_;
};

TEST_F(CompileFaults, ErrorsOfTheSystemAreNeitherResultsNorCached) {
  for (const char* const says :
       {"echo 'module.cpp:5:1: fatal error: error writing to /tmp/x.s: No space left on device' >&2; exit 1",
        "echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1",
        "echo 'collect2: fatal error: ld terminated with signal 9 [Killed]' >&2; exit 1",
        "echo 'cc1plus: out of memory allocating 65536 bytes after a total of 1000 bytes' >&2; exit 1",
        "echo 'g++: fatal error: cannot execute cc1plus: vfork: Resource temporarily unavailable' >&2; exit 1",
        "kill -KILL $$", "exit 1", "kill -SEGV $$"}) {
    const FakeCompiler fake(says);
    Pool pool(1);
    const DiskCache cache(folder_.path());
    Compiler compiler(pool, cache, sources_);
    EXPECT_FALSE(fault_of(compiler, good_).empty()) << says;
    EXPECT_THAT(cached_entries(), IsEmpty()) << says;
  }
}

TEST_F(CompileFaults, ACompilerThatFailsOnOneProgramOnlyIsAResult) {
  const FakeCompiler fake(
      "grep -q 'good<1>' module.cpp && { echo 'internal compiler error' >&2; exit 4; }\nexec g++ \"$@\"");
  Pool pool(1);
  const DiskCache cache(folder_.path());
  Compiler compiler(pool, cache, sources_);
  const CompiledProgram built = compiler.compile("host/sm_75", {good_}).front().get();
  EXPECT_FALSE(built.ok);
  EXPECT_TRUE(built.transient);
  EXPECT_THAT(built.log, HasSubstr("internal compiler error"));
  EXPECT_TRUE(compiler.compile_one("host/sm_75", {.source = "good.cuh", .entries = {"good<2>"}}).ok);
}

TEST_F(CompileFaults, ALinkerThatFailsOnOneProgramOnlyIsAResult) {
  const FakeCompiler fake(
      "[[ \"$*\" = *module.so* ]] && grep -q 'good<1>' module.cpp && kill -SEGV $$\nexec g++ \"$@\"");
  Pool pool(1);
  const DiskCache cache(folder_.path());
  Compiler compiler(pool, cache, sources_);
  EXPECT_EQ(fault_of(compiler, good_), "");
  EXPECT_FALSE(compiler.compile_one("host/sm_75", good_).ok);
}

TEST_F(CompileFaults, WordsOfTheSourceAreNotTakenForErrorsOfTheSystem) {
  SourceTree sources = sources_;
  sources["good.cuh"] += "#error Killed: out of memory, No space left on device\n";
  Pool pool(1);
  const DiskCache cache(folder_.path());
  Compiler compiler(pool, cache, sources);
  const CompiledProgram built = compiler.compile_one("host/sm_75", good_);
  EXPECT_FALSE(built.ok);
  EXPECT_FALSE(built.transient);
  EXPECT_THAT(built.log, HasSubstr("No space left"));
}

TEST_F(CompileFaults, AMissingTemporaryFolderIsAFaultUntilItIsBack) {
  Pool pool(1);
  const DiskCache cache(folder_.path());
  Compiler compiler(pool, cache, sources_);
  const std::string before = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp";
  ::setenv("TMPDIR", "/nonsense", 1);
  const std::string fault = fault_of(compiler, good_);
  ::setenv("TMPDIR", before.c_str(), 1);
  EXPECT_THAT(fault, HasSubstr("/nonsense"));
  EXPECT_THAT(fault, HasSubstr("TMPDIR"));
  EXPECT_THAT(cached_entries(), IsEmpty());
  EXPECT_EQ(fault_of(compiler, good_), "");
  EXPECT_TRUE(compiler.compile_one("host/sm_75", good_).ok);
  EXPECT_EQ(compiler.compiled(), 1);
}

TEST_F(CompileFaults, WithoutACompilerThereIsNoResult) {
  ::setenv("WARPWRIGHT_HOST_CXX", "/nowhere/c++", 1);
  Pool pool(1);
  const DiskCache cache(folder_.path());
  Compiler compiler(pool, cache, sources_);
  EXPECT_THROW(compiler.compile("host/sm_75", {good_}), EnvironmentFault);
  EXPECT_THROW(compiler.compile_one("host/sm_75", good_), EnvironmentFault);
  ::unsetenv("WARPWRIGHT_HOST_CXX");
  EXPECT_THAT(compiler.toolchain().host_error, HasSubstr("g++"));
}

TEST_F(CompileFaults, AFailureCachedByAnotherVersionIsNotReused) {
  SourceTree sources = sources_;
  sources["good.cuh"] += "wrong\n";
  Pool pool(1);
  const DiskCache cache(folder_.path());
  {
    Compiler compiler(pool, cache, sources);
    EXPECT_FALSE(compiler.compile_one("host/sm_75", good_).ok);
  }
  const auto entries = cached_entries();
  ASSERT_EQ(entries.size(), 1U);
  const auto compiled_again = [&] {
    Compiler compiler(pool, cache, sources);
    EXPECT_FALSE(compiler.compile_one("host/sm_75", good_).ok);
    return compiler.compiled();
  };
  EXPECT_EQ(compiled_again(), 0);
  auto entry = *cache.find(entries[0]);
  entry["made_by"] = "an older program";
  cache.put(entries[0], entry);
  EXPECT_EQ(compiled_again(), 1);
  EXPECT_EQ(compiled_again(), 0);
}

}  // namespace
}  // namespace warpwright::worker
