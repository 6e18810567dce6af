// Tests of messages about wrong job files. Each names the line and what to do.
#include "kernels/job/job.hpp"

#include <gmock/gmock.h>

#include "kernels/job/job_fixture.hpp"

namespace warpwright::job {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class JobErrors : public JobFiles {
 protected:
  std::string changed(const std::string& part, const std::string& other) {
    return refusal(with(kScaleJob, part, other));
  }
};

TEST_F(JobErrors, ThereAreNoneInTheExample) {
  EXPECT_EQ(refusal(kScaleJob), "none");
}

TEST_F(JobErrors, NameTheLineOfAnUnknownName) {
  EXPECT_THAT(changed("\"extents\"", "\"extent\""), HasSubstr("job.json:4: a job has no \"extent\"; known are: name"));
  EXPECT_THAT(changed("\"role\": \"in\"", "\"role\": \"input\""), HasSubstr("job.json:11: no role \"input\""));
  EXPECT_THAT(changed("\"type\": \"float\"", "\"type\": \"flaot\""), HasSubstr("job.json:11: no type \"flaot\""));
  EXPECT_THAT(
      changed("\"kernel\": \"scaled\"", "\"kernel\": \"scale_it\""),
      HasSubstr("job.json:15: " + (folder_ / "scale.cu").string() + " has no kernel \"scale_it\"; it has scaled"));
}

TEST_F(JobErrors, NameTheLineOfAnExpression) {
  EXPECT_THAT(
      changed("BLOCK * PER_THREAD <= 512", "BLOCK * PER_THREAD <="),
      HasSubstr("job.json:9: a condition \"BLOCK * PER_THREAD <=\" cannot be read: a value is missing at the end"));
  EXPECT_THAT(changed("ceil_div(n, BLOCK * PER_THREAD)", "ceil_div(m, BLOCK)"),
              HasSubstr("job.json:15: \"ceil_div(m, BLOCK)\" uses m, which is not defined here; known are BLOCK"));
  EXPECT_THAT(changed("\"count\": \"n\"", "\"count\": \"n * BLOCK\""),
              HasSubstr("job.json:11: \"n * BLOCK\" uses the param BLOCK"));
}

TEST_F(JobErrors, NameTheLineOfAnInvalidSpace) {
  EXPECT_THAT(changed("\"default\": 128", "\"default\": 100"),
              HasSubstr("job.json:6: the default 100 of BLOCK is none"));
  EXPECT_THAT(changed("\"[1, 2, 4]\"", "\"[1, 2,\""), HasSubstr("job.json:7: \"values\" \"[1, 2,\" cannot be read"));
  EXPECT_THAT(changed("<= 512", "<= 100"),
              HasSubstr("the default configuration {.BLOCK = 128, .PER_THREAD = 1} is none"));
  EXPECT_THAT(changed("BLOCK * PER_THREAD <= 512", "BLOCK <= n"), HasSubstr("write it in \"takes\""));
}

TEST_F(JobErrors, NameWhatIsMissing) {
  EXPECT_THAT(changed(",\n  \"bound\": {\"depth\": 1, \"of\": \"result\"}", ""),
              HasSubstr("job.json:1: \"bound\" is missing"));
  EXPECT_THAT(changed("\"shapes\": [[1048576]],", ""), HasSubstr("\"shapes\" is missing: what is tuned"));
  EXPECT_THAT(changed("\"y\": {\"role\": \"out\"", "\"y\": {\"role\": \"scratch\""), HasSubstr("nothing to check"));
}

TEST_F(JobErrors, RefuseABoundWithWhichZerosAreAlwaysRight) {
  const auto with_relative = [&](const std::string& relative) {
    return changed("{\"depth\": 1, \"of\": \"result\"}", "{\"relative\": " + relative + "}");
  };
  EXPECT_THAT(with_relative("1"), HasSubstr("zeros pass for every right answer"));
  EXPECT_EQ(with_relative("0.5"), "none");
}

TEST_F(JobErrors, NameArgumentsThatDoNotFit) {
  EXPECT_THAT(changed("\"grid\":", "\"arguments\": [\"y\", \"x\"], \"grid\":"),
              HasSubstr("job.json:15: scaled takes 3 arguments, and \"arguments\" has 2"));
  EXPECT_THAT(changed("\"grid\":", "\"arguments\": [\"y\", \"x\", \"n / 2.5\"], \"grid\":"),
              HasSubstr("the parameter a whole number"));
  EXPECT_THAT(changed("\"extents\": [\"n\"]", "\"extents\": [\"m\"]"), HasSubstr("known are"));
}

TEST_F(JobErrors, NameMembersThatAreNotThoseOfTheStruct) {
  write("scale.cu", R"(struct Pair { int first, last; };
struct View { const float* x; float* y; Pair pair; float weights[3]; int n; };
__global__ void scaled(View view) { if (threadIdx.x < view.n) view.y[threadIdx.x] = view.x[threadIdx.x]; }
)");
  const std::string pair = R"({"type": "Pair", "members": [{"type": "int", "value": 1}, {"type": "int", "value": 2}]})";
  const std::string weights = R"({"type": "float", "values": [1, 2, 3]})", n = R"({"type": "int", "value": "n"})";
  const std::string x = R"({"buffer": "x"})", y = R"({"buffer": "y"})";
  const auto said = [&](const std::vector<std::string>& members) {
    std::string list;
    for (const std::string& member : members) list += (list.empty() ? "" : ", ") + member;
    const std::string job =
        with(with(with(kScaleJob, R"("scale": {"role": "constant", "type": "float", "count": 1},)", ""),
                  R"({"values": [64, 128, 256], "default": 128})", "{\"values\": [64], \"as\": \"plan\"}"),
             R"("PER_THREAD": "[1, 2, 4]")", R"("PER_THREAD": {"values": [1], "as": "plan"})");
    return refusal(with(job, "\"grid\":", R"("arguments": [{"type": "View", "members": [)" + list + "]}], \"grid\":"));
  };
  EXPECT_EQ(said({x, y, pair, weights, n}), "none");
  EXPECT_THAT(said({x, y, pair, weights}),
              HasSubstr("View has 5 members (x, y, pair, weights, n), and \"members\" has 4"));
  EXPECT_THAT(said({x, y, pair, R"({"type": "float", "values": [1, 2]})", n}),
              HasSubstr("the member weights of View is an array of 3, and \"values\" has 2"));
  EXPECT_THAT(said({x, y, pair, weights, R"({"type": "float", "value": 1})"}),
              HasSubstr("the member n of View is int, and float is given"));
  EXPECT_THAT(said({x, n, pair, weights, n}), HasSubstr("the member y of View is a pointer"));
  EXPECT_THAT(said({x, y, pair, weights, "null"}), HasSubstr("the member n of View is int, no pointer"));
  EXPECT_THAT(said({x, y, with(pair, "int", "float"), weights, n}),
              HasSubstr("the member first of Pair is int, and float is given"));
}

TEST_F(JobErrors, TakeShapesOfNumbersAndPowers) {
  EXPECT_EQ(lowered(with(kScaleJob, "[[1048576]]", "[[\"2^20\"], \"2^10\", 7]")).pattern.tuning_shapes,
            (std::vector<std::vector<std::int64_t>>{{1048576}, {1024}, {7}}));
  EXPECT_THAT(changed("[[1048576]]", "[[\"n\"]]"), HasSubstr("an extent of a shape is a number or a power such as"));
  EXPECT_THAT(changed("[[1048576]]", "[[true]]"), HasSubstr("an extent of a shape is no number"));
}

TEST_F(JobErrors, NameWhatAnOracleFunctionDoesNotTake) {
  write("oracle.cpp", "#include <cstdint>\nvoid right(const float* x, float* y, std::int64_t n) {}\n");
  const auto said = [&](const std::string& arguments) {
    return changed("\"bound\":", R"("oracle": {"function": "right", "file": "oracle.cpp", "arguments": [)" + arguments +
                                     "]},\n\"bound\":");
  };
  EXPECT_EQ(said(R"("x", "y", "n")"), "none") << "a value has the type of the parameter";
  EXPECT_THAT(said(R"("x", "y")"), HasSubstr("right takes 3 arguments, and \"arguments\" has 2"));
  EXPECT_THAT(said(R"("x", "n", "n")"), HasSubstr("the parameter y is a pointer, and \"n\" is no buffer"));
  EXPECT_THAT(said(R"("x", "y", "y")"), HasSubstr("y is a buffer, and the parameter n no pointer"));
  EXPECT_THAT(said(R"("x", "y", null)"), HasSubstr("null is a pointer, and the parameter n is"));
  EXPECT_THAT(said(R"("x", "y", "BLOCK")"), HasSubstr("uses the param BLOCK, and this must be the same for all "));
}

TEST_F(JobErrors, AskForTheReasonOfATolerance) {
  EXPECT_THAT(changed("\"name\": \"scale\",", "\"name\": \"scale\", \"strict\": false,"),
              HasSubstr("needs a \"reason\""));
  const Lowered job = lowered(
      with(kScaleJob, "\"name\": \"scale\",", "\"name\": \"scale\", \"strict\": {\"early_exit\": \"guarded by n\"},"));
  ASSERT_EQ(job.kernel.lenient.size(), 1U);
  EXPECT_EQ(job.kernel.lenient[0], (ToleratedRule{StrictRule::early_exit, "guarded by n"}));
  const auto strict = [&](const std::string& rule) {
    return refusal(with(kScaleJob, "\"name\": \"scale\",", "\"name\": \"scale\", \"strict\": {" + rule + "},"));
  };
  EXPECT_THAT(strict("\"races\": \"no\""), HasSubstr("no strict rule \"races\"; there are same_value_stores, "
                                                     "early_exit, discarded_read, one_sided_fence"));
  EXPECT_THAT(
      strict("\"discarded_read\": false"),
      HasSubstr("\"discarded_read\": write why it is tolerated, as in \"discarded_read\": \"padding of rows\""));
}

TEST_F(JobErrors, ListTheKnownKindsOfData) {
  EXPECT_THAT(changed("\"name\": \"scale\",", "\"name\": \"scale\", \"inputs\": [\"gaussian\"],"),
              HasSubstr("no kind of input \"gaussian\"; there are exact, uniform, normal"));
}

TEST_F(JobErrors, RulesAndLawsMayHaveTheirOlderSpelling) {
  const auto rule_of = [&](const std::string& word) {
    const Job job = parse_job(
        with(kScaleJob, "\"name\": \"scale\",", "\"name\": \"scale\", \"strict\": {\"" + word + "\": \"padding\"},"),
        folder_ / "job.json");
    return job.lenient;
  };
  for (const auto& [older, rule] :
       {std::pair{"same-value stores", StrictRule::same_value_stores}, std::pair{"early exit", StrictRule::early_exit},
        std::pair{"discarded read", StrictRule::discarded_read},
        std::pair{"one-sided fence", StrictRule::one_sided_fence}}) {
    EXPECT_EQ(rule_of(older), (std::vector<ToleratedRule>{{rule, "padding"}})) << older;
    EXPECT_EQ(rule_of(std::string(word_of(rule))), rule_of(older)) << older;
  }
  const std::string laws = R"("name": "scale", "laws": [{"law": "twice is identity", "in": "x", "out": "y"}],)";
  EXPECT_EQ(parse_job(with(kScaleJob, R"("name": "scale",)", laws), folder_ / "job.json").laws.at(0).name,
            "twice_is_identity");
  EXPECT_THAT(changed("\"name\": \"scale\",",
                      R"("name": "scale", "strict": {"early exit": "padding", "early_exit": "padding"},)"),
              HasSubstr("job.json:2: "))
      << "one of them";
}

TEST_F(JobErrors, OnlyAMarkAloneIsAnOpenValue) {
  EXPECT_EQ(changed("\"name\": \"scale\",", "\"name\": \"scale\", \"summary\": \"which way round???\","), "none");
  const std::string open = with(kScaleJob, "[[1048576]]", "\"???\"");
  EXPECT_THAT(refusal(open), EndsWith("\"shapes\" is still open: write a value for ???"));
  EXPECT_THAT(refusal(with(open, "\"name\": \"scale\",", "// ??? Which one?\n\"name\": \"scale\",")),
              EndsWith("\"shapes\" is still open: write a value for ???"))
      << "the question is about another member";
  EXPECT_THAT(refusal(with(open, "\"shapes\":", "// ??? Which sizes?\n\"shapes\":")),
              EndsWith("\"shapes\" is still open: write a value for ???. Which sizes?"));
  EXPECT_THAT(refusal(with(open, "\"name\": \"scale\",", "\"version\": 2, \"name\": \"scale\",")),
              HasSubstr("this is a job of version 2"));
}

TEST_F(JobErrors, NameAnUnknownVersion) {
  const std::string numbered = with(kScaleJob, "\"name\": \"scale\",", "\"version\": 1, \"name\": \"scale\",");
  EXPECT_EQ(refusal(numbered), "none");
  const std::string newer = with(numbered, "\"version\": 1, ", "\"version\": 2, \"new_member\": 7, ");
  EXPECT_THAT(refusal(newer),
              HasSubstr("job.json:2: this is a job of version 2, and this warpwright reads version 1: install a "
                        "newer warpwright, or write the job in version 1"))
      << "what it has beside is not what is wrong";
  EXPECT_THAT(refusal(with(numbered, "\"version\": 1", "\"version\": 0")), HasSubstr("of version 0"));
  EXPECT_THAT(refusal(with(numbered, "\"version\": 1", "\"version\": \"1\"")), HasSubstr("\"version\""));
}

// All members of version 1. Job files of users with these members must stay readable.
TEST(StoredJobs, OfVersion1AreRead) {
  const std::filesystem::path folder = std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "kernels/job/testdata";
  const Job job = read_job(folder / "version_1.json");
  EXPECT_EQ(job.name, "everything");
  EXPECT_EQ(job.extents.size(), 2U);
  EXPECT_EQ(job.params.size(), 4U);
  EXPECT_EQ(job.buffers.size(), 8U);
  EXPECT_EQ(job.laws.size(), 1U);
  ASSERT_EQ(job.lenient.size(), 1U);
  EXPECT_EQ(job.lenient[0].what, StrictRule::early_exit);
  EXPECT_EQ(job.keeps_state, "each launch goes on where the one before ended");
  std::ifstream in(folder / "version_1.json");
  const nlohmann::json stored = nlohmann::json::parse(in);
  std::ifstream of(std::string(WARPWRIGHT_SOURCE_DIR) + "/kernels/job/job.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(of);
  for (const auto& [name, member] : schema.at("properties").items()) {
    if (member.contains("deprecated")) continue;
    EXPECT_TRUE(stored.contains(name)) << name << " is new: say it in version_1.json too";
  }
}

TEST_F(JobErrors, TemplateArgumentsMayBeTrueOrFalse) {
  const auto with_arguments = [](const std::string& list) {
    return with(kScaleJob, "\"kernel\": \"scaled\",", "\"kernel\": \"scaled\", \"template\": " + list + ",");
  };
  const Job job = parse_job(with_arguments("[true, 4, false, \"BLOCK\"]"), folder_ / "job.json");
  EXPECT_EQ(job.steps.at(0).template_arguments, (std::vector<std::string>{"true", "4", "false", "BLOCK"}));
  EXPECT_THAT(refusal(with_arguments("[null]")), HasSubstr("a template argument is a text, a number, true or false"));
}

TEST_F(JobErrors, StateIsKeptForAReason) {
  const auto keeping = [](const std::string& value) {
    return with(kScaleJob, "\"name\": \"scale\",", "\"name\": \"scale\", \"keeps_state\": " + value + ",");
  };
  EXPECT_EQ(lowered(keeping("\"it counts launches\"")).kernel.keeps_state, "it counts launches");
  EXPECT_EQ(lowered(kScaleJob).kernel.keeps_state, "");
  for (const char* const value : {"true", "\"\"", "[]"})
    EXPECT_THAT(refusal(keeping(value)), HasSubstr("\"keeps_state\": write why a run may use"));
}

TEST_F(JobErrors, ShapesOfChecksMayHaveTheirOlderNameButNotBothNames) {
  const std::string shapes = "\"shapes\": [[1048576]],";
  const auto shapes_under = [&](const std::string& name) {
    return parse_job(with(kScaleJob, shapes, shapes + "\n  \"" + name + "\": [[1], [33]],"), folder_ / "job.json")
        .check_shapes;
  };
  EXPECT_EQ(shapes_under("check_shapes"), (std::vector<std::vector<std::int64_t>>{{1}, {33}}));
  EXPECT_EQ(shapes_under("judge"), shapes_under("check_shapes"));
  EXPECT_THAT(changed(shapes, shapes + "\n  \"check_shapes\": [[1]],\n  \"judge\": [[1]],"),
              HasSubstr("job.json:18: \"judge\" is the older name of \"check_shapes\": give one of them"));
}

TEST_F(JobErrors, SchemaHasEveryMemberThatTheReaderKnows) {
  std::ifstream in(std::string(WARPWRIGHT_SOURCE_DIR) + "/kernels/job/job.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(in);
  const std::string said = refusal(R"({"nothing": 1})");
  std::ptrdiff_t known = 0;
  for (const auto& [name, member] : schema.at("properties").items()) {
    if (name == "$schema" || member.contains("deprecated")) continue;
    EXPECT_THAT(said, HasSubstr(name));
    ++known;
  }
  EXPECT_EQ(known, std::count(said.begin(), said.end(), ',') + 1);
}

}  // namespace
}  // namespace warpwright::job
