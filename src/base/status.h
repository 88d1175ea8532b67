/* How to raise errors: return lv_fail(err, LV_ERR_MODEL, "...") and LV_TRY(call). */
#ifndef LV_BASE_STATUS_H
#define LV_BASE_STATUS_H

#include <livens/status.h>
#include <stdarg.h>

struct lv_source;

#define LV_TRY(call)                                                                     \
    do {                                                                                 \
        lv_status lv_try_status = (call);                                                \
        if (lv_try_status != LV_OK)                                                      \
            return lv_try_status;                                                        \
    } while (0)

/* Returns `code`, so that a failure is one return statement. err may be NULL. */
lv_status lv_fail(lv_error *err, lv_status code, const char *format, ...) LV_PRINTF(3, 4);

/* Does the same with a place: bytes [offset, offset + length) of a source text. */
lv_status lv_fail_at(lv_error *err, lv_status code, const struct lv_source *source,
                     size_t offset, size_t length, const char *format, ...)
    LV_PRINTF(6, 7);

lv_status lv_fail_memory(lv_error *err);

/* Add to an error that was just raised. */
void lv_error_note(lv_error *err, const char *format, ...) LV_PRINTF(2, 3);
void lv_error_hint(lv_error *err, const char *format, ...) LV_PRINTF(2, 3);

/* Set the facts of an error that was just raised: its subject and its reason. Programs
 * decide by these and never by the text. err may be NULL. */
void lv_error_about(lv_error *err, lv_subject about, int index);
void lv_error_because(lv_error *err, lv_reason why);

/* Sets the name of the subject; to be called after lv_error_about. */
void lv_error_name(lv_error *err, const char *name);

/* Adds a place to an error that has none yet. */
void lv_error_locate(lv_error *err, const struct lv_source *source, size_t offset,
                     size_t length);

#endif
