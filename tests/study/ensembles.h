/* Ensembles for tests: a small model, files to compare. */
#ifndef LV_TESTS_ENSEMBLES_H
#define LV_TESTS_ENSEMBLES_H

#include "../model/reading.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A pendulum with a rod as constraint, whose members differ in all ways at once. */
static const char pendulums[] =
    "name = \"pendulums\"\n"
    "[parameters]\nm = 1\nangle = 0.5\nspin = 0\ng = [0, -9.81]\nh = 0.01\n"
    "[coordinates]\n"
    "a = { value = [\"sin(angle)\", \"-cos(angle)\"], velocity = [\"spin*cos(angle)\", "
    "\"spin*sin(angle)\"] }\n"
    "[energy]\nkinetic = \"m/2*norm2(a')\"\npotential = \"-m*dot(g, a)\"\n"
    "[constraints.rod]\nholonomic = \"(norm2(a) - 1)/2\"\n"
    "[outputs]\nheight = \"a[2]\"\n"
    "[run]\nscheme = \"rattle\"\nstep = \"h\"\nuntil = 0.35\n"
    "[sweep]\nseed = 5\n"
    "[sweep.set]\n"
    "m = { from = 0.5, to = 2, count = 4 }\n"
    "angle = \"0.1 + j*pi/40\"\n"
    "g = { values = [\"[0, -9.81]\", \"[0, -1.62]\"] }\n"
    "spin = { uniform = [-1, 1] }\n";

/* Members 2 and 5 have no start, 3 and 4 run away, 0 and 1 are well. */
static const char troubles[] = "[parameters]\nx0 = 1\nk = 1\n"
                               "[coordinates]\nx = { value = \"sqrt(x0)\" }\n"
                               "[energy]\nkinetic = \"x'^2/2\"\npotential = \"k*x^4/4\"\n"
                               "[outputs]\nsquare = \"x^2\"\n"
                               "[run]\nscheme = \"verlet\"\nstep = 0.01\nuntil = 10\n"
                               "[sweep.set]\n"
                               "x0 = \"if((j - 2)*(j - 5) == 0, -1, 1)\"\n"
                               "k = { values = [1, 2, 3, -4, -3.1, 6] }\n";

/* Members 1 and 3 have a mass of the wrong sign, and say so. */
static const char cautions[] = "[parameters]\nm = 1\n"
                               "[coordinates]\nx = 1\n"
                               "[energy]\nkinetic = \"m/2*x'^2\"\npotential = \"x^2/2\"\n"
                               "[run]\nscheme = \"verlet\"\nstep = 0.01\nuntil = 0.2\n"
                               "[sweep.set]\nm = { values = [1, -1, 2, -0.5] }\n";

/* Member 0 is long, the others have one step: they end before it. */
static const char late_first[] =
    "[parameters]\nn = 10\n"
    "[coordinates]\nx = { value = 1 }\n"
    "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2 + x^4/4\"\n"
    "[run]\nscheme = \"verlet\"\nstep = 0.01\nuntil = \"0.01*n\"\n"
    "[sweep]\nmembers = 12\n"
    "[sweep.set]\nn = \"if(j == 0, 1e5, 1)\"\n";

/* A file name of this process. */
static inline const char *temporary(char buffer[200], const char *name)
{
    snprintf(buffer, 200, "%s/sweep-%ld-%s", LIVENS_BINARY_DIR, (long)getpid(), name);
    return buffer;
}

/* All of a file, which is removed. */
static inline lv_text take_file(const char *path)
{
    lv_text text = {0};
    char piece[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;)
        lv_text_bytes(&text, piece, (int)n);
    fclose(file);
    remove(path);
    return text;
}

static inline void assert_same_text(const lv_text *a, const lv_text *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->data, b->data, (size_t)a->count);
}

/* The rows that a sweep reports, in their order. */
typedef struct table {
    int width, count;
    char names[64][64];
    double rows[64][64];
    lv_status status[64];
    char messages[64][200];
    int warnings[64];      /* how many texts, */
    char warning[64][200]; /* and the first of them */
} table;

static inline bool keep_row(void *user, const lv_member *member)
{
    table *t = user;
    assert_true(member->column_count <= 64 && t->count < 64);
    t->width = member->column_count;
    assert_true(member->values[0] == member->number);
    for (int k = 0; k < t->width; k++) {
        snprintf(t->names[k], sizeof t->names[k], "%s", member->columns[k]);
        t->rows[t->count][k] = member->values[k];
    }
    assert_true((member->error != NULL) == (member->status != LV_OK));
    t->status[t->count] = member->status;
    snprintf(t->messages[t->count], sizeof t->messages[0], "%.199s",
             member->error ? member->error->text : "");
    t->warnings[t->count] = member->warning_count;
    snprintf(t->warning[t->count], sizeof t->warning[0], "%.199s",
             member->warning_count > 0 ? member->warnings[0] : "");
    t->count++;
    return true;
}

static inline double cell(const table *t, int row, const char *name)
{
    for (int k = 0; k < t->width; k++)
        if (strcmp(t->names[k], name) == 0)
            return t->rows[row][k];
    fail_msg("no column '%s'", name);
    return 0;
}

/* Runs a sweep and keeps its rows. */
static inline table run_table(const lv_model *m, const lv_sweep_request *like,
                              lv_sweep_summary **summary)
{
    static table t;
    lv_error err;
    lv_sweep_request request = *like;
    t = (table){0};
    request.member = keep_row;
    request.user = &t;
    if (lv_sweep_run(summary, m, &request, &err) != LV_OK)
        fail_with(&err);
    return t;
}

#endif
