// Completion of command lines in shells. It is made from a program's own options, so it is always up to date.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::program {

// The first word by which the scripts ask a program for completions of the words after it.
inline constexpr std::string_view kCompleteWord = "--complete";

// The values of an option ("--arch") or positional ("kernels") that the app itself does not list. Empty if any text is
// allowed.
using OptionValues = std::function<std::vector<std::string>(const std::string& option)>;

// Completions of the last of `words` (the words after the program's name): sub-commands, options that were not given
// yet, or values of the option before it. Empty if a file name or any text may be there.
std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words,
                                     const OptionValues& values = {});

const std::vector<std::string>& completion_shells();

// The script that lets a shell complete the program of that name.
std::string completion_script(std::string_view shell, std::string_view program);

}  // namespace warpwright::program
