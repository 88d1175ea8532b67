# Pages in a real browser. Where Chromium or the node modules are missing the test is skipped, but not in CI.
find_program(NODE node)
if(NODE AND TARGET livens)
    add_test(NAME web.pages
        COMMAND ${NODE} ${CMAKE_CURRENT_SOURCE_DIR}/web/pages.mjs $<TARGET_FILE:livens>
                ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/web)
    set_tests_properties(web.pages PROPERTIES SKIP_RETURN_CODE 77 LABELS web PROCESSORS 2)
endif()
