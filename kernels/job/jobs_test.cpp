// Tests of the job files that a command names.
#include "kernels/job/jobs.hpp"

#include <gmock/gmock.h>

#include "kernels/job/job_fixture.hpp"

namespace warpwright::job {
namespace {

using testing::HasSubstr;

class NamedJobs : public JobFiles {};

TEST_F(NamedJobs, AreAddedToTheCatalogue) {
  write("scale.json", kScaleJob);
  const Catalogue none({}, {}, {});
  const Jobs jobs(none, {"reduce/*", (folder_ / "scale.json").string()});
  EXPECT_EQ(jobs.globs(), (std::vector<std::string>{"reduce/*", "job:scale"}));
  EXPECT_EQ(jobs.catalogue().matching("job:scale").size(), 1U);
  EXPECT_EQ(&Jobs(none, {"reduce"}).catalogue(), &none);
  EXPECT_EQ(jobs.catalogue().matching("job:scale").front()->file, (folder_ / "scale.json").string());
  try {
    const Jobs no_job(none, {"mine/scale.cu"});
    ADD_FAILURE() << "a .cu file is no job";
  } catch (const JobError& error) {
    EXPECT_NE(std::string(error.what()).find("`tune init mine/scale.cu`"), std::string::npos);
  }
  const std::string one = (folder_ / "scale.json").string(), other = write("again.json", kScaleJob).string();
  try {
    const Jobs same_name(none, {one, other});
    ADD_FAILURE() << "two jobs with one name";
  } catch (const JobError& error) {
    EXPECT_EQ(error.what(), one + " and " + other + " both have the name job:scale: give one of them another \"name\"");
  }
}

TEST_F(NamedJobs, OfAFolderAreFilesWithMembersOfJobs) {
  write("right.json", kScaleJob);
  write("misspelt.json", with(kScaleJob, "\"shapes\"", "\"shappes\""));
  write("package.json", R"({"name": "other", "steps": []})");
  EXPECT_EQ(jobs_in(folder_.path()), (std::vector<std::string>{"misspelt.json", "right.json"}));
}

TEST_F(NamedJobs, ThatAreWrongNeedNotStopTheOthers) {
  const Catalogue none({}, {}, {});
  const std::string right = write("right.json", kScaleJob).string();
  const std::string wrong = write("wrong.json", with(kScaleJob, "\"in\"", "\"inn\"")).string();
  const std::string missing = (folder_ / "missing.json").string();
  const std::string source = write("source.json", with(kScaleJob, "scale.cu", "broken.cu")).string();
  write("broken.cu", "__global__ void scaled(float* y {");
  EXPECT_THROW(Jobs(none, {right, wrong}), JobError);
  const Jobs jobs(none, {wrong, right, missing, source}, Jobs::IfOneIsWrong::keep_others);
  EXPECT_EQ(jobs.globs(), std::vector<std::string>{"job:scale"});
  ASSERT_EQ(jobs.refused().size(), 3U);
  EXPECT_EQ(jobs.refused()[0].file, wrong);
  EXPECT_THAT(jobs.refused()[0].why, HasSubstr("wrong.json:11: "));
  EXPECT_EQ(jobs.refused()[1].file, missing);
  EXPECT_EQ(jobs.refused()[2].file, source);
}

TEST_F(NamedJobs, AreNotReplacedByTheCatalogueIfAllAreWrong) {
  const Catalogue none({}, {}, {});
  const std::string wrong = write("wrong.json", with(kScaleJob, "\"in\"", "\"inn\"")).string();
  const std::string missing = (folder_ / "missing.json").string();
  EXPECT_THROW(Jobs(none, {wrong}, Jobs::IfOneIsWrong::keep_others), JobError);
  try {
    const Jobs jobs(none, {wrong, missing}, Jobs::IfOneIsWrong::keep_others);
    ADD_FAILURE() << "no job is right";
  } catch (const JobError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("wrong.json:11: "), HasSubstr("\n" + missing)));
  }
}

}  // namespace
}  // namespace warpwright::job
