// Writing first job files, from a .cu file or a T1 description.
#include "tuner/tune/job_commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "db/program.hpp"
#include "kernels/job/draft.hpp"
#include "kernels/job/t1.hpp"

namespace warpwright::tuner {
namespace {

constexpr std::string_view kInit = "init", kImport = "import-t1";

/// Never over a file that is there already.
void write_new(const std::filesystem::path& file, const std::string& text) {
  if (std::filesystem::exists(file))
    throw std::invalid_argument(file.string() + " is there already: name another one with --out, or remove it");
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("{} cannot be written: {}", file.string(), std::strerror(errno)));
  fmt::print("Wrote {}. See to what its comments say, then: conform {}\n", file.string(), file.string());
}

std::filesystem::path output_of(const std::string& given, std::filesystem::path source) {
  return given.empty() ? source.replace_extension(".json") : std::filesystem::path(given);
}

/// What a draft leaves out.
void print_rest(const job::Drafted& drafted) {
  if (!drafted.others.empty())
    fmt::print("It is for {}; --kernel NAME drafts one for another: {}\n", drafted.kernel,
               fmt::join(drafted.others, ", "));
  for (const std::string& header : drafted.missing)
    fmt::print("{} was not found and is left out: what kernels need of it will be missing\n", header);
}

}  // namespace

bool is_job_command(int argc, char** argv) {
  return argc > 1 && (argv[1] == kInit || argv[1] == kImport);
}

int run_job_command(int argc, char** argv) {
  const bool drafts = argv[1] == kInit;
  std::string input;
  std::string source;
  std::string out;
  std::string kernel;
  std::vector<std::filesystem::path> include;
  CLI::App app{drafts ? "Drafts a job file from a .cu file: what its text says, and marks for what it does not."
                      : "Writes a job file for a T1 description of a tuning problem.",
               drafts ? "tune init" : "tune import-t1"};
  app.add_option(drafts ? "file" : "problem", input, drafts ? "The .cu file" : "The T1 file")->required();
  if (drafts) app.add_option("--kernel", kernel, "Which kernel of the file (default: the first that it launches)");
  if (drafts) app.add_option("--include", include, "Folders of headers that it includes, besides its own");
  if (!drafts) app.add_option("--source", source, "The .cu file that it is about")->required();
  app.add_option("--out", out, "The job file (default: beside the .cu file, with its name)");
  return program::run(app, argc - 1, argv + 1, [&] {
    if (drafts) source = input;
    const std::filesystem::path file = output_of(out, source);
    if (!drafts) {
      write_new(file, job::job_of_t1(input, source, file));
      return program::kDone;
    }
    const job::Drafted drafted = job::draft_of(source, file, kernel, include);
    write_new(file, drafted.text);
    print_rest(drafted);
    return program::kDone;
  });
}

}  // namespace warpwright::tuner
