// Bringing recordings of other tuners into a database, as trials of provenance "imported".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// What a user says of a recording, where the file does not.
struct ImportOptions {
  std::string name{};   // of the kernel
  std::string board{};  // model; of the database, or of the table of boards
  Shape shape{};
  double bytes = 0;       // what every solution must read and write; 0 where not known
  double operations = 0;  // what every solution must compute; 0 where not known
};

struct Imported {
  std::string pattern{};  // "import:NAME"
  std::string board{};
  std::size_t timed = 0;
  std::size_t failed = 0;            // configurations without a time
  std::size_t known = 0;             // of both, those that the database had already
  std::vector<std::string> notes{};  // what a user should know of it
};

// "import:sgemm on NVIDIA H200: 2304 configurations timed, 0 failed, 0 of them known"
std::string text_of(const Imported&);

// The text of a file, unpacked where it is gzipped (by the program gzip). Throws Error, "FILE: what: what to do".
std::string unpacked(const std::filesystem::path&);

// The least time in microseconds in which a board can do that: what of the bytes its L2 cannot keep from run to run at
// its peak bandwidth, or the operations at two a clock for each of 128 lanes an SM, whichever is longer. No
// architecture has more lanes; tensor cores are not reckoned with.
double least_us(const Board&, double bytes, double operations);

// Stores a recording: the pattern import:NAME with the kernel NAME, a session of its own, and a trial a configuration.
// Nothing is stored twice, and nothing where any time (or sample) is impossible, being 0 or less than least_us: what
// timed one of them timed them all. Throws Error, "FILE: what: what to do", then and for what the file cannot tell.
Imported import_recording(Store&, const std::filesystem::path&, const ImportOptions&);

// The board of that name in the table of known boards, under the name that is asked; nothing where it has none.
std::optional<Board> known_board(std::string_view model);

}  // namespace warpwright::db
