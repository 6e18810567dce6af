// Tests of the mutation rules: which places they change, which changes are equivalent, and declared equivalences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conformance/mutants/equivalences.hpp"

namespace warpwright::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The changes that a rule makes in the functions of a text.
std::vector<std::string> changes_by(const std::string& rule, const std::string& text,
                                    const std::vector<Parameter>& inputs = {}) {
  const DeviceSource source("x.cuh", text);
  std::vector<std::string> changes;
  for (const Rule& known : rules())
    if (known.name == rule)
      for (const DeviceFunction& function : source.functions())
        for (const Change& change : known.changes({source, function, inputs}))
          changes.push_back(change.change + (change.equivalent.empty() ? "" : " (equivalent)"));
  return changes;
}

std::string kernel(const std::string& body) {
  return "template <class T, int N>\n__global__ void __launch_bounds__(N)\n    work(const T* __restrict__ in, T* out, "
         "long long count) {\n  __shared__ T tile[N][N + 1];\n" +
         body + "\n}\n";
}

TEST(Rules, FindTheirPlaces) {
  EXPECT_THAT(changes_by("remove a barrier", kernel("__syncthreads();")), ElementsAre("__syncthreads(); -> (nothing)"));
  EXPECT_THAT(changes_by("barrier in a branch", kernel("__syncwarp();")),
              ElementsAre("__syncwarp(); -> if (threadIdx.x % 32 < 16) __syncwarp();"));
  EXPECT_THAT(changes_by("< for <=", kernel("if (i < count && vec<T>(j) >= 0) f<N>(i);")),
              ElementsAre("i < count -> i <= count", "vec<T>(j) >= 0 -> vec<T>(j) > 0"));
  EXPECT_THAT(changes_by("off by one in a bound", kernel("for (int i = 0; i < N; i += 2 * K) f(i);")),
              ElementsAre("i < N -> i + (2 * K) < N"));
  EXPECT_THAT(
      changes_by("off by one in an index", kernel("T held[4]; vec<T> more[K][2]; held[i] = tile[i][j + 1];")),
      ElementsAre("held[i] -> held[i + 1]", "tile[i] -> tile[i + 1]", "tile[i][j + 1] -> tile[i][(j + 1) + 1]"));
  EXPECT_THAT(changes_by("drop a guard", kernel("if (i >= count) return;\nif (i < 3) f(i);\nif (done) g();")),
              ElementsAre("if (i >= count) -> if (false)", "if (i < 3) -> if (true)"));
  EXPECT_THAT(changes_by("drop an atomic", kernel("atomicAdd(out, T(1));")),
              ElementsAre("atomicAdd(out, T(1)) -> plain read, change and write"));
  EXPECT_THAT(changes_by("drop a fence", kernel("__threadfence();\nstore_release(out, 1);")),
              ElementsAre("__threadfence(); -> (nothing)", "store_release(out, 1) -> store_relaxed(out, 1)"));
  EXPECT_THAT(
      changes_by("narrow a fence", kernel("__threadfence();\n__threadfence_system();\n__threadfence_block();")),
      ElementsAre("__threadfence(); -> __threadfence_block();", "__threadfence_system(); -> __threadfence_block();"));
  EXPECT_THAT(changes_by("fence behind the next statement", kernel("__threadfence();\nout[0] = 1;\n__threadfence();")),
              ElementsAre("__threadfence(); out[0] = 1; -> out[0] = 1; __threadfence();"));
  EXPECT_THAT(changes_by("narrow an atomic", kernel("atomicAdd(out + i, T(1));\natomicAdd(&tile[0][0], T(1));")),
              ElementsAre("atomicAdd(out + i, T(1)) -> atomicAdd_block(out + i, T(1))"));
  EXPECT_THAT(changes_by("remove a helper's barrier", kernel("block::sync_grid(out);\ntile4.sync();\nf.sync;")),
              ElementsAre("block::sync_grid(out); -> (nothing)", "tile4.sync(); -> (nothing)"));
  EXPECT_THAT(changes_by("wrong mask", kernel("x = __shfl_down_sync(0xffffffffU, x, 1);")),
              ElementsAre("__shfl_down_sync(0xffffffffU, x, 1) -> __shfl_down_sync((0xffffffffU) & 0xffffU, x, 1)"));
  EXPECT_THAT(changes_by("wrong delta", kernel("x = __shfl_up_sync(m, x, d);")),
              ElementsAre("__shfl_up_sync(m, x, d) -> __shfl_up_sync(m, x, d + 1)"));
  EXPECT_THAT(changes_by("wrong width", kernel("x = __shfl_sync(m, x, d, 32);")),
              ElementsAre("__shfl_sync(m, x, d, 32) -> __shfl_sync(m, x, d, (32) / 2)"));
  EXPECT_THAT(changes_by("skip a store to shared memory", kernel("tile[0][i] = in[i];\nout[i] = in[i];")),
              ElementsAre("tile[0][i] = in[i]; -> (nothing)"));
  EXPECT_THAT(
      changes_by("skip a store to shared memory",
                 kernel("__shared__ bool last;\nextern __shared__ __align__(16) unsigned char bytes[];\n"
                        "T* const part = reinterpret_cast<T*>(bytes);\nT* row = &tile[1][0];\nT sum = tile[0][0];\n"
                        "last = i == 3;\npart[i] = sum;\n*row = 1;\nsum = last;\n*out = tile[0][0];")),
      ElementsAre("last = i == 3; -> (nothing)", "part[i] = sum; -> (nothing)", "*row = 1; -> (nothing)"));
  EXPECT_THAT(changes_by("swap the indices of a tile", kernel("out[i] = tile[a][b + 1];")),
              ElementsAre("tile[a][b + 1] -> tile[b + 1][a]"));
  EXPECT_THAT(changes_by("write nothing", kernel("")), ElementsAre("work(...) { -> { return;"));
  EXPECT_THAT(changes_by("leave the previous output", kernel("out[i] = in[i];")),
              ElementsAre("out[i] = in[i]; -> out[i] = out[i];"));
  EXPECT_THAT(changes_by("float where double accumulates", kernel("T sum = 0;\nsum += in[i];\ni += 1;")),
              ElementsAre("sum += in[i]; -> sum = static_cast<float>(sum + in[i]);"));
  EXPECT_THAT(changes_by("one thread too many writes", kernel("if (lane == 0) tile[0][0] = 1;\nif (lane == 0) ++i;")),
              ElementsAre("if (lane == 0) -> if (lane <= 1)"));
  EXPECT_THAT(changes_by("remove an asynchronous wait", kernel("async_wait<0>();")),
              ElementsAre("async_wait<0>(); -> (nothing)"));
  const std::string waits = kernel("async_wait<N - 1>();\nphase_wait(&full[s], p);\nphase_arrive_expect(&full[s], n);");
  EXPECT_THAT(changes_by("remove an asynchronous wait", waits),
              ElementsAre("async_wait<N - 1>(); -> (nothing)", "phase_wait(&full[s], p); -> (nothing)"));
  EXPECT_THAT(changes_by("wait for less", waits),
              ElementsAre("async_wait<N - 1>(); -> async_wait<(N - 1) + 1>();",
                          "phase_wait(&full[s], p); -> phase_wait(&full[s], (p) ^ 1);"));
  EXPECT_THAT(changes_by("expect no bytes", waits),
              ElementsAre("phase_arrive_expect(&full[s], n); -> phase_arrive_expect(&full[s], 0);"));
  const std::string products = kernel("products_fence(few);\nproducts_wait<0>(few);\nf<swizzle::bytes_64>(tile);");
  EXPECT_THAT(changes_by("drop a fence", products), ElementsAre("products_fence(few); -> (nothing)"));
  EXPECT_THAT(changes_by("remove an asynchronous wait", products), ElementsAre("products_wait<0>(few); -> (nothing)"));
  EXPECT_THAT(changes_by("wait for less", products),
              ElementsAre("products_wait<0>(few); -> products_wait<(0) + 1>(few);"));
  EXPECT_THAT(changes_by("wrong swizzle", products), ElementsAre("bytes_64 -> bytes_32"));
  const std::string stores = kernel("bulk_wait<0>();\nbulk_wait_reads<1>();");
  EXPECT_THAT(changes_by("remove an asynchronous wait", stores),
              ElementsAre("bulk_wait<0>(); -> (nothing)", "bulk_wait_reads<1>(); -> (nothing)"));
  EXPECT_THAT(changes_by("wait for less", stores), ElementsAre("bulk_wait<0>(); -> bulk_wait<(0) + 1>();",
                                                               "bulk_wait_reads<1>(); -> bulk_wait_reads<(1) + 1>();"));
  const std::vector<Parameter> inputs{{.name = "in", .type = "T", .pointer = true, .read_only = true}};
  EXPECT_THAT(changes_by("write the input", kernel("out[i] = T(2) * in[i];\nout[j] = in[j];"), inputs),
              ElementsAre("out[i] = T(2) * in[i]; -> out[i] = in[i];"));
  EXPECT_THAT(changes_by("change the input", kernel(""), inputs), ElementsAre("work(...) { -> stores into in"));
}

TEST(Rules, SkipStaticAssertionsAndTemplateBrackets) {
  EXPECT_THAT(changes_by("< for <=", kernel("static_assert(N < 3, \"small\");\nvec<T, N> held;")), IsEmpty());
}

TEST(Rules, OnlyTheTightGuardOfAPathWithASlowerAlternativeIsEquivalent) {
  const std::string fast = kernel(
      "if (at + N <= count) {\n  copy(at);\n} else {\n  for (long long rest = at; rest < count; ++rest) out[rest] = "
      "in[rest];\n}");
  EXPECT_THAT(changes_by("< for <=", fast),
              ElementsAre("at + N <= count -> at + N < count (equivalent)", "rest < count -> rest <= count"));
  EXPECT_THAT(changes_by("< for <=", kernel("if (at + N <= count) copy(at);")),
              ElementsAre("at + N <= count -> at + N < count"));
  EXPECT_THAT(changes_by("< for <=", kernel("x = b < a ? b : a;\ny = b < a ? c : a;")),
              ElementsAre("b < a -> b <= a (equivalent)", "b < a -> b <= a"));
}

TEST(PlanRules, OmitPartOfAStepAlsoWithinRepeats) {
  const Step memset{.what = Memset{.buffer = "out", .count = 1, .value = value(0)}};
  const Step other{.what = Memset{.buffer = "flags", .count = 1, .value = value(0)}};
  const Step upload{.what = ConstantUpload{.symbol = "shop::filter", .buffer = "in", .bytes = 4}};
  const Step repeat{.what = Repeat{.times = 3, .steps = {memset, other}, .swaps = {{"a", "b"}}}};
  const Plan plan{.buffers = {}, .steps = {memset, upload, repeat}};
  const auto broken = [&](const std::string& name, const std::string& place) {
    const auto rule = std::ranges::find(plan_rules(), name, &PlanRule::name);
    EXPECT_TRUE(rule->places(plan).contains(place)) << place;
    Plan edited = plan;
    rule->break_plan(edited, place);
    EXPECT_FALSE(rule->places(edited).contains(place)) << place;
    return edited;
  };
  const Step without_memset{.what = Repeat{.times = 3, .steps = {other}, .swaps = {{"a", "b"}}}};
  EXPECT_EQ(broken("skip the initialisation of an output", "memset of out").steps,
            (std::vector<Step>{upload, without_memset}));
  EXPECT_EQ(broken("skip the upload of a constant", "upload of shop::filter").steps,
            (std::vector<Step>{memset, repeat}));
  const Step without_swap{.what = Repeat{.times = 3, .steps = {memset, other}}};
  EXPECT_EQ(broken("skip a swap of buffers", "swap of a and b").steps,
            (std::vector<Step>{memset, upload, without_swap}));
}

TEST(PlanRules, DropWaitsSwapStreamsAndReadTooEarly) {
  const auto copy = [](int stream, const std::string& label, std::vector<std::string> waits) {
    return Step{
        .what = Copy{.from = "a", .to = "b", .bytes = 4}, .stream = stream, .label = label, .waits = std::move(waits)};
  };
  const Step wait{.what = Synchronise{}, .waits = {"out 0"}};
  const Plan plan{.buffers = {},
                  .steps = {copy(1, "in 0", {}), copy(1, "in 1", {}), copy(2, "out 0", {"in 0", "in 1"}), wait}};
  const auto broken = [&](const std::string& name, const std::string& place) {
    const auto rule = std::ranges::find(plan_rules(), name, &PlanRule::name);
    EXPECT_TRUE(rule->places(plan).contains(place)) << place;
    Plan edited = plan;
    rule->break_plan(edited, place);
    EXPECT_NE(edited, plan) << place;
    return edited;
  };
  EXPECT_EQ(broken("drop a wait", "wait for 'in' before a copy from a to b").steps[2], copy(2, "out 0", {}));
  EXPECT_TRUE(broken("drop a wait", "wait for 'out' before a host step").steps[3].waits.empty());
  const Plan swapped = broken("swap two streams", "streams of their own for the first steps of two");
  EXPECT_EQ(swapped.steps[0].stream, 2);
  EXPECT_EQ(swapped.steps[1].stream, 1);
  EXPECT_EQ(swapped.steps[2].stream, 1);
  EXPECT_EQ(broken("read before the synchronisation", "wait of the host").steps.size(), 3U);
  const Plan plain{.buffers = {}, .steps = {copy(0, "", {}), copy(1, "", {})}};
  for (const PlanRule& rule : plan_rules()) EXPECT_TRUE(rule.places(plain).empty()) << rule.name;
}

TEST(Rules, BelongToFewFamilies) {
  std::set<std::string> families;
  for (const Rule& rule : rules()) {
    EXPECT_FALSE(rule.family.empty()) << rule.name;
    families.insert(rule.family);
  }
  EXPECT_GE(families.size(), 4U);
  EXPECT_LE(families.size(), 9U);
}

TEST(Equivalences, EveryDeclarationMatchesAMutant) {
  EXPECT_FALSE(catalogue().equivalences().empty());
  EXPECT_THAT(obsolete_equivalences(catalogue()), IsEmpty());
}

/// The kernels of this kernel's pattern, with these declarations beside its device file.
Catalogue with_declarations(const Kernel& kernel, const std::string& text) {
  SourceTree sources = catalogue().sources();
  std::erase_if(sources, [](const auto& entry) { return is_mutants_file(entry.first); });
  sources[mutants_file_of(kernel.source)] = text;
  std::vector<Kernel> kernels = catalogue().kernels();
  std::erase_if(kernels, [&](const Kernel& other) { return other.pattern != kernel.pattern; });
  return {catalogue().patterns(), std::move(kernels), sources};
}

TEST(Equivalences, ADeclarationAppliesOnlyToTheMutantThatItNames) {
  const Kernel& kernel = catalogue().kernels().front();
  const std::vector<Mutation> before = mutations_of(with_declarations(kernel, ""), kernel);
  const auto named = std::ranges::find(before, "write nothing", &Mutation::rule);
  ASSERT_NE(named, before.end());
  const Catalogue known = with_declarations(kernel, "so it is\n  write nothing | " + named->change + "\n");
  EXPECT_THAT(obsolete_equivalences(known), IsEmpty());
  const std::vector<Mutation> after = mutations_of(known, kernel);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool is_named = after[i].rule == named->rule && after[i].change == named->change;
    EXPECT_EQ(after[i].equivalent, is_named ? "so it is" : before[i].equivalent) << after[i].change;
    EXPECT_EQ(after[i].declared, is_named ? mutants_file_of(kernel.source) + ":2" : "") << after[i].change;
  }
}

TEST(Equivalences, ADeclarationForAnIncludedFileOrForThePlanAppliesToThatKernelOnly) {
  const auto uses_two = std::ranges::find_if(catalogue().kernels(), [](const Kernel& kernel) {
    const auto mutations = mutations_of(catalogue(), kernel);
    return std::ranges::any_of(mutations, [](const Mutation& one) { return one.edit_plan != nullptr; }) &&
           std::ranges::any_of(mutations, [&](const Mutation& one) {
             return one.rule == "drop a guard" && one.file != kernel.source && one.equivalent.empty();
           });
  });
  ASSERT_NE(uses_two, catalogue().kernels().end());
  const std::vector<Mutation> mutations = mutations_of(catalogue(), *uses_two);
  const auto of_plan = std::ranges::find_if(mutations, [](const Mutation& one) { return one.edit_plan != nullptr; });
  const auto shared = std::ranges::find_if(mutations, [&](const Mutation& one) {
    return one.rule == "drop a guard" && one.file != uses_two->source && one.equivalent.empty();
  });
  const Catalogue known =
      with_declarations(*uses_two, "so it is\n  plan | " + of_plan->rule + " | " + of_plan->change + "\n  " +
                                       shared->file + " | " + shared->rule + " | " + shared->change + "\n");
  EXPECT_THAT(obsolete_equivalences(known), IsEmpty());
  for (const Kernel& kernel : known.kernels()) {
    const auto declared = std::ranges::count_if(mutations_of(known, kernel),
                                                [](const Mutation& one) { return one.equivalent == "so it is"; });
    EXPECT_EQ(declared, kernel.full_name() == uses_two->full_name() ? 2 : 0) << kernel.full_name();
  }
}

TEST(Equivalences, AnUnknownRuleAndAnObsoleteDeclarationAreNamed) {
  const Kernel& kernel = catalogue().kernels().front();
  const std::string place = mutants_file_of(kernel.source) + ":2";
  try {
    (void)mutations_of(with_declarations(kernel, "so it is\n  drop a brick | a -> b\n"), kernel);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr(place + ": no rule 'drop a brick'; there are: remove a barrier, "));
  }
  EXPECT_THAT(
      obsolete_equivalences(with_declarations(kernel, "so it is\n  drop a guard #9 | if (gone) -> if (true)\n")),
      ElementsAre(place + ": no kernel has this mutant: drop a guard #9 | if (gone) -> if (true)"));
}

}  // namespace
}  // namespace warpwright::conformance
