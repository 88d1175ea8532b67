#include "base/text.h"
#include "deny.h"
#include "formula.h"
#include "random_text.h"

#include <stdlib.h>

/* ---- trees as texts ---------------------------------------------------------------- */

static void write_children(lv_text *out, const lv_syntax *part, bool signs);

/* Every operation in parentheses, operator first: (+ x -y) is x - y. */
static void write_tree(lv_text *out, const lv_syntax *part)
{
    static const char *const heads[] = {
        [LV_SYNTAX_NEGATE] = "neg",   [LV_SYNTAX_SUM] = "+",
        [LV_SYNTAX_PRODUCT] = "*",    [LV_SYNTAX_POWER] = "^",
        [LV_SYNTAX_COMPARE] = "",     [LV_SYNTAX_PRIME] = "'",
        [LV_SYNTAX_INDEX] = "index",  [LV_SYNTAX_VECTOR] = "vec",
        [LV_SYNTAX_SERIES] = "series"};
    char buffer[LV_NUMBER_SIZE];
    bool signs = part->kind == LV_SYNTAX_SUM || part->kind == LV_SYNTAX_PRODUCT;
    if (part->kind == LV_SYNTAX_NUMBER) {
        lv_text_append(out, "%s", lv_number_format(part->number, buffer));
    } else if (part->kind == LV_SYNTAX_NAME && part->count == 0) {
        char name[LV_SYNTAX_NAME_SIZE];
        lv_text_append(out, "%s", lv_syntax_name(part, name));
    } else if (part->kind == LV_SYNTAX_NAME || part->kind == LV_SYNTAX_CALL) {
        bool call = part->kind == LV_SYNTAX_CALL;
        lv_text_append(out, "(%s%s%s%s", part->name, call ? "" : "_",
                       part->member ? "." : "", part->member ? part->member : "");
        write_children(out, part, false);
    } else {
        lv_text_append(out, "(%s", heads[part->kind]);
        if (part->kind == LV_SYNTAX_COMPARE)
            lv_text_append(out, "%c", part->sign);
        write_children(out, part, signs);
    }
}

static void write_children(lv_text *out, const lv_syntax *part, bool signs)
{
    int count = 0;
    for (const lv_syntax *child = part->first; child; child = child->next, count++) {
        lv_text_append(out, " ");
        if (signs && (child->sign == '-' || child->sign == '/'))
            lv_text_append(out, "%c", child->sign);
        write_tree(out, child);
    }
    lv_text_append(out, ")");
    assert_int_equal(count, part->count);
}

/* The tree of a correct text; the caller frees it. */
static lv_text tree_of(const char *text)
{
    formula_test f = {.graph = NULL};
    lv_text out = {0};
    lv_error err;
    if (formula_parse(&f, text, &err) != LV_OK)
        fail_msg("\"%s\": %s", text, err.text);
    write_tree(&out, f.formula.root);
    assert_false(out.failed);
    formula_done(&f);
    return out;
}

static void precedence_is_that_of_mathematics(void **state)
{
    (void)state;
    static const struct expected {
        const char *text, *tree;
    } expected[] = {
        {"x", "x"},
        {"-x^2", "(neg (^ x 2))"},
        {"2^-1", "(^ 2 (neg 1))"},
        {"2^-x^2", "(^ 2 (neg (^ x 2)))"},
        {"a^b^c", "(^ a (^ b c))"},
        {"(a^b)^c", "(^ (^ a b) c)"},
        {"a-b-c", "(+ a -b -c)"},
        {"a-(b-c)", "(+ a -(+ b -c))"},
        {"a/b/c", "(* a /b /c)"},
        {"a/b*c", "(* a /b c)"},
        {"a/(b*c)", "(* a /(* b c))"},
        {"a+b*c^d", "(+ a (* b (^ c d)))"},
        {"a*b+c*d", "(+ (* a b) (* c d))"},
        {"-a*b", "(* (neg a) b)"},
        {"a*-b", "(* a (neg b))"},
        {"a--b", "(+ a -(neg b))"},
        {"a-+-b", "(+ a -(neg b))"},
        {"--a", "(neg (neg a))"},
        {"+a", "a"},
        {"+ +a^2", "(^ a 2)"},
        {"a/-b^2", "(* a /(neg (^ b 2)))"},
        {"x'^2", "(^ (' x) 2)"},
        {"-x'", "(neg (' x))"},
        {"(x*y)'", "(' (* x y))"},
        {"a[1]'[2]", "(index (' (index a 1)) 2)"},
        {"a[i-1]^2", "(^ (index a (+ i -1)) 2)"},
        {"[x, y+1][2]", "(index (vec x (+ y 1)) 2)"},
        {"q_{i-1}'", "(' (q_ (+ i -1)))"},
        {"q_{q_{1}}", "(q_ (q_ 1))"},
        {"top.e1", "top.e1"},
        {"top_1.e1'[2]", "(index (' top_1.e1) 2)"},
        {"rod_{i-1}.e1'", "(' (rod_.e1 (+ i -1)))"},
        {"2.e1*x", "(* 20 x)"},
        {"1.+x", "(+ 1 x)"},
        {"x+.5", "(+ x 0.5)"},
        {"a.b+.5", "(+ a.b 0.5)"},
        {"sum(i = 1..N, x_i)", "(series 1 N x_i)"},
        {"2*sum( i=a.b..2.+1 , sum(v))", "(* 2 (series a.b (+ 2 1) (sum v)))"},
        {"sum(i == 1, x)", "(sum (= i 1) x)"},
        {"f(a.b, c)", "(f a.b c)"},
        {"q_1", "q_1"},
        {"long_name_{2}", "(long_name_ 2)"},
        {"f(x, y)^2", "(^ (f x y) 2)"},
        {"f ()", "(f)"},
        {"[]", "(vec)"},
        {"f(x)[1]", "(index (f x) 1)"},
        {"x+1<y*2", "(< (+ x 1) (* y 2))"},
        {"x<=y", "(l x y)"},
        {"x>=y", "(g x y)"},
        {"x==-y", "(= x (neg y))"},
        {"x!=y", "(! x y)"},
        {"if((x>y), 1, 2)", "(if (> x y) 1 2)"},
        {" x\n+\t1\r\n", "(+ x 1)"},
        {".5+1.", "(+ 0.5 1)"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        lv_text tree = tree_of(expected[i].text);
        assert_string_equal(tree.data, expected[i].tree);
        lv_text_done(&tree);
    }
}

/* ---- places ------------------------------------------------------------------------ */

/* All parts in order, each as the text it covers. */
static void write_places(lv_text *out, const lv_syntax *part, const char *text)
{
    lv_text_append(out, "%s<%.*s>", out->count > 0 ? " " : "", part->length,
                   text + part->start);
    for (const lv_syntax *child = part->first; child; child = child->next)
        write_places(out, child, text);
}

static void parts_cover_their_text(void **state)
{
    (void)state;
    static const struct expected {
        const char *text, *places;
    } expected[] = {
        {" x + y ", "<x + y> <x> <y>"},
        {"- x^2", "<- x^2> <x^2> <x> <2>"},
        {"+ x*y", "<+ x*y> <+ x> <y>"},
        {"( x + y )*2", "<( x + y )*2> <( x + y )> <x> <y> <2>"},
        {"f( x, y ) + 1", "<f( x, y ) + 1> <f( x, y )> <x> <y> <1>"},
        {"a[ 1 ]'", "<a[ 1 ]'> <a[ 1 ]> <a> <1>"},
        {"q_{i-1}*2", "<q_{i-1}*2> <q_{i-1}> <i-1> <i> <1> <2>"},
        {"[x , y]", "<[x , y]> <x> <y>"},
        {"if( x < y , 1, 2)", "<if( x < y , 1, 2)> <x < y> <x> <y> <1> <2>"},
        {"2^-x ", "<2^-x> <2> <-x> <x>"},
        {"((x))", "<((x))>"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        formula_test f = {.graph = NULL};
        lv_text out = {0};
        assert_int_equal(formula_parse(&f, expected[i].text, NULL), LV_OK);
        write_places(&out, f.formula.root, expected[i].text);
        assert_string_equal(out.data, expected[i].places);
        lv_text_done(&out);
        formula_done(&f);
    }
}

/* ---- limits ------------------------------------------------------------------------ */

/* open^n middle close^n, in new memory */
static char *nested(const char *open, const char *middle, const char *close, int n)
{
    lv_text out = {0};
    for (int i = 0; i < n; i++)
        lv_text_append(&out, "%s", open);
    lv_text_append(&out, "%s", middle);
    for (int i = 0; i < n; i++)
        lv_text_append(&out, "%s", close);
    assert_false(out.failed);
    return out.data;
}

static lv_status parse_nested(const char *open, const char *close, int n, lv_error *err)
{
    formula_test f = {.graph = NULL};
    char *text = nested(open, "x", close, n);
    lv_status status = formula_parse(&f, text, err);
    formula_done(&f);
    lv_text_done(&(lv_text){.data = text});
    return status;
}

static void nesting_is_limited(void **state)
{
    (void)state;
    static const struct way {
        const char *open, *close;
    } ways[] = {{"(", ")"}, {"-", ""},   {"+", ""},    {"f(", ")"},  {"[", "]"},
                {"2^", ""}, {"a[", "]"}, {"q_{", "}"}, {"1*(", ")"}, {"f(x<", ")"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        lv_error err;
        const int most = LV_FORMULA_DEPTH - 1;
        const char *open = ways[i].open, *close = ways[i].close;
        assert_int_equal(parse_nested(open, close, most, &err), LV_OK);
        assert_int_equal(parse_nested(open, close, most + 1, &err), LV_ERR_LIMIT);
        assert_string_equal(err.text, "this formula is nested more than 200 levels deep");
        int length = (int)strlen(open);
        assert_in_range(err.column, most * length + 1, (most + 1) * length + 1);
        assert_int_equal(parse_nested(open, close, 100000, &err), LV_ERR_LIMIT);
    }
}

static void primes_and_indices_in_a_row_are_limited(void **state)
{
    (void)state;
    lv_error err;
    assert_int_equal(parse_nested("", "'", LV_FORMULA_DEPTH - 1, &err), LV_OK);
    assert_int_equal(parse_nested("", "'", LV_FORMULA_DEPTH, &err), LV_ERR_LIMIT);
    assert_string_equal(err.text, "this formula is nested more than 200 levels deep");
    assert_int_equal(err.column, LV_FORMULA_DEPTH + 1);
    assert_int_equal(parse_nested("", "[1]", 100000, &err), LV_ERR_LIMIT);
}

static void wide_formulas_are_not_deep(void **state)
{
    (void)state;
    static const struct wide {
        const char *open, *close;
        lv_syntax_kind kind;
    } wides[] = {{"x+", "", LV_SYNTAX_SUM},
                 {"x/", "", LV_SYNTAX_PRODUCT},
                 {"[x", ",1", LV_SYNTAX_VECTOR},
                 {"f(x", ",1", LV_SYNTAX_CALL}};
    enum { COUNT = 30000 };
    for (size_t i = 0; i < sizeof wides / sizeof *wides; i++) {
        const struct wide *w = &wides[i];
        formula_test f = {.graph = NULL};
        bool list = w->kind == LV_SYNTAX_VECTOR || w->kind == LV_SYNTAX_CALL;
        char *middle =
            list ? nested("", w->open, w->close, COUNT) : nested(w->open, "x", "", COUNT);
        char *text = nested("", middle, w->kind == LV_SYNTAX_VECTOR ? "]" : ")", list);
        assert_int_equal(formula_parse(&f, text, NULL), LV_OK);
        assert_int_equal(f.formula.root->kind, w->kind);
        assert_int_equal(f.formula.root->count, COUNT + 1);
        formula_done(&f);
        lv_text_done(&(lv_text){.data = middle});
        lv_text_done(&(lv_text){.data = text});
    }
}

static void length_is_limited(void **state)
{
    (void)state;
    formula_test f = {.graph = NULL};
    lv_error err;
    char *text = malloc(LV_FORMULA_LENGTH + 2);
    assert_non_null(text);
    memset(text, ' ', LV_FORMULA_LENGTH + 1);
    text[0] = 'x';
    text[LV_FORMULA_LENGTH] = '\0';
    assert_int_equal(formula_parse(&f, text, &err), LV_OK);
    text[LV_FORMULA_LENGTH] = ' ';
    text[LV_FORMULA_LENGTH + 1] = '\0';
    assert_int_equal(formula_parse(&f, text, &err), LV_ERR_LIMIT);
    assert_string_equal(err.text, "this formula is longer than 1048576 bytes");
    assert_int_equal(err.column, 1);
    formula_done(&f);
    free(text);
}

/* ---- errors ------------------------------------------------------------------------ */

#define FOUND_END ", found the end of the formula"
#define OPERAND "expected a number, a name or '('"
#define OPERATOR "expected an operator or the end of the formula"
#define PRODUCT "products need a sign: write a*b, not a b"
#define COMMA "a vector is written in brackets: [a, b, c]; decimals have a point: 0.5"

static const complaint complaints[] = {
    {"", LV_ERR_SYNTAX, 1, 1, "the formula is empty", NULL},
    {" \t ", LV_ERR_SYNTAX, 1, 3, "the formula is empty", NULL},
    {"x +", LV_ERR_SYNTAX, 4, 1, OPERAND FOUND_END, NULL},
    {"x + ", LV_ERR_SYNTAX, 5, 1, OPERAND FOUND_END, NULL},
    {"--", LV_ERR_SYNTAX, 3, 1, OPERAND FOUND_END, NULL},
    {"x + * y", LV_ERR_SYNTAX, 5, 1, OPERAND ", found '*'", NULL},
    {"x^*2", LV_ERR_SYNTAX, 3, 1, OPERAND ", found '*'", NULL},
    {"x <= ", LV_ERR_SYNTAX, 6, 1, OPERAND FOUND_END, NULL},
    {"x <> y", LV_ERR_SYNTAX, 4, 1, OPERAND ", found '>'", NULL},
    {"<= x", LV_ERR_SYNTAX, 1, 2, OPERAND ", found '<='", NULL},
    {"'x", LV_ERR_SYNTAX, 1, 1, OPERAND ", found '''", NULL},
    {"{x}", LV_ERR_SYNTAX, 1, 1, OPERAND ", found '{'", NULL},
    {"(x", LV_ERR_SYNTAX, 3, 1, "expected ')'" FOUND_END, NULL},
    {"(x]", LV_ERR_SYNTAX, 3, 1, "expected ')', found ']'", NULL},
    {"(x, y)", LV_ERR_SYNTAX, 3, 1, "expected ')', found ','", NULL},
    {"x)", LV_ERR_SYNTAX, 2, 1, OPERATOR ", found ')'",
     "nothing is open that ')' could close"},
    {"x]", LV_ERR_SYNTAX, 2, 1, OPERATOR ", found ']'",
     "nothing is open that ']' could close"},
    {"x}", LV_ERR_SYNTAX, 2, 1, OPERATOR ", found '}'",
     "nothing is open that '}' could close"},
    {"x, y", LV_ERR_SYNTAX, 2, 1, OPERATOR ", found ','", COMMA},
    {"1,5", LV_ERR_SYNTAX, 2, 1, OPERATOR ", found ','", COMMA},
    {"x y", LV_ERR_SYNTAX, 3, 1, OPERATOR ", found 'y'", PRODUCT},
    {"x'y", LV_ERR_SYNTAX, 3, 1, OPERATOR ", found 'y'", PRODUCT},
    {"x long_name", LV_ERR_SYNTAX, 3, 9, OPERATOR ", found 'long_name'", PRODUCT},
    {"2 3.5", LV_ERR_SYNTAX, 3, 3, OPERATOR ", found '3.5'", PRODUCT},
    {"2(x)", LV_ERR_SYNTAX, 2, 1, OPERATOR ", found '('", PRODUCT},
    {"q_{1}(x)", LV_ERR_SYNTAX, 6, 1, OPERATOR ", found '('", PRODUCT},
    {"q_ {1}", LV_ERR_SYNTAX, 4, 1, OPERATOR ", found '{'", NULL},
    {"q{1}", LV_ERR_SYNTAX, 2, 1, OPERATOR ", found '{'", NULL},
    {"x < y < z", LV_ERR_SYNTAX, 7, 1, "expected one comparison, found '<'",
     "nest conditions: if(0 < x, if(x < 1, a, b), b)"},
    {"if(x < y == z, 1, 2)", LV_ERR_SYNTAX, 10, 2, "expected one comparison, found '=='",
     "nest conditions: if(0 < x, if(x < 1, a, b), b)"},
    {"1.2.3", LV_ERR_SYNTAX, 4, 2, OPERATOR ", found '.3'", NULL},
    {"x y123456789012345678901234567890123456789012345678901234567890", LV_ERR_SYNTAX, 3,
     61, OPERATOR ", found 'y1234567890123456789012345678901234567890123456789'",
     PRODUCT},
    {"q_{1", LV_ERR_SYNTAX, 5, 1, "expected '}' after the index" FOUND_END, NULL},
    {"q_{1, 2}", LV_ERR_SYNTAX, 5, 1, "expected '}' after the index, found ','", NULL},
    {"q_{}", LV_ERR_SYNTAX, 4, 1, OPERAND ", found '}'", NULL},
    {"a[1", LV_ERR_SYNTAX, 4, 1, "expected ']' after the index" FOUND_END, NULL},
    {"a[1, 2]", LV_ERR_SYNTAX, 4, 1, "expected ']' after the index, found ','", NULL},
    {"a[x < 2]", LV_ERR_SYNTAX, 5, 1, "expected ']' after the index, found '<'", NULL},
    {"a[]", LV_ERR_SYNTAX, 3, 1, OPERAND ", found ']'", NULL},
    {"[x, y", LV_ERR_SYNTAX, 6, 1, "expected ',' or ']' in the vector" FOUND_END, NULL},
    {"[x y]", LV_ERR_SYNTAX, 4, 1, "expected ',' or ']' in the vector, found 'y'", NULL},
    {"[x, ]", LV_ERR_SYNTAX, 5, 1, OPERAND ", found ']'", NULL},
    {"sin(x", LV_ERR_SYNTAX, 6, 1,
     "expected ',' or ')' in the list of arguments" FOUND_END, NULL},
    {"sin(x y)", LV_ERR_SYNTAX, 7, 1,
     "expected ',' or ')' in the list of arguments, found 'y'", NULL},
    {"sin(x,)", LV_ERR_SYNTAX, 7, 1, OPERAND ", found ')'", NULL},
    {"sin(,x)", LV_ERR_SYNTAX, 5, 1, OPERAND ", found ','", NULL},
    {"x + 2y", LV_ERR_SYNTAX, 6, 1, "a number runs into a name",
     "products need a sign: write 2*x, not 2x"},
    {"x ** 2", LV_ERR_SYNTAX, 3, 2, "this sign has no meaning in a formula",
     "powers are written with ^: x^2"},
};

static void wrong_formulas_are_refused_at_their_place(void **state)
{
    (void)state;
    expect_complaints(complaints, sizeof complaints / sizeof *complaints);
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    const lv_source source = {"f", "x", 1};
    const lv_snippet snippet = {.text = "x", .length = 1, .source = &source};
    const lv_syntax part = {.kind = LV_SYNTAX_NAME, .start = 0, .length = 1};
    char *name = nested("n", "", "", 2000);
    lv_error err;
    assert_int_equal(lv_formula_fail(&err, LV_ERR_MODEL, &snippet, &part, "no %s", name),
                     LV_ERR_MODEL);
    assert_true(strlen(err.text) < sizeof err.text);
    assert_memory_equal(err.text, "no nnnn", 7);
    lv_text_done(&(lv_text){.data = name});
}

/* ---- random texts ------------------------------------------------------------------ */

/* Cut and shuffled formulas parse or are refused, and what is refused has a place. */
static void mutilated_formulas_do_no_harm(void **state)
{
    (void)state;
    static text_writer w;
    formula_point point;
    int accepted = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        formula_test f = {.graph = NULL};
        lv_error err;
        text_point(&point, seed);
        w = (text_writer){.state = seed, .point = &point};
        (void)text_sum(&w, 2);
        w.text[w.length] = '\0';
        for (int k = 1 + text_choose(&w, 3); k > 0 && w.length > 0; k--)
            w.text[text_choose(&w, w.length)] =
                "x1.e+-*/^()[]{},'<>=!_ "[text_choose(&w, 23)];
        lv_status status = formula_parse(&f, w.text, &err);
        accepted += status == LV_OK;
        assert_true(status == LV_OK || (status == LV_ERR_SYNTAX && err.line > 0));
        formula_done(&f);
    }
    assert_in_range(accepted, 100, 3900);
}

static lv_status parse_it(void *user, lv_error *err)
{
    formula_test f = {.graph = NULL};
    lv_status status = formula_parse(&f, user, err);
    formula_done(&f);
    return status;
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    char *digits = nested("1", ".5", "0", 100);
    char *text = nested("-f(x, [y, q_{i-1}'][2]^2 < 2)*", digits, " + 1", 50);
    lv_deny_sweep(parse_it, text);
    lv_text_done(&(lv_text){.data = digits});
    lv_text_done(&(lv_text){.data = text});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(precedence_is_that_of_mathematics),
        RUN(parts_cover_their_text),
        RUN(nesting_is_limited),
        RUN(primes_and_indices_in_a_row_are_limited),
        RUN(wide_formulas_are_not_deep),
        RUN(length_is_limited),
        RUN(wrong_formulas_are_refused_at_their_place),
        RUN(long_messages_are_cut),
        RUN(mutilated_formulas_do_no_harm),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
