# Writes the completion files of a program: cmake -D PROGRAM=<path> -D FOLDER=<folder> -P completion.cmake
cmake_path(GET PROGRAM FILENAME name)
foreach(shell bash zsh fish)
  execute_process(COMMAND ${PROGRAM} --completion ${shell} OUTPUT_VARIABLE ${shell} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# Zsh loads the file as the function _PROGRAM on first use, and then expects completions at once.
string(APPEND zsh "[[ \$funcstack[1] != _${name} ]] || _${name}_complete \"\$@\"\n")
file(WRITE ${FOLDER}/bash/${name} "${bash}")
file(WRITE ${FOLDER}/zsh/_${name} "${zsh}")
file(WRITE ${FOLDER}/fish/${name}.fish "${fish}")
