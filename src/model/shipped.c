#include "model/shipped.h"

#include <livens/model.h>

#include <stddef.h>
#include <string.h>

const char *const *lv_shipped_names(void)
{
    return lv_shipped_name_list;
}

const char *lv_shipped_text(const char *name)
{
    if (!name)
        return NULL;
    for (const lv_shipped_entry *entry = lv_shipped_table; entry->name; entry++)
        if (strcmp(entry->name, name) == 0)
            return entry->text;
    return NULL;
}
