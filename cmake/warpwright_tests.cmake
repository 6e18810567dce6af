# Tests by what they cost: every test has one of these labels, and the test "every test says what it costs" fails otherwise.
#   unit         of one piece, well below a second, without a compiler or another program
#   integration  of several pieces: compiles kernels, starts programs, waits for them
#   catalogue    one of a kind for every kernel or header: another kernel is another test
#   slow         takes ten seconds of a core or more
# Besides, quick is a sample of the others that ctest --preset quick runs with all unit tests; nightly is not of every commit.

# warpwright_discover_tests(PROGRAM [LABEL label] [NIGHTLY regex...] [QUICK regex...] [SLOW regex...] [INTEGRATION regex...]
#                           [UNIT regex...] [PROPERTIES ...])
# Every gtest case becomes a ctest case of the same name; a program that lists no case fails the build of the list. They
# are of LABEL, by default unit, but those whose whole names a regex finds: NIGHTLY are slow ones that are no part of a commit,
# QUICK integration tests that are of the sample. The first list above with such a regex counts. A regex that finds
# nothing is a test that fails.
function(warpwright_discover_tests target)
  include(GoogleTest)
  cmake_parse_arguments(ARG "" "LABEL" "NIGHTLY;QUICK;SLOW;INTEGRATION;UNIT;PROPERTIES" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  gtest_discover_tests(${target} NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_LIST ${target}_tests
                       PROPERTIES TIMEOUT 600 ${ARG_PROPERTIES})
  set(script "set(target ${target})\nset(cost ${ARG_LABEL})\n")
  foreach(kind NIGHTLY QUICK SLOW INTEGRATION UNIT)
    string(APPEND script "set(${kind} [==[${ARG_${kind}}]==])\n")
  endforeach()
  string(APPEND script "include(${PROJECT_SOURCE_DIR}/cmake/label_tests.cmake)\n")
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_labels.cmake)
  file(CONFIGURE OUTPUT ${file} CONTENT "${script}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
endfunction()
