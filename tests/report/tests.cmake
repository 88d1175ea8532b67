# Deflated bytes, inflated by zlib.
if(Python3_FOUND)
    add_executable(report_deflate_bytes report/deflate_bytes.c)
    target_link_libraries(report_deflate_bytes PRIVATE livens_static livens_flags)
    add_test(NAME report.deflate
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/report/deflate.py
                $<TARGET_FILE:report_deflate_bytes>)
endif()
