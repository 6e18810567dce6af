# Fetches the browser driver for a test, in the version of package-lock.json, into FOLDER by NPM. If that fails, says so
# in one line and continues without it. cmake -D NPM=npm -D SOURCE=reports -D FOLDER=build/reports/npm -P browser.cmake
set(stamp ${FOLDER}/fetched)
file(SHA256 ${SOURCE}/package-lock.json wanted)
if(EXISTS ${stamp})
  file(READ ${stamp} fetched)
endif()
if(NOT "${fetched}" STREQUAL "${wanted}")
  file(REMOVE ${stamp})
  file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${FOLDER})
  set(result "npm was not found")
  if(NPM)
    execute_process(
      COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --fetch-retries=0 --fetch-timeout=60000
      WORKING_DIRECTORY ${FOLDER} TIMEOUT 180 RESULT_VARIABLE result OUTPUT_FILE ${FOLDER}/npm.log
      ERROR_FILE ${FOLDER}/npm.log)
  endif()
  if(result EQUAL 0)
    file(WRITE ${stamp} "${wanted}")
  else()
    message(STATUS "The pages of report are not tested in a browser: npm could not fetch playwright-core (${result}).")
  endif()
endif()
