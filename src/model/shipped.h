/* The texts of the models that come with livens. */
#ifndef LV_MODEL_SHIPPED_H
#define LV_MODEL_SHIPPED_H

typedef struct lv_shipped_entry {
    const char *name;
    const char *text; /* NUL-terminated */
    const char *end;  /* one past the NUL */
} lv_shipped_entry;

/* The last row has the name NULL; the table is generated from models/. */
extern const lv_shipped_entry lv_shipped_table[];

/* The names alone; NULL ends the list. */
extern const char *const lv_shipped_name_list[];

#endif
