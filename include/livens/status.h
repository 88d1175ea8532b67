/* Statuses and errors: what every call of the library reports.
 *
 * The library never prints, aborts or exits. A function that can fail returns an
 * lv_status and fills the caller's lv_error (which may be NULL when only the code
 * matters).
 *
 * Other pointers must not be NULL unless a function says so. A NULL pointer, an
 * enumerator out of range or a negative count is refused with LV_ERR_USAGE, and the error
 * names the function and the argument. Functions that return no status then return 0,
 * NAN, NULL, false or an empty text. Freeing NULL does nothing.
 *
 * Structs that a caller fills end with `reserved`, which leaves room for members of later
 * versions. Functions that return default values set it to zero; structs without such a
 * function are initialised with {0}. A value other than zero is refused. So a program
 * that was compiled for one version runs with every later library of the same soname. */
#ifndef LIVENS_STATUS_H
#define LIVENS_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LV_API __attribute__((visibility("default")))
#define LV_NODISCARD __attribute__((warn_unused_result))
#define LV_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define LV_API
#define LV_NODISCARD
#define LV_PRINTF(at, first)
#endif

/* X(enumerator, name used in machine-readable output, meaning) */
#define LV_STATUS_LIST(X)                                                                \
    X(LV_OK, "ok", "success")                                                            \
    X(LV_ERR_MEMORY, "memory", "the machine has no memory left")                         \
    X(LV_ERR_LIMIT, "limit", "the input is larger than livens accepts")                  \
    X(LV_ERR_SYNTAX, "syntax", "text that is not TOML or not a formula")                 \
    X(LV_ERR_MODEL, "model", "a model that makes no sense")                              \
    X(LV_ERR_DOMAIN, "domain", "a formula evaluated where it has no finite value")       \
    X(LV_ERR_NUMERIC, "numeric", "a computation that failed: no convergence, singular")  \
    X(LV_ERR_USAGE, "usage", "a call or command with wrong arguments")                   \
    X(LV_ERR_IO, "io", "a file that cannot be read or written")

typedef enum lv_status {
#define LV_X(id, name, meaning) id,
    LV_STATUS_LIST(LV_X)
#undef LV_X
} lv_status;

/* The subject of a failure; lv_error.index says which one of its kind.
 * X(enumerator, name used in machine-readable output, what the index counts) */
#define LV_SUBJECT_LIST(X)                                                               \
    X(LV_ABOUT_NOTHING, "nothing", "nothing: the index is 0")                            \
    X(LV_ABOUT_SCHEME, "scheme", "nothing: the scheme that was asked for")               \
    X(LV_ABOUT_OPTION, "option", "options of schemes, as lv_option does")                \
    X(LV_ABOUT_STEP, "step", "nothing: the step size")                                   \
    X(LV_ABOUT_COORDINATE, "coordinate", "scalar coordinates of the model, from 0")      \
    X(LV_ABOUT_CONSTRAINT, "constraint",                                                 \
      "constraint rows, holonomic ones first, from 0")                                   \
    X(LV_ABOUT_FORMULA, "formula", "nothing: the formula stands at line and column")

typedef enum lv_subject {
#define LV_X(id, name, meaning) id,
    LV_SUBJECT_LIST(LV_X)
#undef LV_X
} lv_subject;

/* Why a computation failed, so that programs need not read the text.
 * X(enumerator, name used in machine-readable output, meaning) */
#define LV_REASON_LIST(X)                                                                \
    X(LV_WHY_OTHER, "other", "the text says why")                                        \
    X(LV_WHY_DIVERGED, "diverged", "an iteration moved away from a solution")            \
    X(LV_WHY_STALLED, "stalled", "an iteration made no more progress")                   \
    X(LV_WHY_SINGULAR, "singular",                                                       \
      "a matrix is singular: constraints or masses depend on each other")                \
    X(LV_WHY_CONTRADICTION, "contradiction", "constraints that cannot hold together")    \
    X(LV_WHY_DOMAIN, "domain", "a formula has no finite value here")                     \
    X(LV_WHY_BUDGET, "budget", "more memory would be needed than is allowed")

typedef enum lv_reason {
#define LV_X(id, name, meaning) id,
    LV_REASON_LIST(LV_X)
#undef LV_X
} lv_reason;

/* Explanation of a failure, in the caller's storage. Texts that are too long are cut and
 * end with "...". Line and column count from 1; 0 means that there is no position. */
typedef struct lv_error {
    lv_status code;
    lv_subject about; /* kind of the subject; its number is `index` */
    int index;
    lv_reason why;
    int line;
    int column; /* in characters, not bytes */
    /* number of characters to underline; at least 1 if there is a position */
    int length;
    int source_column; /* where the caret stands below `source`, in characters from 0 */
    /* name of the subject, such as "stages" or "link (i = 7)"; may be empty */
    char name[160];
    char file[200];
    char text[800];     /* what is wrong */
    char source[200];   /* the source line, or its part around the column */
    char note[1000];    /* a related place or fact; may be empty */
    char hint[400];     /* what to do; may be empty */
    size_t reserved[8]; /* for later versions */
} lv_error;

/* Name and meaning of a status: "ok", "memory", ...; never NULL. */
LV_API const char *lv_status_name(lv_status status);
LV_API const char *lv_status_meaning(lv_status status);

/* Names of subjects ("option", "constraint", ...) and of reasons ("diverged", "stalled",
 * ...); never NULL. */
LV_API const char *lv_subject_name(lv_subject subject);
LV_API const char *lv_reason_name(lv_reason reason);

/* Exit code of the program for a status: 0 ok, 1 bad model, 2 usage, 3 numerical failure,
 * 4 input/output. */
LV_API int lv_status_exit_code(lv_status status);

LV_API void lv_error_clear(lv_error *err);

/* Writes the message as the program shows it, in several lines that each end with a
 * newline:
 *   file:line:column: error: text, the source line with a caret, note, hint.
 * Writes at most size bytes including the final NUL; returns the length of the whole
 * message. */
LV_API size_t lv_error_write(const lv_error *err, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
