# A hash of the sources of a program, by which programs recognise workers from another build.

# warpwright_build_id(OUTPUT FILE...): a rule that writes OUTPUT, the source of build_id(), whenever a file changes.
function(warpwright_build_id output)
  string(REPLACE ";" "\n" manifest "${ARGN}")
  file(CONFIGURE OUTPUT ${output}.manifest CONTENT "${manifest}\n" @ONLY)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/hash_files.cmake)
  add_custom_command(OUTPUT ${output}
                     COMMAND ${CMAKE_COMMAND} -D MANIFEST=${output}.manifest -D OUTPUT=${output} -P ${script}
                     DEPENDS ${ARGN} ${output}.manifest ${script}
                     COMMENT "Hashing the sources that workers and their parents share")
endfunction()
