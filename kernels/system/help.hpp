// The help of every program, in one form, and what is said of a command line that cannot be read.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace warpwright::program {

// No line of a help is longer. cmake/command_line.py reads the help's form.
inline constexpr std::size_t kHelpColumns = 100;

// Groups of options, in the order in which a help shows them.
namespace group {
inline constexpr const char* kWhat = "What to tune";
inline constexpr const char* kHow = "How to search";
inline constexpr const char* kGpus = "GPUs";
inline constexpr const char* kFiles = "Where results go";
inline constexpr const char* kOutput = "Output";
inline constexpr const char* kAbout = "About the program";
}  // namespace group

// Gives the app and its sub-commands that form of help.
void format_help(CLI::App& app);

// What is wrong with the command line, where, and what to do, in one line: "tune: there is no option --arhc; did you
// mean --arch? See: tune --help".
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace warpwright::program
