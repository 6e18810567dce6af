# Tests charts.cmake: without a working npm it goes on, says so in one line, and leaves an empty charts.js.
# cmake -D SOURCE=reports -D FOLDER=scratch -P charts_test.cmake
function(expect_left_out npm words)
  file(REMOVE_RECURSE ${FOLDER})
  file(MAKE_DIRECTORY ${FOLDER})
  execute_process(COMMAND ${CMAKE_COMMAND} -D NPM=${npm} -D SOURCE=${SOURCE} -D FOLDER=${FOLDER} -D BROWSER=OFF
                          -P ${SOURCE}/charts.cmake
                  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "with npm '${npm}' the build does not go on: ${result} ${said}")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${said}")
  list(LENGTH lines count)
  if(NOT count EQUAL 1 OR NOT said MATCHES "tables only, no charts: ${words}")
    message(FATAL_ERROR "with npm '${npm}' it says: ${said}")
  endif()
  file(SIZE ${FOLDER}/charts.js size)
  if(NOT size EQUAL 0)
    message(FATAL_ERROR "with npm '${npm}' charts.js has ${size} bytes")
  endif()
endfunction()
expect_left_out(NPM-NOTFOUND "npm was not found")
expect_left_out(/bin/false "npm could not fetch it")
file(REMOVE_RECURSE ${FOLDER})
