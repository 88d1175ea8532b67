/* The models that come with livens, as text inside the library. */
#ifndef LV_MODEL_SHIPPED_H
#define LV_MODEL_SHIPPED_H

typedef struct lv_shipped_entry {
    const char *name;
    const char *text; /* NUL-terminated */
    const char *end;  /* one past the NUL */
} lv_shipped_entry;

/* Ends with a row whose name is NULL; generated from models/. */
extern const lv_shipped_entry lv_shipped_table[];

/* The names alone, ended by NULL. */
extern const char *const lv_shipped_name_list[];

#endif
