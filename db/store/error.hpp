// The errors that operations on a database throw.
#pragma once

#include <stdexcept>

namespace warpwright::db {

// The database cannot do what was asked. The text says which file, what is wrong and what to do about it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What the file holds is no (longer a) database.
class Damaged : public Error {
 public:
  using Error::Error;
};

}  // namespace warpwright::db
