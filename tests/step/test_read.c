/* The reader of the step language: what texts become, and what is said of mistakes in them. */
#include "check.h"

#include "step/read.h"

#include <stdio.h>
#include <string.h>

static const double a_values[] = {0, 0, 0.5, 0.5}, b_values[] = {0.5, 0.5}, two = 2;
static const double eye_values[] = {1, 0, 0, 1};
static const lv_coefficient coefficients[] = {{"a", 2, 2, a_values},
                                              {"b", 2, 0, b_values},
                                              {"eye", 2, 2, eye_values},
                                              {"s", 0, 0, &two},
                                              {0}};
static const lv_index_set sets[] = {{'i', 2}, {'j', 2}, {'c', 0}, {0, 0}};
static const char *const facts[] = {"moving", NULL};
static const lv_step_table table = {sets, coefficients, facts};
static const int all_spaces[LV_SPACES] = {3, 3, 3, 2, 1};
static const int no_constraints[LV_SPACES] = {3, 3, 3, 0, 0};

/* The form that was read last. */
static lv_form form;

static int forget_form(void **state)
{
    (void)state;
    lv_form_done(&form);
    form = (lv_form){0};
    return 0;
}

static void read_form(const char *text, const int *sizes)
{
    lv_error err;
    forget_form(NULL);
    if (lv_form_read(&form, text, &table, sizes, &err) != LV_OK)
        fail_msg("%s", err.text);
}

static int number(const char *name, int index)
{
    return lv_form_find(&form, name, index);
}

static const lv_field *field(const char *name, int index)
{
    const int k = number(name, index);
    if (k < 0)
        fail_msg("there is no field %s[%d]", name, index);
    return &form.fields.data[k];
}

/* The coefficient of a field in a sum, 0 where it is not there. */
static double weight(const lv_sum *sum, const char *name, int index, int power)
{
    const int k = number(name, index);
    for (int i = 0; i < sum->count; i++)
        if (sum->data[i].field == k && sum->data[i].power == power)
            return sum->data[i].c;
    return 0;
}

/* ---- mistakes ------------------------------------------------------------------------------------------- */

typedef struct mistake {
    const char *text;
    int line;
    const char *says;
} mistake;

static const mistake mistakes[] = {
    {"carry q point\n", 1, "a statement is expected"},
    {"carried q place\n", 1, "a kind is expected"},
    {"carried q multiplier h\n", 1, "a kind is expected"},
    {"carried q point\nlet x = r\n", 2, "there is no such field"},
    {"carried q point\n\n# nothing\nlet x = 2 r\n", 4, "there is no such field"},
    {"carried q point\nunknown V[i] tangent\nlet x = V[3]\n", 3,
     "there is no such field"},
    {"carried q point\nlet x = b[3] q\n", 2, "no such index"},
    {"carried q point\nlet x = a[1,3] q\n", 2, "no such index"},
    {"carried q point\nlet x = b[k] q\n", 2, "an index is expected"},
    {"carried q point\nlet x = b[1 q\n", 2, "']' is expected"},
    {"carried q point\nlet x = zz[1] q\n", 2, "there is no such field"},
    {"carried q point\nlet x = E(q)\n", 2, "there is no such operator"},
    {"carried q point\nlet x = g(q, q)\n", 2, "has other arguments"},
    {"carried q point\nlet x = g(q\n", 2, "')' is expected"},
    {"carried q point\nlet x = (1 - b[1] q\n", 2, "')' is expected"},
    {"carried q point\nlet x q\n", 2, "'=' is expected"},
    {"carried q point\neq x: q\n", 2, "there is no such unknown"},
    {"unknown x tangent\neq x q\n", 2, "':' is expected"},
    {"carried q point\nassign q = q\n", 2, "'<' is expected"},
    {"carried q point\nassign r <- q\n", 2, "there is no such field"},
    {"carried q point\nwhen moving let x = q\n", 2, "':' is expected"},
    {"carried q point\nlet = q\n", 2, "a name is expected"},
    {"unknown V[i] tangent\nlet X[i] = h V[i] for i = 1.s\n", 2, "'.' is expected"},
    {"carried v tangent\nlet x = v / 2\n", 2, "the end of the line is expected"},
    {"carried v tangent\nlet x = v v\n", 2, "the end of the line is expected"},
    {"carried v tangent w\n", 1, "the end of the line is expected"},
    {"unknown V[i] tangent\neq V[i]: M(V[i]) for i = 2..s\n", 3, "V has no equation"},
    {"carried q point, v tangent\nlet x = q + h\n  v + r\n", 3, "there is no such field"},
};

static void mistakes_have_their_line_and_say_what_is_wrong(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        const mistake *m = &mistakes[k];
        char line[32];
        lv_error err = {0};
        lv_form read = {0};
        const lv_status status = lv_form_read(&read, m->text, &table, all_spaces, &err);
        snprintf(line, sizeof line, "line %d:", m->line);
        if (status != LV_ERR_USAGE || !strstr(err.text, line) ||
            !strstr(err.text, m->says)) {
            print_error("\"%s\": %d, \"%s\"\n", m->text, (int)status, err.text);
            wrong++;
        }
        lv_form_done(&read);
    }
    assert_int_equal(wrong, 0);
}

/* ---- families and sums -------------------------------------------------------------------------------------- */

static void families_have_members_and_sums_run_over_free_letters(void **state)
{
    (void)state;
    read_form("carried q point\n"
              "unknown V[i] tangent\n"
              "eq V[i]: M(V[i])\n"
              "let X[i] = h a[i,j] V[j]\n"
              "let twice = 2 h^2 b[i] a[i,j] V[j]\n"
              "let all = 1/4 eye[i,j] V[i]\n",
              all_spaces);
    assert_int_equal(field("V", 1)->role, LV_FIELD_UNKNOWN);
    assert_int_equal(field("V", 2)->scale, 1);
    assert_int_equal(number("V", 3), -1);
    assert_int_equal(number("V", 0), -1);
    const lv_field *second = field("X", 2);
    assert_int_equal(second->space, LV_SPACE_TANGENT);
    assert_true(weight(&second->sum, "V", 1, 1) == 0.5);
    assert_true(weight(&second->sum, "V", 2, 1) == 0.5);
    const lv_sum *twice = &field("twice", 0)->sum;
    assert_int_equal(twice->count, 2);
    assert_true(weight(twice, "V", 1, 2) == 0.5);
    const lv_sum *all = &field("all", 0)->sum;
    assert_true(weight(all, "V", 2, 0) == 0.25);
}

/* Comments may have signs, indices and the words of statements. */
static void comments_change_nothing(void **state)
{
    (void)state;
    read_form("# let q = 0 + 1\n"
              "carried q point # , r point\n"
              "unknown V[i] tangent # for i = 1..1\n"
              "eq V[i]: M(V[i]) # + q - c[i] for i = 2..2\n"
              "let x = h b[j] V[j] # + h V[j] for j = 1..1\n"
              "  + q # the last",
              all_spaces);
    assert_int_equal(form.fields.count, 4);
    assert_int_equal(field("V", 1)->sum.count, 1);
    const lv_sum *x = &field("x", 0)->sum;
    assert_int_equal(x->count, 3);
    assert_true(weight(x, "V", 2, 1) == 0.5);
    assert_true(weight(x, "q", 0, 0) == 1);
}

static void zero_coefficients_leave_no_terms(void **state)
{
    (void)state;
    read_form("unknown V[i] tangent\n"
              "eq V[i]: M(V[i])\n"
              "let X[i] = h a[i,j] V[j]\n"
              "let Y[i] = h eye[i,j] V[j]\n"
              "let none = V[1] - V[1]\n"
              "let zero = 0\n",
              all_spaces);
    assert_int_equal(field("X", 1)->sum.count, 0);
    assert_int_equal(field("X", 2)->sum.count, 2);
    assert_int_equal(field("Y", 1)->sum.count, 1);
    assert_int_equal(field("none", 0)->sum.count, 0);
    assert_int_equal(field("zero", 0)->sum.count, 0);
}

static void factors_are_multiplied(void **state)
{
    (void)state;
    read_form("carried v tangent\n"
              "let x = (1 - b[1] + 3/4) / 2 h v\n"
              "let y = -1/2 h^3 v + 2 / h v\n"
              "let z = (1 - b[1]) h b[2] v\n",
              all_spaces);
    assert_true(weight(&field("x", 0)->sum, "v", 0, 1) == 0.625);
    assert_true(weight(&field("y", 0)->sum, "v", 0, 3) == -0.5);
    assert_true(weight(&field("y", 0)->sum, "v", 0, -1) == 2);
    assert_true(weight(&field("z", 0)->sum, "v", 0, 1) == 0.25);
}

static void ranges_leave_members_out(void **state)
{
    (void)state;
    read_form("carried q point\n"
              "unknown V[i] tangent\n"
              "eq V[i]: M(V[i])\n"
              "unknown m[i] multiplier g for i = 2..s\n"
              "unknown n[i] multiplier g for i = 1..s-1\n"
              "point Q[i] at b[i] = q + h V[i]\n"
              "eq m[i]: g(Q[i-1]) for i = 2..s\n"
              "eq n[s-1]: g(Q[2])\n",
              all_spaces);
    assert_int_equal(number("m", 1), -1);
    assert_int_equal(number("n", 2), -1);
    assert_true(field("Q", 1)->at == 0.5);
    const lv_field *m = field("m", 2), *n = field("n", 1);
    assert_int_equal(m->scale, 2);
    assert_int_equal(m->sum.count, 1);
    assert_int_equal(form.atoms.data[m->sum.data[0].atom].arg[LV_ARG_Q], number("Q", 1));
    assert_int_equal(form.atoms.data[n->sum.data[0].atom].arg[LV_ARG_Q], number("Q", 2));
}

static void equal_operators_are_one(void **state)
{
    (void)state;
    read_form("carried q point, v tangent\n"
              "let x = F(q, v)\n"
              "let y = 2 F(q, v) + F(q, v)\n",
              all_spaces);
    assert_int_equal(form.atoms.count, 1);
    assert_int_equal(field("y", 0)->sum.count, 1);
    assert_true(field("y", 0)->sum.data[0].c == 3);
    assert_int_equal(field("x", 0)->space, LV_SPACE_MOMENTUM);
}

/* ---- statements that do not count ------------------------------------------------------------------------- */

static void facts_decide_which_statements_count(void **state)
{
    (void)state;
    read_form("carried v tangent\n"
              "when moving: let x = v\n"
              "when not moving: let x = 2 v\n"
              "when resting: let y = v\n"
              "when not resting: when moving: let z = v\n",
              all_spaces);
    assert_true(weight(&field("x", 0)->sum, "v", 0, 0) == 1);
    assert_int_equal(number("y", 0), -1);
    assert_true(number("z", 0) >= 0);
}

static void words_say_when_an_equation_is_asked(void **state)
{
    (void)state;
    read_form("carried q point, v tangent\n"
              "unknown m[i] multiplier g\n"
              "eq m[1]: g(q)\n"
              "eq m[s] once: rate(q, v)\n"
              "unknown s impulse g\n"
              "eq s dependent: rate(q, v)\n"
              "show m[i]\n",
              all_spaces);
    assert_int_equal(field("m", 1)->asked, LV_ASKED_ALWAYS);
    assert_int_equal(field("m", 2)->asked, LV_ASKED_ONCE);
    assert_int_equal(field("s", 0)->asked, LV_ASKED_DEPENDENT);
    assert_true(field("m", 1)->shown);
}

/* Without constraints, statements and terms that need them go. */
static void empty_spaces_take_their_terms_with_them(void **state)
{
    (void)state;
    const char *text = "carried q point, v tangent, l multiplier Phi\n"
                       "unknown m multiplier g\n"
                       "unknown x tangent\n"
                       "let y = 2 m\n"
                       "let W = F(q, v) + GT(q; m) + AT(q, v; l)\n"
                       "eq m: g(q)\n"
                       "eq x: p(q, x) - h W\n"
                       "assign l <- l\n"
                       "assign v <- x\n";
    read_form(text, no_constraints);
    assert_int_equal(field("W", 0)->sum.count, 1);
    assert_int_equal(field("m", 0)->sum.count, 0);
    assert_int_equal(field("y", 0)->space, LV_SPACE_HOLONOMIC);
    assert_int_equal(form.assignments.count, 1);
    read_form(text, all_spaces);
    assert_int_equal(field("W", 0)->sum.count, 3);
    assert_int_equal(form.assignments.count, 2);
}

static void empty_families_have_no_members(void **state)
{
    (void)state;
    read_form("carried v tangent\n"
              "unknown y[c] multiplier g\n"
              "let x = v + GT(v; y[c])\n",
              all_spaces);
    assert_int_equal(form.fields.count, 2);
    assert_int_equal(field("x", 0)->sum.count, 1);
}

/* On plain coordinates groups are translations. */
static void operators_of_groups_are_plain(void **state)
{
    (void)state;
    read_form("carried q point, p momentum, v tangent\n"
              "let X = h v\n"
              "point Q at 1 = move(q, X)\n"
              "let e = D(X, v)\n"
              "let b = B(X, v, p)\n"
              "let S = space(q, p) - body(q, p) + DT(X, p) - 2 DTm(X, p)\n",
              all_spaces);
    const lv_sum *Q = &field("Q", 0)->sum;
    assert_int_equal(Q->count, 2);
    assert_true(weight(Q, "q", 0, 0) == 1 && weight(Q, "X", 0, 0) == 1);
    assert_true(weight(&field("e", 0)->sum, "v", 0, 0) == 1);
    assert_int_equal(field("b", 0)->sum.count, 0);
    assert_true(weight(&field("S", 0)->sum, "p", 0, 0) == -1);
}

static void lines_are_continued_and_comments_left_out(void **state)
{
    (void)state;
    read_form("# a comment\n"
              "carried v tangent   # another one\n"
              "\n"
              "let x = v\n"
              "    + h v  # and one more\n"
              "    - 2 v\n",
              all_spaces);
    const lv_sum *x = &field("x", 0)->sum;
    assert_true(weight(x, "v", 0, 0) == -1 && weight(x, "v", 0, 1) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(mistakes_have_their_line_and_say_what_is_wrong),
        RUN(families_have_members_and_sums_run_over_free_letters),
        RUN(comments_change_nothing),
        RUN(zero_coefficients_leave_no_terms),
        RUN(factors_are_multiplied),
        RUN(ranges_leave_members_out),
        RUN(equal_operators_are_one),
        RUN(facts_decide_which_statements_count),
        RUN(words_say_when_an_equation_is_asked),
        RUN(empty_spaces_take_their_terms_with_them),
        RUN(empty_families_have_no_members),
        RUN(operators_of_groups_are_plain),
        RUN(lines_are_continued_and_comments_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, forget_form);
}
