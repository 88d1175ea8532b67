/* JSON that may be inside of a script element: no '<', no control characters, valid
 * UTF-8. */
#ifndef LV_REPORT_JSON_H
#define LV_REPORT_JSON_H

#include "base/text.h"

typedef struct lv_json {
    lv_text text;
    bool follows; /* the object or array already has an element */
} lv_json;

void lv_json_open(lv_json *json, char bracket);
void lv_json_close(lv_json *json, char bracket);
void lv_json_key(lv_json *json, const char *key);

void lv_json_text(lv_json *json, const char *text); /* NULL: null */
void lv_json_number(lv_json *json, double value);   /* null if it is not finite */
void lv_json_flag(lv_json *json, bool value);

/* Adds text that is JSON already. */
void lv_json_raw(lv_json *json, const char *text, size_t size);

/* These functions add a key and a value. */
void lv_json_put_text(lv_json *json, const char *key, const char *text);
void lv_json_put_number(lv_json *json, const char *key, double value);
void lv_json_put_flag(lv_json *json, const char *key, bool value);

#endif
