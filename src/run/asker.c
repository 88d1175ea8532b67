#include "run/asker.h"

void lv_asker_done(lv_asker *a)
{
    lv_plan_free(a->plan);
    if (a->shows)
        lv_showcase_done(&a->showcase);
    lv_arena_done(&a->parts);
    lv_arena_done(&a->arena);
}
