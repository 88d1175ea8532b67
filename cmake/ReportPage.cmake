# The page that livens report fills becomes part of the library, as the shipped models do.
set(report_page ${PROJECT_SOURCE_DIR}/web/dist/report.html)
set(report_page_source ${PROJECT_BINARY_DIR}/report_page.c)
file(GENERATE OUTPUT ${report_page_source} CONTENT
"/* Generated from web/dist/report.html by cmake/ReportPage.cmake. */
#include \"report/template.h\"

__asm__(\".section .rodata\\n.balign 8\\n.globl lv_report_page\\nlv_report_page:\\n.incbin \\\"${report_page}\\\"\\n\"
        \".byte 0\\n.previous\\n\");
")
set_source_files_properties(${report_page_source} PROPERTIES
    GENERATED TRUE OBJECT_DEPENDS "${report_page}")
