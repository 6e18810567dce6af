// Writes draft job files, from a .cu file or from a T1 description.
#include "tuner/program/job_commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>

#include "kernels/core/text.hpp"
#include "kernels/job/draft.hpp"
#include "kernels/job/t1.hpp"
#include "kernels/system/command_line.hpp"
#include "kernels/system/help.hpp"
#include "kernels/system/output_file.hpp"
#include "kernels/system/screen.hpp"

namespace warpwright::tuner {
namespace {

/// Never overwrites an existing file.
void write_new(const std::filesystem::path& file, const std::string& text) {
  if (std::filesystem::exists(file))
    throw std::invalid_argument(
        fmt::format("{} exists, and is not overwritten: name another file with --out OTHER.json", file.string()));
  write_file(file, "the job", text);
  fmt::print("Wrote {}. Fill in what its comments ask for, then: conform {}\n", file.string(), file.string());
}

std::filesystem::path output_of(const std::string& given, std::filesystem::path source) {
  return given.empty() ? source.replace_extension(".json") : std::filesystem::path(given);
}

/// The schema of job files, for editors: installed, or in the source tree. Empty if it is in neither place.
std::filesystem::path schema_file() {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"../share/warpwright/job.schema.json", "../../kernels/job/job.schema.json"})
    if (const auto file = (folder / place).lexically_normal(); std::filesystem::exists(file, error)) return file;
  return {};
}

/// Prints what the draft does not contain.
void print_rest(const job::Drafted& drafted) {
  if (!drafted.others.empty())
    fmt::print("{}", wrapped(fmt::format("It is for {}; --kernel NAME drafts one for another: {}", drafted.kernel,
                                         fmt::join(drafted.others, ", ")),
                             screen_of(STDOUT_FILENO).width, 2));
  for (const std::string& header : drafted.missing)
    fmt::print("{} was not found and is left out: what kernels need of it will be missing\n", header);
  for (const std::string& advice : drafted.unguarded) fmt::print("{}\n", advice);
}

}  // namespace

JobCommands::JobCommands(CLI::App& app)
    : app_(app),
      init_(app.add_subcommand("init",
                               "Write a first job file for a .cu file; its comments ask what the file does not say")),
      import_(app.add_subcommand(
          "import-t1",
          "Write a job file from a tuning problem in the T1 format (JSON, used by Kernel Tuner and others)")) {
  init_->footer(R"(
Examples:
  tune init convolution.cu                        drafts convolution.json
  tune init many.cu --kernel blur --out blur.json drafts one for a kernel of several
  tune init sort.cu --include include             with a folder of headers that it includes

Every member of a job file, with type, default and an example: docs/job_files.md#members-of-a-job)");
  import_->footer(R"(
Examples:
  tune import-t1 problem.json --source kernel.cu  writes kernel.json
  tune import-t1 gemm.t1.json --source gemm.cu --out my_gemm.json
  tune import-t1 gemm.t1.json --source gemm.cu && tune gemm.json --arch native)");
  constexpr const char* what = "What to read";
  init_->add_option("file", input_, "The .cu file")->required()->group(what);
  init_->add_option("--kernel", kernel_, "Kernel of the file (default: the first that it launches)")
      ->type_name("NAME")
      ->group(what);
  init_->add_option("--include", include_, "Folders of headers that it includes, besides its own")
      ->type_name("FOLDER")
      ->group(what);
  import_->add_option("problem", input_, "The tuning problem, a T1 file (.json)")->required()->group(what);
  import_->add_option("--source", source_, "The .cu file with its kernel")->required()->type_name("FILE")->group(what);
  for (CLI::App* command : {init_, import_})
    command->add_option("--out", out_, "The job file (default: beside the .cu file, with its name)")
        ->type_name("FILE")
        ->group(program::group::kFiles);
}

int JobCommands::run() const {
  for (const CLI::Option* option : app_.get_options())
    if (option->count() > 0)
      throw std::invalid_argument(
          fmt::format("{} is for tuning, not for the sub-command after it: leave it out", option->get_name()));
  const bool drafts = init_->parsed();
  const std::string& source = drafts ? input_ : source_;
  const std::filesystem::path file = output_of(out_, source);
  if (!drafts) {
    write_new(file, job::job_of_t1(input_, source, file));
    return program::kDone;
  }
  const job::Drafted drafted = job::draft_of(source, file, kernel_, include_, schema_file());
  write_new(file, drafted.text);
  print_rest(drafted);
  return program::kDone;
}

}  // namespace warpwright::tuner
