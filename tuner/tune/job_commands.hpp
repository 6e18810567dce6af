// The commands of `tune` that write job files: init and import-t1.
#pragma once

namespace warpwright::tuner {

/// Whether the command line begins with one of them.
bool is_job_command(int argc, char** argv);

/// Runs it; gives the exit code.
int run_job_command(int argc, char** argv);

}  // namespace warpwright::tuner
