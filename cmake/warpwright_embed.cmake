# Embeds files in programs: their text becomes arrays in a generated source.

# warpwright_embed(OUTPUT TEMPLATE NAME=FILE...): a rule that writes OUTPUT from TEMPLATE, whenever a file changes. In
# TEMPLATE, @ARRAYS@ becomes the texts, @ENTRIES@ pairs of name and text, and @FUNCTION@ the name of OUTPUT.
function(warpwright_embed output template)
  string(REPLACE ";" "\n" manifest "${ARGN}")
  file(CONFIGURE OUTPUT ${output}.manifest CONTENT "${manifest}\n" @ONLY)
  set(files ${ARGN})
  list(TRANSFORM files REPLACE "^[^=]*=" "")
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_files.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D MANIFEST=${output}.manifest -D TEMPLATE=${template} -D OUTPUT=${output} -P ${script}
    DEPENDS ${files} ${output}.manifest ${template} ${script}
    COMMENT "Embedding files into ${output}")
endfunction()
