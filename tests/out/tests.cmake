# out.crash stands between the library and the system calls that change a file.
target_link_options(test.out.crash PRIVATE
    -Wl,--wrap=pwrite -Wl,--wrap=ftruncate -Wl,--wrap=rename)

# Results in the hands of another program.
add_executable(out_sample out/sample.c)
target_link_libraries(out_sample PRIVATE test_support)
# The first interpreter that knows h5py: the one in PATH need not be that of the system.
find_package(Python3 COMPONENTS Interpreter)
set(h5py_interpreter "")
foreach(candidate IN ITEMS ${Python3_EXECUTABLE} /usr/bin/python3 /usr/local/bin/python3)
    if(NOT h5py_interpreter AND EXISTS ${candidate})
        execute_process(COMMAND ${candidate} -c "import h5py, numpy"
            RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
        if(missing EQUAL 0)
            set(h5py_interpreter ${candidate})
        endif()
    endif()
endforeach()
if(h5py_interpreter)
    add_test(NAME out.h5py
        COMMAND ${h5py_interpreter} ${CMAKE_CURRENT_SOURCE_DIR}/out/with_h5py.py
                $<TARGET_FILE:out_sample> $<TARGET_FILE:livens>)
else()
    message(STATUS "no Python with h5py: the test out.h5py is left out")
endif()
