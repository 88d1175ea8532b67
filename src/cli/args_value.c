/* Values of options: numbers and words. strtod and strtol alone would accept blanks,
 * hexadecimal numbers and infinities. */
#include "cli/args.h"
#include "cli/error.h"
#include "cli/names.h"
#include "cli/nearest.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

static lv_status fail_number(const char *name, const char *text, bool zero, lv_error *err)
{
    lv_status status =
        cli_fail(err, LV_ERR_USAGE, "--%s wants a positive number%s, this is '%s'", name,
                 zero ? " or 0" : "", text);
    if (strchr(text, ',') && strspn(text, "0123456789,") == strlen(text))
        cli_hint(err, "decimals follow a point: 0.01");
    else
        cli_hint(err, "for example --%s 0.5 or --%s 1e-3", name, name);
    return status;
}

static lv_status parse_number(const char *name, const char *text, bool zero,
                              double *value, lv_error *err)
{
    char *end = NULL;
    if (!text[0] || strspn(text, "0123456789+-.eE") != strlen(text))
        return fail_number(name, text, zero, err);
    double number = strtod(text, &end);
    if (*end || end == text || !(number > 0 || (zero && number == 0)) ||
        !isfinite(number))
        return fail_number(name, text, zero, err);
    *value = number;
    return LV_OK;
}

static lv_status read_number(const cli_args *args, const char *name, bool zero,
                             double *value, lv_error *err)
{
    const char *text = cli_args_value(args, name);
    return text ? parse_number(name, text, zero, value, err) : LV_OK;
}

lv_status cli_args_part(const cli_args *args, const char *name, int *part, int *parts,
                        lv_error *err)
{
    const char *text = cli_args_value(args, name);
    if (!text)
        return LV_OK;
    const size_t one = strspn(text, digits);
    const size_t other = text[one] == '/' ? strspn(text + one + 1, digits) : 0;
    const bool plain =
        one > 0 && one < 8 && other > 0 && other < 8 && text[one + 1 + other] == '\0';
    const int k = plain ? atoi(text) : 0, n = plain ? atoi(text + one + 1) : 0;
    if (k < 1 || k > n) {
        lv_status status =
            cli_fail(err, LV_ERR_USAGE, "--%s wants K/N with K from 1 to N, this is '%s'",
                     name, text);
        cli_hint(err, "for example --%s 1/4, --%s 2/4, ..., each as a job of its own",
                 name, name);
        return status;
    }
    *part = k;
    *parts = n;
    return LV_OK;
}

lv_status cli_args_numbers(const cli_args *args, const char *name, double *values,
                           int most, int *count, lv_error *err)
{
    cli_names list = {0};
    *count = 0;
    lv_status status = cli_names_split(&list, cli_args_value(args, name), err);
    if (status == LV_OK && list.count > most)
        status =
            cli_fail(err, LV_ERR_USAGE, "--%s wants at most %d numbers, these are %d",
                     name, most, list.count);
    for (int k = 0; k < list.count && status == LV_OK; k++)
        status = parse_number(name, list.list[k], false, &values[(*count)++], err);
    cli_names_done(&list);
    return status;
}

lv_status cli_args_number(const cli_args *args, const char *name, double *value,
                          lv_error *err)
{
    return read_number(args, name, false, value, err);
}

lv_status cli_args_time(const cli_args *args, const char *name, double *value,
                        lv_error *err)
{
    return read_number(args, name, true, value, err);
}

lv_status cli_args_size(const cli_args *args, const char *name, size_t *value,
                        lv_error *err)
{
    static const char units[] = "KMGT";
    const char *text = cli_args_value(args, name);
    char *end = NULL;
    if (!text)
        return LV_OK;
    double number = strspn(text, "0123456789.") > 0 ? strtod(text, &end) : -1;
    const char *unit = end && *end ? strchr(units, *end) : NULL;
    if (unit) {
        number *= pow(1024, (double)(unit - units) + 1);
        end++;
    }
    if (!(number >= 1) || !end || *end ||
        strspn(text, "0123456789.KMGT") != strlen(text)) {
        lv_status status = cli_fail(
            err, LV_ERR_USAGE, "--%s wants a size in bytes, this is '%s'", name, text);
        cli_hint(err, "for example --%s 500M or --%s 4G", name, name);
        return status;
    }
    *value = number < (double)SIZE_MAX ? (size_t)number : SIZE_MAX;
    return LV_OK;
}

lv_status cli_args_whole(const cli_args *args, const char *name, int *value,
                         lv_error *err)
{
    const char *text = cli_args_value(args, name);
    if (!text)
        return LV_OK;
    bool plain = text[0] && strspn(text, digits) == strlen(text);
    errno = 0;
    long number = plain ? strtol(text, NULL, 10) : 0;
    if (!plain || errno || number < 1 || number > INT_MAX)
        return cli_fail(err, LV_ERR_USAGE,
                        "--%s wants a whole number from 1 on, this is '%s'", name, text);
    *value = (int)number;
    return LV_OK;
}

void cli_list_words(char *buffer, size_t size, const char *const *words)
{
    size_t used = 0;
    for (int k = 0; words[k] && used < size; k++) {
        const char *before = k == 0 ? "" : words[k + 1] ? ", " : " or ";
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", before, words[k]);
    }
}

lv_status cli_args_choice(const cli_args *args, const char *name,
                          const char *const *words, int *choice, lv_error *err)
{
    const char *text = cli_args_value(args, name);
    if (!text)
        return LV_OK;
    cli_nearest nearest = {.word = text};
    for (int k = 0; words[k]; k++) {
        if (strcmp(words[k], text) == 0) {
            *choice = k;
            return LV_OK;
        }
        cli_nearest_offer(&nearest, words[k]);
    }
    char all[200];
    cli_list_words(all, sizeof all, words);
    lv_status status =
        cli_fail(err, LV_ERR_USAGE, "--%s wants %s, this is '%s'", name, all, text);
    if (cli_nearest_result(&nearest) && strlen(text) > 1)
        cli_hint(err, "did you mean '%s'?", cli_nearest_result(&nearest));
    return status;
}
