// The errors that operations on a database throw.
#pragma once

#include <stdexcept>

namespace warpwright::db {

// An operation on the database failed. The text names the file, says what is wrong and what to do about it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The content of the file is no database, or no longer one.
class Damaged : public Error {
 public:
  using Error::Error;
};

}  // namespace warpwright::db
