# Tests browser.cmake: without a working npm it continues, says so in one line, and leaves no stamp. cmake -D
# SOURCE=reports -D FOLDER=scratch -P browser_cmake_test.cmake
function(expect_left_out npm words)
  file(REMOVE_RECURSE ${FOLDER})
  execute_process(COMMAND ${CMAKE_COMMAND} -D NPM=${npm} -D SOURCE=${SOURCE} -D FOLDER=${FOLDER}
                          -P ${SOURCE}/browser.cmake
                  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "with npm '${npm}' it does not go on: ${result} ${said}")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${said}")
  list(LENGTH lines count)
  if(NOT count EQUAL 1 OR NOT said MATCHES "not tested in a browser: .*${words}")
    message(FATAL_ERROR "with npm '${npm}' it says: ${said}")
  endif()
  if(EXISTS ${FOLDER}/fetched)
    message(FATAL_ERROR "with npm '${npm}' it takes the driver as fetched")
  endif()
endfunction()
expect_left_out(NPM-NOTFOUND "npm was not found")
expect_left_out(/bin/false "could not fetch playwright-core")
file(REMOVE_RECURSE ${FOLDER})
