/* What the lab tells a page, without the page. */
#include "lab/lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int told; /* how often the page was told what is done */

void lab_progress(double share)
{
    assert_true(share >= 0 && share <= 1);
    told++;
}

static const char oscillator[] = "[parameters]\nk = 4\n[coordinates]\nx = 1\n[energy]\n"
                                 "kinetic = \"x'^2/2\"\npotential = \"k*x^2/2\"\n"
                                 "[run]\nscheme = \"rattle\"\nstep = 0.01\nuntil = 2\n";

/* Words end with NULL; the last of them is the text. */
static int open_words(const char *const *words)
{
    size_t size = 0;
    for (int k = 0; words[k]; k++)
        size += strlen(words[k]) + 1;
    size--; /* the last zero is no part of the request */
    char *room = lab_room(size);
    assert_non_null(room);
    for (int k = 0; words[k]; k++) {
        const size_t length = strlen(words[k]);
        memcpy(room, words[k], length);
        room += length + 1;
    }
    return lab_open(size);
}

static int open_text(const char *text)
{
    return open_words((const char *const[]){"model", text, NULL});
}

static void expect(const char *piece)
{
    if (!strstr(lab_result(), piece))
        fail_msg("no %s in %s", piece, lab_result());
    assert_int_equal(strlen(lab_result()), lab_result_size());
}

static void lab_says_what_a_model_is(void **state)
{
    (void)state;
    assert_int_equal(open_text(oscillator), 0);
    expect("\"status\": \"ok\"");
    expect("\"name\": \"k\"");
    expect("\"value\": 4");
    expect("\"scheme\": \"rattle\"");
}

static void lab_says_where_a_model_is_wrong(void **state)
{
    (void)state;
    assert_int_not_equal(
        open_text("[coordinates]\nx = 1\n[energy]\nkinetic = \"y'^2\"\n"), 0);
    expect("\"line\": 4");
    expect("\"column\": 12");
    expect("\"length\": 1");
    assert_int_not_equal(lab_run(), 0); /* nothing is open */
    expect("no model is open");
}

static void lab_runs_with_options(void **state)
{
    (void)state;
    const char *const words[] = {"model",    "--set",   "k=1",      "--until", "3",
                                 "--scheme", "lobatto", oscillator, NULL};
    assert_int_equal(open_words(words), 0);
    told = 0;
    assert_int_equal(lab_run(), 0);
    expect("\"scheme\":\"lobatto\"");
    expect("\"until\":3");
    expect("--set k=1");
    expect("\"certificate\":[");
    assert_int_equal(lab_run(), 0); /* and once more */
    expect("\"until\":3");
}

static void lab_refuses_what_no_run_takes(void **state)
{
    (void)state;
    const char *const scheme[] = {"model", "--scheme", "ratle", oscillator, NULL};
    assert_int_equal(open_words(scheme), 0);
    assert_int_not_equal(lab_run(), 0);
    expect("ratle");
    expect("did you mean 'rattle'?");
    const char *const option[] = {"model", "--nonsense", oscillator, NULL};
    assert_int_not_equal(open_words(option), 0);
    expect("nonsense");
    const char *const name[] = {"model", "--set", "kk=1", oscillator, NULL};
    assert_int_not_equal(open_words(name), 0);
    expect("kk");
}

/* A run that stops on its way has data, and they say why. */
static void lab_shows_a_run_that_fails(void **state)
{
    (void)state;
    static const char falls[] =
        "[coordinates]\nx = { value = 1, velocity = -3 }\n[energy]\n"
        "kinetic = \"x'^2/2\"\npotential = \"sqrt(x)\"\n"
        "[run]\nscheme = \"rattle\"\nstep = 0.01\nuntil = 9\n";
    assert_int_equal(open_text(falls), 0);
    assert_int_equal(lab_run(), 0);
    expect("\"failure\":\"");
}

static void lab_says_which_schemes_fit(void **state)
{
    (void)state;
    assert_int_equal(open_text(oscillator), 0);
    assert_int_equal(lab_check(), 0);
    expect("\"check\": {");
    expect("\"suggested_step\"");
    expect("\"refused\": [");
    expect("\"name\": \"bs99\"");
    expect("\"reason\": \"");
}

static void lab_measures_certificates(void **state)
{
    (void)state;
    assert_int_equal(open_text(oscillator), 0);
    told = 0;
    assert_int_equal(lab_verify(), 0);
    expect("\"property\":\"symplecticity\"");
    expect("\"convergence\":{");
    assert_null(strstr(lab_result(), "\"broken\""));
    assert_true(told > 2);
}

static void lab_takes_any_request(void **state)
{
    (void)state;
    assert_int_not_equal(open_words((const char *const[]){"", NULL}), 0);
    assert_int_not_equal(open_text(""), 0);
    assert_int_not_equal(open_words((const char *const[]){"a", "b", oscillator, NULL}),
                         0);
    lab_close();
    assert_int_not_equal(lab_open(0), 0);
    assert_int_not_equal(lab_check(), 0);
    assert_int_not_equal(lab_verify(), 0);
    lab_close();
    assert_int_equal(lab_result_size(), 0);
}

static int close_lab(void **state)
{
    (void)state;
    lab_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lab_says_what_a_model_is),
        cmocka_unit_test(lab_says_where_a_model_is_wrong),
        cmocka_unit_test(lab_runs_with_options),
        cmocka_unit_test(lab_refuses_what_no_run_takes),
        cmocka_unit_test(lab_shows_a_run_that_fails),
        cmocka_unit_test(lab_says_which_schemes_fit),
        cmocka_unit_test(lab_measures_certificates),
        cmocka_unit_test(lab_takes_any_request),
    };
    return cmocka_run_group_tests(tests, NULL, close_lab);
}
