/* The equations of schemes as text, for callers of the library. */
#include "base/memory.h"
#include "base/usage.h"
#include "scheme/scheme.h"

lv_status lv_scheme_equations(char **text, const char *name,
                              const lv_scheme_options *options, lv_error *err)
{
    const lv_scheme_options none = {0};
    const lv_scheme *scheme = NULL;
    lv_text out = {0};
    lv_error_clear(err);
    LV_NEED(err, text);
    *text = NULL;
    LV_NEED(err, name);
    options = options ? options : &none;
    LV_TRY(lv_scheme_choose(&scheme, name, options, err));
    lv_status status = scheme->equations(scheme, &out, options, err);
    if (status == LV_OK && out.failed)
        status = lv_fail_memory(err);
    if (status == LV_OK)
        *text = out.data;
    else
        lv_text_done(&out);
    return status;
}

void lv_equations_free(char *text)
{
    lv_memory_free(text);
}
