#include "course/carried.h"

#include "course/ending.h"

#include <stddef.h>
#include <string.h>

/* The state is the carried fields q, v and p. */
static const struct {
    const char *name;
    size_t offset;
} parts[LV_STATE_PARTS] = {{"q", offsetof(lv_state, q)},
                           {"v", offsetof(lv_state, v)},
                           {"p", offsetof(lv_state, p)}};

int lv_carried_of_state(const lv_form *form, int part)
{
    const int field = lv_form_find(form, parts[part].name, 0);
    return field >= 0 && form->fields.data[field].role == LV_FIELD_CARRIED ? field : -1;
}

static void find_in_state(lv_carried_field *x, const lv_form *form)
{
    for (int k = 0; k < LV_STATE_PARTS; k++)
        if (lv_carried_of_state(form, k) == x->field) {
            x->of_state = true;
            x->in_state = parts[k].offset;
        }
}

static bool is_assigned(const lv_form *form, int field)
{
    for (int k = 0; k < form->assignments.count; k++)
        if (form->assignments.data[k].field == field && !form->assignments.data[k].first)
            return true;
    return false;
}

lv_status lv_carried_find(lv_carried_field **fields, int *count, const lv_course *c,
                          lv_arena *arena, lv_error *err)
{
    const lv_form *form = &c->form;
    lv_carried_field *list =
        lv_arena_alloc(arena, (size_t)form->fields.count + 1, sizeof *list);
    *fields = list;
    *count = 0;
    if (!list)
        return lv_fail_memory(err);
    for (int k = 0; k < form->fields.count; k++) {
        const lv_field *f = &form->fields.data[k];
        if (f->role != LV_FIELD_CARRIED)
            continue;
        lv_carried_field *x = &list[(*count)++];
        *x = (lv_carried_field){
            .field = k,
            .size = c->sizes[f->space],
            .space = f->space,
            .becomes = is_assigned(form, k) ? lv_course_end_value(c, k) : NULL};
        find_in_state(x, form);
    }
    return LV_OK;
}

int lv_carried_memory_size(const lv_carried_field *fields, int count, bool apart)
{
    int size = 0;
    for (int k = 0; k < count; k++)
        size += apart || !fields[k].of_state ? fields[k].size : 0;
    return size;
}

void lv_carried_settle(lv_carried_field *fields, int count, bool apart, double *memory,
                       lv_state *inside)
{
    for (int k = 0; k < count; k++) {
        lv_carried_field *x = &fields[k];
        if (x->of_state && !apart)
            continue;
        x->memory = memory;
        if (x->of_state)
            memcpy((char *)inside + x->in_state, &memory, sizeof memory);
        memory += x->size;
    }
}
