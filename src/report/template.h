/* The page without data, made of web/src. Data go between the two markers. */
#ifndef LV_REPORT_TEMPLATE_H
#define LV_REPORT_TEMPLATE_H

extern const char lv_report_page[] __attribute__((visibility("hidden")));

#define LV_REPORT_BEGIN "<!--livens:begin-->"
#define LV_REPORT_END "<!--livens:end-->"

#endif
