// Imports recordings of other tuners into a database, as trials with provenance "imported".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// What the user states about a recording, where the file does not.
struct ImportOptions {
  std::string name{};   // of the kernel
  std::string board{};  // model name, in the database or in the table of known boards
  Shape shape{};
  double bytes = 0;       // bytes that every solution must read and write; 0 if not known
  double operations = 0;  // operations that every solution must compute; 0 if not known
};

struct Imported {
  std::string pattern{};  // "import:NAME"
  std::string board{};
  std::size_t timed = 0;
  std::size_t failed = 0;            // configurations without a time
  std::size_t known = 0;             // timed and failed ones that the database already had
  std::vector<std::string> notes{};  // what a user should know about the import
};

// "import:sgemm on NVIDIA H200: 2304 configurations timed, 0 failed, 0 of them known"
std::string text_of(const Imported&);

// The text of a file, decompressed by the program gzip if needed. Throws Error, "FILE: what: what to do".
std::string unpacked(const std::filesystem::path&);

// A lower bound in microseconds for the time on that board: the bytes beyond its L2 cache's size at its peak bandwidth,
// or the operations at two per clock on 128 lanes per SM, whichever takes longer. No architecture has more lanes per
// SM; tensor cores are not considered.
double least_us(const Board&, double bytes, double operations);

// Stores a recording as pattern import:NAME with kernel NAME, in its own session, one trial per configuration.
// Importing it again adds nothing. If any time (or sample) is impossible, that is 0 or less than least_us, nothing is
// stored, because the same program timed all of them. Throws Error, "FILE: what: what to do", in this case and if the
// file lacks information that the user did not state.
Imported import_recording(Store&, const std::filesystem::path&, const ImportOptions&);

// A board of the table of known boards, under the name given; nothing if the table has none.
std::optional<Board> known_board(std::string_view model);

}  // namespace warpwright::db
