// Shell completion from a program's own options, so that it knows what the program knows.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::program {

// What the shell scripts give a program as its first word to ask for completions of the words after it.
inline constexpr std::string_view kCompleteWord = "--complete";

// The values of an option ("--arch") or positional ("kernels") that the app itself does not list; empty where any may
// stand.
using OptionValues = std::function<std::vector<std::string>(const std::string& option)>;

// What may stand in the place of the last of `words` (the words after the program's name): subcommands, options that
// are not given yet, or values of the option before. Empty where a file name or free text belongs.
std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words,
                                     const OptionValues& values = {});

const std::vector<std::string>& completion_shells();

// The script that lets a shell complete the program of that name.
std::string completion_script(std::string_view shell, std::string_view program);

}  // namespace warpwright::program
