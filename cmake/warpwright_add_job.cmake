# For projects with job files: a test of ctest for each job, which runs the installed conform.

# warpwright_add_job(job.json [NAME name] [CASES number] [OPTIONS option...]): adds the test "conform NAME", by default
# with the job's file name without .json. OPTIONS are options of conform, such as --require-oracle. The test fails if
# conform finds something wrong; its output has the findings with file, line and column.
function(warpwright_add_job job)
  cmake_parse_arguments(ARG "" "NAME;CASES" "OPTIONS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpwright_add_job(${job}): ${ARG_UNPARSED_ARGUMENTS} is not known; NAME, CASES and OPTIONS are")
  endif()
  cmake_path(ABSOLUTE_PATH job BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  if(NOT EXISTS ${job})
    message(FATAL_ERROR "warpwright_add_job: there is no file ${job}; write it with `tune init`")
  endif()
  if(NOT ARG_NAME)
    cmake_path(GET job STEM ARG_NAME)
  endif()
  if(ARG_CASES)
    list(APPEND ARG_OPTIONS --cases ${ARG_CASES})
  endif()
  cmake_path(GET job PARENT_PATH folder)
  add_test(NAME "conform ${ARG_NAME}" COMMAND ${WARPWRIGHT_CONFORM} ${job} ${ARG_OPTIONS} WORKING_DIRECTORY ${folder})
endfunction()
