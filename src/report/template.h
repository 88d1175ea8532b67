/* The page without data, built from web/src. Data are inserted between the first two
 * markers. The script between the other two is deflated, and the page inflates it. */
#ifndef LV_REPORT_TEMPLATE_H
#define LV_REPORT_TEMPLATE_H

extern const char lv_report_page[] __attribute__((visibility("hidden")));

#define LV_REPORT_BEGIN "<!--livens:begin-->"
#define LV_REPORT_END "<!--livens:end-->"
#define LV_REPORT_SCRIPT "<!--livens:script-->"
#define LV_REPORT_SCRIPT_END "<!--livens:script-end-->"

#endif
