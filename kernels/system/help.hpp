// The format of every program's help, and messages on command lines that cannot be parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace warpwright::program {

// No line of a help is longer. cmake/command_line.py parses this format.
inline constexpr std::size_t kHelpColumns = 100;

// Groups of options, in the order of the help.
namespace group {
inline constexpr const char* kWhat = "What to tune";
inline constexpr const char* kHow = "How to search";
inline constexpr const char* kGpus = "GPUs";
inline constexpr const char* kFiles = "Where results go";
inline constexpr const char* kOutput = "Output";
inline constexpr const char* kAbout = "About the program";
}  // namespace group

// Gives the app and its sub-commands this format.
void format_help(CLI::App& app);

// One line that says what is wrong with the command line, where, and what to do: "tune: there is no option --arhc; did
// you mean --arch? See: tune --help".
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace warpwright::program
