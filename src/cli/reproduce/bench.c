#include "cli/reproduce/bench.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static void judge(cli_claim_info *result, double value, const char *measured,
                  cli_claim_verdict good)
{
    result->value = value;
    result->measured = measured;
    result->verdict =
        value >= result->least && value <= result->most ? good : CLI_CLAIM_DIFFERS;
}

lv_status cli_bench_claim(cli_bench *b, int k, double value, lv_error *err,
                          const char *format, ...)
{
    char text[200];
    const cli_claim *claim = &b->figure->claims[k];
    if (format) {
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
    } else {
        snprintf(text, sizeof text, "%.3g", value);
    }
    const char *measured = cli_pool_text(b->pool, text);
    if (!measured)
        return cli_fail_memory(err);
    if (!claim->unmeasured)
        judge(&b->results[k], value, measured,
              claim->correction ? CLI_CLAIM_CORRECTED : CLI_CLAIM_AGREES);
    judge(&b->pins[k], value, measured, CLI_CLAIM_AGREES);
    return LV_OK;
}

/* ---- the CSV ------------------------------------------------------------------------------------- */

static lv_status fail_io(lv_error *err, const char *verb, const char *path)
{
    return cli_fail(err, LV_ERR_IO, "cannot %s '%s': %s", verb, path, strerror(errno));
}

/* Names with commas or quotes are quoted. */
static void put_name(FILE *file, const char *name)
{
    if (!strpbrk(name, ",\"\n")) {
        fputs(name, file);
        return;
    }
    fputc('"', file);
    for (const char *c = name; *c; c++) {
        if (*c == '"')
            fputc('"', file);
        fputc(*c, file);
    }
    fputc('"', file);
}

static lv_status end_line(cli_bench *b, lv_error *err)
{
    return fputc('\n', b->file) == EOF || ferror(b->file) ? fail_io(err, "write", b->path)
                                                          : LV_OK;
}

lv_status cli_bench_columns(cli_bench *b, const char *const *names, int count,
                            lv_error *err)
{
    if (!b->path)
        return LV_OK;
    b->file = fopen(b->path, "w");
    if (!b->file)
        return fail_io(err, "create", b->path);
    b->columns = count;
    for (int k = 0; k < count; k++) {
        if (k > 0)
            fputc(',', b->file);
        put_name(b->file, names[k]);
    }
    return end_line(b, err);
}

lv_status cli_bench_row(cli_bench *b, lv_error *err)
{
    if (!b->file)
        return LV_OK;
    for (int k = 0; k < b->columns; k++) {
        const char *separator = k > 0 ? "," : "";
        if (isnan(b->row[k]))
            fprintf(b->file, "%snan", separator);
        else
            fprintf(b->file, "%s%.17g", separator, b->row[k]);
    }
    return end_line(b, err);
}

lv_status cli_bench_close(cli_bench *b, lv_status status, lv_error *err)
{
    FILE *file = b->file;
    b->file = NULL;
    if (file && fclose(file) != 0 && status == LV_OK)
        return fail_io(err, "write", b->path);
    return status;
}

/* ---- interruption -------------------------------------------------------------------------------- */

bool cli_bench_go_on(cli_bench *b)
{
    if (!b->interrupted && b->go_on && !b->go_on(b->user))
        b->interrupted = true;
    return !b->interrupted;
}
