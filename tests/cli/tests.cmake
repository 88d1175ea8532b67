# The program as users call it: golden outputs and properties of all outputs.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND TARGET livens)
    add_test(NAME cli.program
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.py
                $<TARGET_FILE:livens>)
    set_tests_properties(cli.program PROPERTIES COST 300) # the longest: to be started first
endif()

# Killed, resumed, and the same bits in the end.
if(Python3_FOUND AND TARGET livens)
    add_executable(cli_same_rows cli/same_rows.c)
    target_link_libraries(cli_same_rows PRIVATE test_results)
    add_test(NAME cli.kill
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/kill.py
                $<TARGET_FILE:livens> $<TARGET_FILE:cli_same_rows>)
endif()

# No thread is started by loading, and memory that is denied leads to a message.
if(Python3_FOUND AND TARGET livens)
    add_test(NAME cli.starved
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/starved.py
                $<TARGET_FILE:livens>)
    set_tests_properties(cli.starved PROPERTIES SKIP_RETURN_CODE 77)
endif()
if(NOT LIVENS_SANITIZE)
    add_executable(cli_threads cli/threads.c)
    target_link_libraries(cli_threads PRIVATE livens_shared livens_flags)
    add_test(NAME cli.threads COMMAND cli_threads)
    set_tests_properties(cli.threads PROPERTIES SKIP_RETURN_CODE 77)
endif()

# Many processes, one sweep. A program without MPI says so instead of doing everything several times.
if(LIVENS_MPI AND Python3_FOUND)
    add_test(NAME cli.ranks
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/ranks.py $<TARGET_FILE:livens>
                ${MPIEXEC_EXECUTABLE})
elseif(TARGET livens)
    add_test(NAME cli.alone
        COMMAND ${CMAKE_COMMAND} -E env OMPI_COMM_WORLD_SIZE=2 $<TARGET_FILE:livens> sweep
                henon-heiles-ensemble)
    set_tests_properties(cli.alone PROPERTIES PASS_REGULAR_EXPRESSION "built without MPI")
endif()
