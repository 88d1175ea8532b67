# out.crash stands between the library and the system calls that change a file.
target_link_options(test.out.crash PRIVATE
    -Wl,--wrap=pwrite -Wl,--wrap=ftruncate -Wl,--wrap=rename)

# Results in the hands of another program.
add_executable(out_sample out/sample.c)
target_link_libraries(out_sample PRIVATE test_support)
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    add_test(NAME out.h5py
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/out/with_h5py.py
                $<TARGET_FILE:out_sample>)
    set_tests_properties(out.h5py PROPERTIES SKIP_RETURN_CODE 77)
endif()
