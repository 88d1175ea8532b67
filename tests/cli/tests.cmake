# The program as users call it: golden outputs and properties of all outputs.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND TARGET livens)
    add_test(NAME cli.program
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.py
                $<TARGET_FILE:livens>)
endif()
