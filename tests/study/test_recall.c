/* Sweeps that go on from the file of one that was interrupted. */
#include "ensembles.h"

#include "deny.h"
#include "results.h"

typedef struct files {
    char table[200], members[200]; /* HDF5, CSV */
} files;

static files new_files(const char *name)
{
    files f;
    char text[100];
    snprintf(text, sizeof text, "%s.h5", name);
    temporary(f.table, text);
    snprintf(text, sizeof text, "%s.csv", name);
    temporary(f.members, text);
    return f;
}

static lv_sweep_request request_for(const files *f)
{
    lv_sweep_request request = lv_sweep_request_default();
    request.hdf5 = f->table;
    request.csv = f->members;
    request.threads = 2;
    return request;
}

/* Takes the summary's numbers. */
static lv_sweep_summary run(const lv_model *m, const lv_sweep_request *request)
{
    lv_error err;
    lv_sweep_summary *summary = NULL;
    if (lv_sweep_run(&summary, m, request, &err) != LV_OK)
        fail_with(&err);
    lv_sweep_summary copy = *summary;
    lv_sweep_summary_free(summary);
    return copy;
}

/* All numbers of a table, in the order of the file's datasets. */
static lv_text numbers_of(const char *path)
{
    lv_error err;
    lv_text all = {0};
    results *file = NULL;
    if (results_open(&file, path, &err) != LV_OK)
        fail_with(&err);
    for (int k = 0; k < results_count(file); k++) {
        const results_channel *d = results_get(file, k);
        double values[64];
        assert_true(d->rows * d->width <= 64);
        assert_int_equal(results_read(file, values, d, 0, d->rows, &err), LV_OK);
        lv_text_append(&all, "%s", d->name);
        lv_text_bytes(&all, (const char *)values,
                      (int)(d->rows * d->width) * (int)sizeof *values);
    }
    results_close(file);
    remove(path);
    return all;
}

static void assert_same_and_free(lv_text a, lv_text b)
{
    assert_same_text(&a, &b);
    lv_text_done(&a);
    lv_text_done(&b);
}

/* Takes both files away and compares them with those of a sweep without interruption. */
static void assert_as_without_interruption(const lv_model *m, const files *f)
{
    const files g = new_files("whole");
    const lv_sweep_request request = request_for(&g);
    (void)run(m, &request);
    assert_same_and_free(numbers_of(f->table), numbers_of(g.table));
    assert_same_and_free(take_file(f->members), take_file(g.members));
}

static bool three_only(void *user, const lv_member *member)
{
    (void)user;
    return member->number < 2;
}

static void interrupt(const lv_model *m, const files *f)
{
    lv_sweep_request request = request_for(f);
    request.threads = 1;
    request.member = three_only;
    const lv_sweep_summary s = run(m, &request);
    assert_true(s.interrupted && s.done == 3 && s.recalled == 0);
}

static void a_sweep_goes_on_where_it_was_interrupted(void **state)
{
    (void)state;
    lv_model *m = read_text(pendulums);
    const files f = new_files("gone-on");
    interrupt(m, &f);
    lv_sweep_request request = request_for(&f);
    request.resume = true;
    const lv_sweep_summary s = run(m, &request);
    assert_true(!s.interrupted && s.done == 8 && s.recalled == 3);
    assert_as_without_interruption(m, &f);
    lv_model_free(m);
}

/* What is taken over is reported as if it had run; nothing is simulated. */
static void rows_come_from_the_file(void **state)
{
    (void)state;
    lv_model *m = read_text(pendulums);
    lv_sweep_summary *summary = NULL;
    const files f = new_files("complete");
    lv_sweep_request request = request_for(&f);
    const table ran = run_table(m, &request, &summary);
    long long steps = summary->steps;
    lv_sweep_summary_free(summary);
    request.resume = true;
    const table known = run_table(m, &request, &summary);
    assert_int_equal(summary->recalled, 8);
    assert_int_equal(summary->steps, steps);
    assert_int_equal(known.count, 8);
    for (int row = 0; row < 8; row++)
        assert_memory_equal(known.rows[row], ran.rows[row],
                            (size_t)ran.width * sizeof(double));
    lv_sweep_summary_free(summary);
    assert_as_without_interruption(m, &f);
    lv_model_free(m);
}

static void members_that_failed_run_again(void **state)
{
    (void)state;
    lv_model *m = read_text(troubles);
    const files f = new_files("failed");
    lv_sweep_request request = request_for(&f);
    (void)run(m, &request);
    request.resume = true;
    const lv_sweep_summary s = run(m, &request);
    assert_true(s.done == 6 && s.failed == 4 && s.recalled == 2);
    assert_as_without_interruption(m, &f);
    lv_model_free(m);
}

/* ---- members that end before an earlier one ------------------------------------------------- */

/* Members in a file while a sweep is going on. */
static int members_in(const char *path)
{
    lv_error err;
    results *file = NULL;
    if (results_open(&file, path, &err) != LV_OK)
        fail_with(&err);
    const int count = (int)results_find(file, "member")->rows;
    results_close(file);
    return count;
}

/* Looks at the file whenever it is called, and stops the sweep after some calls. */
typedef struct onlooker {
    const char *path; /* NULL: it does not look */
    int least;        /* of the members seen in the file */
    int calls;        /* left; the sweep ends when there are none */
} onlooker;

static bool look_on(void *user, const lv_sweep_progress *progress)
{
    onlooker *o = user;
    (void)progress;
    const int seen = o->path ? members_in(o->path) : 0;
    o->least = seen < o->least ? seen : o->least;
    return --o->calls > 0;
}

static lv_sweep_summary run_before(const lv_model *m, const files *f, onlooker *o,
                                   bool resume)
{
    lv_sweep_request request = request_for(f);
    request.threads = 1;
    request.resume = resume;
    request.progress = look_on;
    request.user = o;
    return run(m, &request);
}

/* Whoever kills a sweep at any of these moments finds all members in the file. */
static void members_in_the_file_stay_there(void **state)
{
    (void)state;
    lv_model *m = read_text(late_first);
    const files f = new_files("stay");
    onlooker first = {.calls = 6};
    const lv_sweep_summary s = run_before(m, &f, &first, false);
    assert_true(s.interrupted && s.done >= 2 && s.done < 11);

    onlooker second = {f.table, 100, 3};
    const lv_sweep_summary r = run_before(m, &f, &second, true);
    assert_true(r.interrupted && r.recalled == s.done && second.least == s.done);
    assert_int_equal(members_in(f.table), r.done);

    onlooker third = {f.table, 100, 1000000};
    const lv_sweep_summary t = run_before(m, &f, &third, true);
    assert_true(t.done == 12 && t.recalled == r.done && third.least == r.done);
    lv_model_free(m);

    m = read_text(late_first);
    const files g = new_files("in-one-go");
    const lv_sweep_request request = request_for(&g);
    (void)run(m, &request);
    assert_same_and_free(take_file(f.table), take_file(g.table));
    assert_same_and_free(take_file(f.members), take_file(g.members));
    lv_model_free(m);
}

static void warnings_of_earlier_members_are_counted(void **state)
{
    (void)state;
    lv_model *m = read_text(cautions);
    const files f = new_files("warned");
    interrupt(m, &f);
    lv_sweep_request request = request_for(&f);
    request.resume = true;
    const lv_sweep_summary s = run(m, &request);
    assert_true(s.recalled == 3 && s.warned == 2);
    assert_int_equal(s.warning_count, 1); /* the text is that of the one that ran */
    assert_as_without_interruption(m, &f);
    lv_model_free(m);
}

static void without_a_file_a_sweep_begins(void **state)
{
    (void)state;
    lv_model *m = read_text(pendulums);
    const files f = new_files("new");
    lv_sweep_request request = request_for(&f);
    request.resume = true;
    assert_int_equal(run(m, &request).recalled, 0);
    assert_as_without_interruption(m, &f);
    lv_model_free(m);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void assert_refused(const lv_model *m, const lv_sweep_request *request,
                           const char *words)
{
    lv_error err;
    lv_sweep_summary *summary = NULL;
    assert_int_not_equal(lv_sweep_run(&summary, m, request, &err), LV_OK);
    assert_null(summary);
    if (!strstr(err.text, words))
        fail_msg("%s", err.text);
}

/* The file stays as it was, whatever is wrong. */
static void the_file_of_another_sweep_is_refused(void **state)
{
    (void)state;
    const lv_setting setting = {"h", "0.02"};
    lv_model *m = read_text(pendulums), *set = read_with(pendulums, &setting, 1);
    lv_model *other = read_text(troubles);
    const files f = new_files("other");
    interrupt(m, &f);
    lv_sweep_request request = request_for(&f);
    request.resume = true;
    assert_refused(set, &request, "/run/settings");
    assert_refused(other, &request, "/run/model");
    request.changes.step = 0.02;
    assert_refused(m, &request, "/run/changes");
    request.changes.step = 0;
    request.changes.scheme = "lobatto";
    lv_scheme_option_set(&request.changes.options, LV_OPTION_STAGES, 3);
    assert_refused(m, &request, "/run/changes");
    request.changes = (lv_run_changes){0};
    request.csv = "/nowhere/members.csv";
    assert_refused(m, &request, "/nowhere/members.csv");
    request.csv = f.members;
    assert_int_equal(run(m, &request).recalled, 3);
    assert_as_without_interruption(m, &f);
    lv_model_free(m);
    lv_model_free(set);
    lv_model_free(other);
}

/* A number of a row, m of the second member, that is not what was written. */
static void damaged_rows_are_refused(void **state)
{
    (void)state;
    lv_error err;
    lv_sweep_summary *summary = NULL;
    lv_model *m = read_text(pendulums);
    const files f = new_files("damaged");
    interrupt(m, &f);
    lv_sweep_request request = request_for(&f);
    request.resume = true;
    lv_text text = take_file(f.table);
    const double set[] = {0.5, 0.1 + 3.14159265358979311600 / 40};
    char *at = text.data;
    while (at < text.data + text.count - sizeof set && memcmp(at, set, sizeof set) != 0)
        at += sizeof(double);
    assert_memory_equal(at, set, sizeof set);
    at[sizeof(double) - 1] = (char)(at[sizeof(double) - 1] ^ 0x80); /* its sign */
    FILE *file = fopen(f.table, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text.data, 1, (size_t)text.count, file), text.count);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(lv_sweep_run(&summary, m, &request, &err), LV_ERR_IO);
    assert_null(summary);
    assert_non_null(strstr(err.text, "is damaged: the numbers of row 2"));
    assert_non_null(strstr(err.hint, "--resume"));
    request.resume = false;
    (void)run(m, &request);
    assert_as_without_interruption(m, &f);
    lv_text_done(&text);
    lv_model_free(m);
}

static void what_cannot_be_resumed_is_refused(void **state)
{
    (void)state;
    lv_model *m = read_text(pendulums);
    const files f = new_files("refused");
    lv_sweep_request request = request_for(&f);
    request.resume = true;
    request.series = "never-written.csv";
    assert_refused(m, &request, "a series needs all members");
    request.series = NULL;
    request.hdf5 = NULL;
    assert_refused(m, &request, "only from an HDF5 file");
    FILE *file = fopen(f.table, "w");
    assert_non_null(file);
    assert_true(fputs("not HDF5", file) >= 0 && fclose(file) == 0);
    request.hdf5 = f.table;
    assert_refused(m, &request, "is not an HDF5 file");
    remove(f.table);
    lv_model_free(m);
}

/* A run would go on elsewhere than a sweep. */
static void resuming_a_run_refuses_the_file_of_a_sweep(void **state)
{
    (void)state;
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_model *m = read_text(pendulums), *stored = NULL;
    const files f = new_files("sweep");
    interrupt(m, &f);
    assert_int_equal(lv_resume(&summary, &stored, f.table, 0, NULL, NULL, &err),
                     LV_ERR_IO);
    assert_non_null(strstr(err.text, "is the result of a sweep"));
    remove(f.table);
    remove(f.members);
    lv_model_free(m);
}

typedef struct denial {
    const lv_model *model;
    files files;
} denial;

static lv_status resume_and_free(void *user, lv_error *err)
{
    const denial *d = user;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = request_for(&d->files);
    request.threads = 1;
    request.resume = true;
    lv_status status = lv_sweep_run(&summary, d->model, &request, err);
    lv_sweep_summary_free(summary);
    return status;
}

static void nothing_is_lost_without_memory(void **state)
{
    (void)state;
    lv_model *m = read_text(pendulums);
    denial d = {m, new_files("denied")};
    lv_sweep_request request = request_for(&d.files);
    (void)run(m, &request);
    lv_deny_sample(resume_and_free, &d, 200);
    remove(d.files.table);
    remove(d.files.members);
    lv_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_sweep_goes_on_where_it_was_interrupted),
        RUN(rows_come_from_the_file),
        RUN(members_that_failed_run_again),
        RUN(members_in_the_file_stay_there),
        RUN(warnings_of_earlier_members_are_counted),
        RUN(without_a_file_a_sweep_begins),
        RUN(the_file_of_another_sweep_is_refused),
        RUN(damaged_rows_are_refused),
        RUN(what_cannot_be_resumed_is_refused),
        RUN(resuming_a_run_refuses_the_file_of_a_sweep),
        RUN(nothing_is_lost_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
