/* Sinks that compete for one file, here and in other processes: one gets it, all others are told. */
#ifndef LV_TESTS_OUT_WRITERS_H
#define LV_TESTS_OUT_WRITERS_H

#include "check.h"
#include "out/sink.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WRITERS = 8 };

/* How a writer of this number opens the file, and what it writes. */
typedef struct writers {
    lv_status (*open)(lv_sink **sink, const char *path, int number, lv_error *err);
    lv_status (*write)(lv_sink *sink);
} writers;

static inline void writers_wait(pid_t child)
{
    int result = 1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
}

static inline bool writers_refused(const writers *w, const char *path)
{
    lv_error err;
    lv_sink *sink = NULL;
    return w->open(&sink, path, 0, &err) == LV_ERR_IO && !sink &&
           strstr(err.text, "is being written by another run");
}

/* For another process and for this one. */
static inline void writers_assert_busy(const writers *w, const char *path)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(!writers_refused(w, path));
    writers_wait(child);
    assert_true(writers_refused(w, path));
}

/* Tells whether it got the file, keeps it until it may end, and writes. */
static inline int writers_try(const writers *w, const char *path, int number, int told,
                              int end)
{
    lv_error err;
    lv_sink *sink = NULL;
    lv_status status = w->open(&sink, path, number, &err);
    char word = status == LV_OK ? 'w' : strstr(err.text, "another run") ? 'l' : '?';
    if (write(told, &word, 1) != 1 || read(end, &word, 1) != 0)
        return 1;
    if (!sink)
        return 0;
    return w->write(sink) != LV_OK || sink->close(sink, NULL) != LV_OK;
}

/* Writers that begin at the same moment, numbered from `first`. */
static inline void writers_compete(const writers *w, const char *path, int first)
{
    pid_t children[WRITERS];
    int told[2], end[2], winners = 0;
    assert_int_equal(pipe(told), 0);
    assert_int_equal(pipe(end), 0);
    for (int k = 0; k < WRITERS; k++) {
        children[k] = fork();
        assert_true(children[k] >= 0);
        if (children[k] == 0) {
            close(end[1]);
            _exit(writers_try(w, path, first + k, told[1], end[0]));
        }
    }
    for (int k = 0; k < WRITERS; k++) {
        char word = 0;
        assert_int_equal(read(told[0], &word, 1), 1);
        assert_true(word == 'w' || word == 'l');
        winners += word == 'w';
    }
    assert_int_equal(close(end[1]), 0); /* they may end */
    for (int k = 0; k < WRITERS; k++)
        writers_wait(children[k]);
    close(end[0]);
    close(told[0]);
    close(told[1]);
    assert_int_equal(winners, 1);
}

#endif
