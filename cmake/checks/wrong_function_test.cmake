# A kernel file without the function that is named after it is an error that names both; one with the function is
# accepted.
# cmake -D SOURCE=<root> -D FOLDER=<scratch> -P wrong_function_test.cmake
file(REMOVE_RECURSE ${FOLDER})
file(WRITE ${FOLDER}/CMakeLists.txt "
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES NONE)
include(${SOURCE}/cmake/warpwright_catalogue.cmake)
warpwright_find_patterns(sources registry ${FOLDER} \"\")
message(STATUS \"registry: \${registry}\")
")
file(WRITE ${FOLDER}/shop/pattern.cpp "namespace warpwright::shop { Pattern shop_pattern() { return {}; } }\n")
file(WRITE ${FOLDER}/shop/sell.cuh "// Device code.\n")

# look(FUNCTION): the output of the check for a sell.cpp that defines FUNCTION.
function(look function)
  file(WRITE ${FOLDER}/shop/sell.cpp "namespace warpwright::shop {\nKernel ${function}() { return {}; }\n}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${FOLDER} -B ${FOLDER}/build
                  RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  set(code "${code}" PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()

look(sell_kernel)
if(NOT code EQUAL 0 OR NOT said MATCHES "kernel\\|shop\\|sell\\|shop/sell.cuh")
  message(FATAL_ERROR "a right file is refused: ${said}")
endif()
foreach(function resell_kernel sel_kernel sell_kernels)
  look(${function})
  if(code EQUAL 0 OR NOT said MATCHES "shop/sell.cpp does not define sell_kernel")
    message(FATAL_ERROR "${function} in the place of sell_kernel: ${said}")
  endif()
endforeach()
