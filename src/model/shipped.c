#include "model/shipped.h"

#include <livens/model.h>

#include <stddef.h>
#include <string.h>

/* As many names as fit; the table is generated with the build and far smaller. */
enum { MOST_MODELS = 500 };

const char *const *lv_shipped_names(void)
{
    static const char *names[MOST_MODELS + 1];
    for (int k = 0; k < MOST_MODELS && lv_shipped_table[k].name; k++)
        names[k] = lv_shipped_table[k].name;
    return names;
}

const char *lv_shipped_text(const char *name)
{
    for (const lv_shipped_entry *entry = lv_shipped_table; entry->name; entry++)
        if (strcmp(entry->name, name) == 0)
            return entry->text;
    return NULL;
}
