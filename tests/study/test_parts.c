/* Sweeps that are computed in parts, or by others: joined, they are the sweep in one go. */
#include "ensembles.h"

#include "deny.h"
#include "study/changes.h"

#include <math.h>

enum { PARTS = 3 };

static const char *const models[] = {pendulums, troubles, cautions};
enum { MODELS = sizeof models / sizeof models[0] };

/* ---- options as a text --------------------------------------------------------------------- */

static void options_are_read_as_they_were_written(void **state)
{
    static const lv_initial project = LV_INITIAL_PROJECT;
    lv_run_changes cases[] = {
        {0},
        {.scheme = "gauss", .step = 0.1, .until = 1e-300},
        {.until = 0, .ends = true, .initial = &project},
        {.scheme = "rattle", .step = 1.0 / 3},
    };
    (void)state;
    lv_scheme_option_set(&cases[1].options, LV_OPTION_STAGES, 3);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        lv_arena arena = {0};
        lv_run_changes again;
        lv_initial initial;
        const char *text = lv_changes_write(&cases[k], &arena);
        assert_int_equal(lv_changes_read(&again, &initial, text, &arena, NULL), LV_OK);
        assert_string_equal(lv_changes_write(&again, &arena), text);
        assert_true(again.step == cases[k].step && again.until == cases[k].until);
        assert_true(!again.initial == !cases[k].initial);
        assert_true(!again.scheme == !cases[k].scheme);
        lv_arena_done(&arena);
    }
}

static void other_texts_are_refused(void **state)
{
    static const char *const texts[] = {"scheme", "step=x", "wings=2 step=1", "initial=7",
                                        "scheme= step=1 nonsense"};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        lv_arena arena = {0};
        lv_run_changes changes;
        lv_initial initial;
        assert_int_equal(lv_changes_read(&changes, &initial, texts[k], &arena, NULL),
                         LV_ERR_IO);
        lv_arena_done(&arena);
    }
}

/* ---- parts --------------------------------------------------------------------------------- */

static void write_parts(const lv_model *m, char paths[PARTS][200])
{
    for (int k = 0; k < PARTS; k++) {
        char name[40];
        snprintf(name, sizeof name, "part-%d.h5", k + 1);
        lv_sweep_request request = lv_sweep_request_default();
        lv_sweep_summary *summary = NULL;
        request.hdf5 = temporary(paths[k], name);
        request.part = k + 1;
        request.parts = PARTS;
        assert_int_equal(lv_sweep_run(&summary, m, &request, NULL), LV_OK);
        assert_int_equal(summary->part, k + 1);
        assert_int_equal(summary->done, summary->members);
        lv_sweep_summary_free(summary);
    }
}

static void remove_parts(char paths[PARTS][200])
{
    for (int k = 0; k < PARTS; k++)
        remove(paths[k]);
}

static void assert_same_tables(const table *a, const table *b)
{
    assert_int_equal(a->count, b->count);
    for (int r = 0; r < a->count; r++) {
        assert_memory_equal(a->rows[r], b->rows[r], sizeof a->rows[r]);
        assert_int_equal(a->status[r], b->status[r]);
        assert_int_equal(a->warnings[r], b->warnings[r]);
        assert_string_equal(a->messages[r], b->messages[r]);
        assert_string_equal(a->warning[r], b->warning[r]);
    }
}

static void joined_parts_are_the_sweep_in_one_go(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        char paths[PARTS][200], whole[200], all[200];
        lv_model *m = read_text(models[i]);
        lv_sweep_request request = lv_sweep_request_default();
        lv_sweep_summary *summary = NULL;
        lv_sweep_parts *parts = NULL;
        request.hdf5 = temporary(whole, "whole.h5");
        const table expected = run_table(m, &request, &summary);
        const long long steps = summary->steps;
        lv_sweep_summary_free(summary);
        write_parts(m, paths);
        const char *const order[PARTS] = {paths[2], paths[0], paths[1]};
        assert_int_equal(lv_sweep_parts_read(&parts, order, PARTS, NULL), LV_OK);
        request.hdf5 = temporary(all, "all.h5");
        request.join = parts;
        const table got = run_table(lv_sweep_parts_model(parts), &request, &summary);
        assert_same_tables(&expected, &got);
        assert_true(summary->steps == steps && summary->parts == PARTS);
        assert_int_equal(summary->recalled, 0);
        lv_sweep_summary_free(summary);
        lv_sweep_parts_free(parts);
        lv_text a = take_file(whole), b = take_file(all);
        assert_same_text(&a, &b);
        lv_text_done(&a);
        lv_text_done(&b);
        remove_parts(paths);
        lv_model_free(m);
    }
}

/* Also a model with the same columns. */
static void parts_of_another_model_are_refused(void **state)
{
    (void)state;
    char paths[PARTS][200];
    const lv_setting setting = {"h", "0.02"};
    lv_model *m = read_text(pendulums), *other = read_with(pendulums, &setting, 1);
    lv_text longer = {0};
    lv_text_append(&longer, "# another text\n%s", pendulums);
    lv_model *commented = read_text(longer.data);
    write_parts(m, paths);
    const char *const order[PARTS] = {paths[0], paths[1], paths[2]};
    lv_sweep_parts *parts = NULL;
    assert_int_equal(lv_sweep_parts_read(&parts, order, PARTS, NULL), LV_OK);
    lv_sweep_request request = lv_sweep_request_default();
    request.join = parts;
    lv_sweep_summary *summary = NULL;
    lv_error err;
    assert_int_equal(lv_sweep_run(&summary, other, &request, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "differ in their settings"));
    assert_int_equal(lv_sweep_run(&summary, commented, &request, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "that of its parts differ"));
    assert_null(summary);
    /* The same model, read by the caller. */
    assert_int_equal(lv_sweep_run(&summary, m, &request, &err), LV_OK);
    lv_sweep_summary_free(summary);
    lv_sweep_parts_free(parts);
    remove_parts(paths);
    lv_text_done(&longer);
    lv_model_free(commented);
    lv_model_free(other);
    lv_model_free(m);
}

static lv_status join_and_free(void *user, lv_error *err)
{
    char(*paths)[200] = user;
    const char *const order[PARTS] = {paths[0], paths[1], paths[2]};
    lv_sweep_parts *parts = NULL;
    lv_sweep_summary *summary = NULL;
    lv_status status = lv_sweep_parts_read(&parts, order, PARTS, err);
    if (status == LV_OK) {
        lv_sweep_request request = lv_sweep_request_default();
        request.join = parts;
        request.threads = 1;
        status = lv_sweep_run(&summary, lv_sweep_parts_model(parts), &request, err);
    }
    lv_sweep_summary_free(summary);
    lv_sweep_parts_free(parts);
    return status;
}

static void nothing_is_lost_without_memory(void **state)
{
    char paths[PARTS][200];
    (void)state;
    lv_model *m = read_text(cautions);
    write_parts(m, paths);
    lv_deny_sample(join_and_free, paths, 150);
    remove_parts(paths);
    lv_model_free(m);
}

/* ---- members from elsewhere ------------------------------------------------------------------ */

enum { KEPT = 16, NUMBERS = 4096 };

/* What one process computed, for another. */
typedef struct kept {
    lv_member member;
    lv_error error;
    double values[64], samples[NUMBERS];
    char text[200];
    const char *warning;
} kept;

typedef struct exchange {
    int count, given; /* members, how many were chosen */
    bool later;
    int order[KEPT];
    kept *members; /* by number */
    int here;      /* this one is not known elsewhere, -1: all are */
    int stop;      /* from this one on the sweep is to end, -1: it is not */
    int planned;
} exchange;

/* Every second time there is none yet. */
static int choose(void *user)
{
    exchange *x = user;
    x->later = !x->later;
    if (x->given == x->count)
        return LV_SWEEP_NONE;
    return x->later ? LV_SWEEP_LATER : x->order[x->given++];
}

static bool keep(void *user, const lv_member *member)
{
    exchange *x = user;
    kept *k = &x->members[member->number];
    assert_true(member->column_count <= 64 && member->sample_count <= NUMBERS);
    k->member = *member;
    memcpy(k->values, member->values, (size_t)member->column_count * sizeof(double));
    if (member->sample_count > 0)
        memcpy(k->samples, member->samples,
               (size_t)member->sample_count * sizeof(double));
    k->member.values = k->values;
    k->member.samples = k->samples;
    if (member->error) {
        k->error = *member->error;
        k->member.error = &k->error;
    }
    assert_true(member->warning_count <= 1);
    if (member->warning_count > 0)
        snprintf(k->text, sizeof k->text, "%s", member->warnings[0]);
    k->warning = k->text;
    k->member.warnings = &k->warning;
    return true;
}

static void plan(void *user, int count, const int *numbers)
{
    exchange *x = user;
    for (int k = 0; k < count; k++)
        assert_int_equal(numbers[k], k);
    x->planned = count;
}

static lv_sweep_fetched fetch(void *user, int number, lv_member *member)
{
    const exchange *x = user;
    if (x->stop >= 0 && number >= x->stop)
        return LV_SWEEP_STOP;
    if (number == x->here)
        return LV_SWEEP_RUN_HERE;
    *member = x->members[number].member;
    return LV_SWEEP_FETCHED;
}

/* Computes members in an order of its own, as another process would. */
static void compute_elsewhere(exchange *x, const lv_model *m, bool series)
{
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    const lv_sweep_elsewhere serving = {.choose = choose, .user = x};
    x->count = lv_sweep_members(m);
    assert_true(x->count <= KEPT);
    for (int k = 0; k < x->count; k++)
        x->order[k] = (k * 5 + 3) % x->count; /* 8, 6 and 4 have no divisor 5 */
    request.keep_series = series;
    request.threads = 2;
    request.elsewhere = &serving;
    request.member = keep;
    request.user = x;
    assert_int_equal(lv_sweep_run(&summary, m, &request, NULL), LV_OK);
    assert_int_equal(summary->done, x->count);
    lv_sweep_summary_free(summary);
}

static void members_from_elsewhere_are_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        static kept members[KEPT];
        char whole[200], all[200];
        exchange x = {.members = members, .here = 1, .stop = -1};
        lv_model *m = read_text(models[i]);
        lv_sweep_request request = lv_sweep_request_default();
        lv_sweep_summary *summary = NULL;
        const lv_sweep_elsewhere leading = {.plan = plan, .fetch = fetch, .user = &x};
        const bool series = i == 0;
        request.series = series ? temporary(whole, "whole.csv") : NULL;
        const table expected = run_table(m, &request, &summary);
        lv_sweep_summary_free(summary);
        compute_elsewhere(&x, m, series);
        request.series = series ? temporary(all, "all.csv") : NULL;
        request.elsewhere = &leading;
        const table got = run_table(m, &request, &summary);
        assert_int_equal(x.planned, x.count);
        assert_same_tables(&expected, &got);
        lv_sweep_summary_free(summary);
        if (series) {
            lv_text a = take_file(whole), b = take_file(all);
            assert_same_text(&a, &b);
            lv_text_done(&a);
            lv_text_done(&b);
        }
        x.stop = 2;
        x.here = -1;
        request.series = NULL;
        const table first = run_table(m, &request, &summary);
        assert_int_equal(first.count, 2);
        assert_true(summary->interrupted);
        lv_sweep_summary_free(summary);
        lv_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(options_are_read_as_they_were_written),
        RUN(other_texts_are_refused),
        RUN(joined_parts_are_the_sweep_in_one_go),
        RUN(parts_of_another_model_are_refused),
        RUN(nothing_is_lost_without_memory),
        RUN(members_from_elsewhere_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
