/* Members: coordinates and definitions with a dot in their name, which only parts can make. This
 * program has a part of its own beside those of livens:
 *
 *     [frames.top]  coordinates top, top.e1, top.e2, top.e3; definitions top.sum, top.moved, top.spin
 *     [dials.d]     definition d.angle alone: the name d means nothing by itself */
#include "reading.h"

#include "part/term.h"

#include <math.h>

/* ---- the parts ----------------------------------------------------------------------- */

static lv_status add(lv_expansion *x, lv_section_id section, const char *member,
                     const lv_entry *family, lv_item *item, lv_error *err)
{
    LV_TRY(lv_term_init(x, item, section, family, err));
    if (member)
        item->name = lv_term_text(x, "%s.%s", x->part->name, member);
    return item->name ? LV_OK : lv_fail_memory(err);
}

static lv_status add_axis(lv_expansion *x, const char *member, const char *value,
                          lv_error *err)
{
    lv_item item;
    LV_TRY(add(x, LV_SECTION_COORDINATES, member, NULL, &item, err));
    LV_TRY(lv_term_write(x, &item, "value", value, NULL, err));
    lv_term_set(&item, "count", lv_item_entry(x->part, "count"));
    return lv_expansion_add(x, item, err);
}

static lv_status add_definition(lv_expansion *x, const char *member, const char *value,
                                const lv_hole *holes, const lv_entry *family,
                                lv_error *err)
{
    lv_item item;
    LV_TRY(add(x, LV_SECTION_DEFINITIONS, member, family, &item, err));
    LV_TRY(lv_term_write(x, &item, "value", value, holes, err));
    return lv_expansion_add(x, item, err);
}

/* i = 1..count */
static lv_status read_family(lv_expansion *x, const lv_entry **family, lv_error *err)
{
    const lv_entry *count = lv_item_entry(x->part, "count");
    lv_entry *entry = lv_arena_alloc(x->arena, 1, sizeof *entry);
    lv_range *range = lv_arena_alloc(x->arena, 1, sizeof *range);
    if (!entry || !range)
        return lv_fail_memory(err);
    *family = NULL;
    if (!count)
        return LV_OK;
    *range = (lv_range){.name = "i", .place = count->place, .to = count->formulas[0]};
    *entry = (lv_entry){.place = count->place, .count = 1, .ranges = range};
    *family = entry;
    return lv_term_formula(x, &range->from, "1", NULL, err);
}

static lv_status expand_frame(lv_expansion *x, const lv_item *part, lv_error *err)
{
    enum { X, E1, E2, E3, END };
    static const char *const members[] = {"", ".e1", ".e2", ".e3"};
    static const char *const names[] = {"x", "a", "b", "c"};
    lv_hole holes[END + 1] = {{0}};
    const lv_entry *family = NULL;
    lv_item item;
    LV_TRY(read_family(x, &family, err));
    for (int k = 0; k < END; k++) {
        const char *text =
            lv_term_text(x, family ? "%s_{i}%s" : "%s%s", part->name, members[k]);
        holes[k] = (lv_hole){.name = names[k]};
        LV_TRY(text ? lv_term_formula(x, &holes[k].formula, text, NULL, err)
                    : lv_fail_memory(err));
    }
    LV_TRY(lv_term_init(x, &item, LV_SECTION_COORDINATES, NULL, err));
    lv_term_set(&item, "value", lv_item_entry(part, "position"));
    lv_term_set(&item, "count", lv_item_entry(part, "count"));
    LV_TRY(lv_expansion_add(x, item, err));
    LV_TRY(add_axis(x, "e1", "[0, 1, 0]", err));
    LV_TRY(add_axis(x, "e2", "[-1, 0, 0]", err));
    LV_TRY(add_axis(x, "e3", "[0, 0, 1]", err));
    LV_TRY(add_definition(x, "sum", "a + 2*b", holes, family, err));
    LV_TRY(add_definition(x, "moved", "x - start(x)", holes, family, err));
    LV_TRY(add_definition(x, "spin", "dot(b, a')", holes, family, err));
    LV_TRY(lv_term_init(x, &item, LV_SECTION_ENERGY, family, err));
    LV_TRY(lv_term_write(x, &item, "kinetic",
                         "(norm2(x') + norm2(a') + norm2(b') + norm2(c'))/2", holes,
                         err));
    return lv_expansion_add(x, item, err);
}

static lv_status expand_dial(lv_expansion *x, const lv_item *part, lv_error *err)
{
    lv_hole holes[2] = {{0}};
    lv_hole places[3] = {{0}};
    LV_TRY(lv_hole_key(x, &holes[0], "of", err));
    if (lv_item_entry(part, "frame")) {
        LV_TRY(lv_hole_key(x, &places[0], "frame", err));
        LV_TRY(lv_hole_key(x, &places[1], "of", err));
        LV_TRY(add_definition(x, "at", "point(frame, of)", places, NULL, err));
        LV_TRY(add_definition(x, "still", "start(point(frame, of))", places, NULL, err));
        LV_TRY(add_definition(x, "back", "local(frame, direction(frame, of))", places,
                              NULL, err));
    }
    LV_TRY(add_definition(x, "start", "start(of)", holes, NULL, err));
    return add_definition(x, "angle", "2*of", holes, NULL, err);
}

static const lv_key frame_keys[] = {
    {"position", LV_KEY_VALUE, true, false, 0, 0, NULL, NULL, ""},
    {"count", LV_KEY_FORMULA, false, true, 0, 1000, NULL, NULL, ""},
    {0},
};

static const lv_key dial_keys[] = {
    {"of", LV_KEY_VALUE, true, false, 0, 0, NULL, NULL, ""},
    {"frame", LV_KEY_FORMULA, false, false, 0, 0, NULL, NULL, ""},
    {0},
};

static const lv_part frames = {
    .section = {"frames", "frame", LV_SHAPE_NAMED_TABLES, frame_keys, "", ""},
    .expand = expand_frame,
};

static const lv_part dials = {
    .section = {"dials", "dial", LV_SHAPE_NAMED_TABLES, dial_keys, "", ""},
    .expand = expand_dial,
};

#define LV_X(id) extern const lv_part id;
#include "part/list.h"
#undef LV_X

const lv_part *const lv_part_table[] = {
#define LV_X(id) &id,
#include "part/list.h"
#undef LV_X
    &frames,
    &dials,
    NULL,
};

/* ---- tests --------------------------------------------------------------------------- */

static const char one[] = "[parameters]\nm = 2\n"
                          "[frames.top]\nposition = [1, 2, 3]\n"
                          "[frames.rod]\ncount = 3\nposition = [\"i\", \"i^2\", 0]\n"
                          "[dials.hand]\nof = [1, 2, 3]\nframe = \"rod_{1+1}\"\n"
                          "[dials.post]\nof = [1, 2]\nframe = \"ground\"\n"
                          "[dials.d]\nof = \"top.e1 + rod_2.e2 + rod_3\"\n";

/* The value of a scalar formula at the start, which stands as a potential energy. */
static double value_of(const char *formula)
{
    char text[2000];
    snprintf(text, sizeof text, "%s[energy.wanted]\npotential = \"%s\"\n", one, formula);
    inspected i = inspect_text(text);
    const double value = i.at->potential;
    inspected_free(&i);
    return value;
}

static void members_are_coordinates_and_definitions(void **state)
{
    static const struct expected {
        const char *formula;
        double value;
    } expected[] = {
        {"top.e1[2] + 10*top.e2[1]", 1 - 10},
        {"rod_2[2] + rod_{1+2}[1]", 4 + 3},
        {"rod_2.e1[2] + 3*rod_{1+2}.e3[3]", 1 + 3},
        {"top.sum[1] + 10*top.sum[2]", -2 + 10},
        {"rod_2.sum[1] + rod_m.sum[1]", -4},
        {"dot(top.moved, [1, 1, 1]) + norm2(rod_3.moved)", 0},
        {"(top.e1 + top)[2]", 3},
        {"point(top, [1, 0, 0])[2] + 10*point(top, [0, 0, 4])[3]", 3 + 70},
        {"dot(point(top, [1, 2, 3]) - point(top, [0, 0, 0]), [1, 10, 100])",
         -2 + 10 + 300},
        {"dot(direction(top, [1, 2, 3]), [1, 10, 100])", -2 + 10 + 300},
        {"dot(local(top, [1, 2, 3]), [1, 10, 100])", 2 - 10 + 300},
        {"dot(local(top, direction(top, [4, 5, 6])), [1, 10, 100])", 4 + 50 + 600},
        {"point(rod_2, [1, 0, 0])[2] + point(rod_{2+1}, [1, 0, 0])[1]", 5 + 3},
        {"direction(rod_m, [0, 1, 0])[1]", -1},
        {"point(ground, [1, 2])[2] + local(ground, [3])[1] + direction(ground, "
         "[1,2,3,4])[4]",
         2 + 3 + 4},
        {"dot(hand.at, [1, 10, 100])", 2 - 2 + 10 * (4 + 1) + 300},
        {"dot(hand.still, [1, 10, 100])", 2 - 2 + 10 * (4 + 1) + 300},
        {"dot(hand.back, [1, 10, 100])", 1 + 20 + 300},
        {"post.at[2] + post.still[1] + post.back[1]", 2 + 1 + 1},
        {"d.angle[1]", 2 * (0 - 1 + 3)},
        {"d.start[2] + d.start[1]", 1 + 0 + 9 + 0 - 1 + 3},
        {"dot(d.start, [0, 0, 1])", 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        if (fabs(value_of(expected[k].formula) - expected[k].value) > 1e-14)
            fail_msg("%s is %g, not %g", expected[k].formula,
                     value_of(expected[k].formula), expected[k].value);
}

/* start(f) of a family takes the start value of the member of each instance. */
static void values_at_the_start_are_those_of_the_member(void **state)
{
    (void)state;
    inspected i = inspect_text(
        "[frames.rod]\ncount = 3\nposition = [\"i\", \"i^2\", 0]\n"
        "[coordinates]\nq = { count = 3, value = 0 }\n"
        "[definitions]\nfar = { for = \"k = 2..3\", value = \"rod_k - rod_{k-1}\" }\n"
        "[energy.q]\nfor = \"i = 1..3\"\nkinetic = \"q_i'^2\"\n"
        "[energy.v]\nfor = \"j = 2..3\"\npotential = \"far_j[2]*far_j[1]^2 + "
        "10*rod_j.moved[1]\"\n");
    assert_float_equal(i.at->potential, 3 + 5, 1e-14);
    inspected_free(&i);
}

static void members_of_families_have_the_index_before_the_dot(void **state)
{
    lv_model *model = read_text(one);
    char name[100];
    (void)state;
    assert_string_equal(lv_model_coordinate_name(model, 4, name, sizeof name),
                        "top.e1[2]");
    assert_string_equal(lv_model_coordinate_name(model, 12, name, sizeof name),
                        "rod_1[1]");
    assert_string_equal(lv_model_coordinate_name(model, 12 + 9 + 5, name, sizeof name),
                        "rod_2.e1[3]");
    lv_model_free(model);
}

static void velocities_of_members_are_velocities(void **state)
{
    (void)state;
    char text[2000];
    snprintf(text, sizeof text,
             "%s[constraints.c]\nnonholonomic = \"top.spin + rod_1.e1'[1]\"\n"
             "[constraints.d]\nfor = \"i = 2..3\"\n"
             "holonomic = \"rod_i.e1 - rod_{i-1}.e1\"\n",
             one);
    inspected i = inspect_text(text);
    assert_int_equal(i.at->coordinates, 48);
    inspected_free(&i);
}

static void wrong_members_get_their_messages(void **state)
{
    static const struct wrong {
        const char *formula, *text, *hint, *note;
    } wrongs[] = {
        {"top.e4[1]", "'top' has no member 'e4'; it has e1, e2, e3, sum, moved, spin",
         "did you mean 'top.e1'?", ""},
        {"top.om", "'top' has no member 'om'; it has e1, e2, e3, sum, moved, spin", "",
         ""},
        {"rod_2.spinn",
         "'rod' has no member 'spinn'; it has e1, e2, e3, sum, moved, spin",
         "did you mean 'rod_2.spin'?", ""},
        {"rod_{1+1}.x", "'rod' has no member 'x'; it has e1, e2, e3, sum, moved, spin",
         "", ""},
        {"rod.e1[1]", "'rod.e1' is a family; say which member is meant",
         "rod_1.e1 is the first, rod_i.e1 the one of index i (with for = \"i = 1..N\")",
         ""},
        {"rod.sum[1]", "'rod.sum' is a family; say which member is meant",
         "rod_1.sum is the first, rod_i.sum the one of index i (with for = \"i = 1..N\")",
         ""},
        {"rod_k.e1[1]", "'k' is neither a number, nor an index, nor a scalar parameter",
         "an index is declared by the term that uses it: for = \"k = 1..N\"", ""},
        {"rod_4.e1[1]", "there is no rod_4.e1: the members are rod_1.e1 to rod_3.e1", "",
         ""},
        {"rod_{m+2}.sum[1]",
         "there is no rod_4.sum: the members are rod_1.sum to rod_3.sum", "", ""},
        {"rod_0.sum[1]", "there is no rod_0.sum: the members are rod_1.sum to rod_3.sum",
         "", ""},
        {"top_1.e1[1]", "'top' is not a family", "its member is top.e1", ""},
        {"top_{1}.e1[1]", "'top.e1' is not a family",
         "a family has a count: top = { count = 3, value = 0 }; components of a vector "
         "are "
         "written top[1]",
         ""},
        {"m.e1", "'m' has no members",
         "bodies and joints that turn or slide have members; components of a vector are "
         "written x[1]",
         ""},
        {"t.e1", "'t' has no members",
         "bodies and joints that turn or slide have members; components of a vector are "
         "written x[1]",
         ""},
        {"d", "'d' is no quantity by itself",
         "write d.NAME with one of its members: start, angle", ""},
        {"d.angel[1]", "'d' has no member 'angel'; it has start, angle",
         "did you mean 'd.angle'?", ""},
        {"point(m, [1, 0, 0])[1]", "'m' is not a body",
         "point(B, s): B is a body of [bodies], or ground", ""},
        {"point(2*top, [1, 0, 0])[1]", "point takes the name of a body first",
         "point(B, s): B is a body of [bodies], or ground", ""},
        {"local(top.e1, [1, 0, 0])[1]", "'top.e1' is not a body",
         "local(B, v): B is a body of [bodies], or ground", ""},
        {"direction(d, [1, 0, 0])[1]", "'d' is not a body",
         "direction(B, s): B is a body of [bodies], or ground", ""},
        {"point(nobody, [1, 0, 0])[1]", "'nobody' is not a body",
         "point(B, s): B is a body of [bodies], or ground", ""},
        {"point(top, [1, 0])[1]",
         "point of 'top' takes a vector of length 3, this is a vector of length 2", "",
         ""},
        {"local(top, 1)[1]",
         "local of 'top' takes a vector of length 3, this is a scalar", "", ""},
        {"point(ground, 1)", "point takes a vector here, this is a scalar", "", ""},
        {"point(rod, [1, 0, 0])[1]", "'rod' is a family; say which member is meant",
         "rod_1 is the first, rod_i the one of index i (with for = \"i = 1..N\")", ""},
        {"point(rod_4, [1, 0, 0])[1]",
         "there is no rod_4: the members are rod_1 to rod_3", "", ""},
        {"point(rod_k, [1, 0, 0])[1]",
         "'k' is neither a number, nor an index, nor a scalar parameter",
         "an index is declared by the term that uses it: for = \"k = 1..N\"", ""},
        {"point(top)", "point takes 2 arguments, not 1",
         "point(B, s): point of the body B at s, components along its axes", ""},
        {"ground", "'ground' is no quantity by itself",
         "a point in space is a vector, such as [0, 0, 1]; ground stands where a body "
         "can",
         ""},
        {"normal([1, 0])[1]",
         "normal takes a vector of length 3, this is a vector of length 2", "", ""},
        {"rotate(1, [1, 0, 0])[1]",
         "rotate does not take a scalar and a vector of length 3",
         "in space two vectors of length 3, in the plane an angle and a vector of length "
         "2",
         ""},
        {"tap.e1[1]", "unknown name 'tap'", "did you mean 'top'?", ""},
        {"top.e1.e2", "this sign has no meaning in a formula",
         "a member follows its name at once, and only a name has members: top.e1", ""},
        {"top.", "the name of a member must follow the dot at once", "for example top.e1",
         ""},
        {"top. e1", "the name of a member must follow the dot at once",
         "for example top.e1", ""},
        {"top.1", "the name of a member must follow the dot at once",
         "for example top.e1", ""},
        {"top.(e1)", "the name of a member must follow the dot at once",
         "for example top.e1", ""},
        {"top.spin'",
         "this contains velocities; its time derivative would need accelerations",
         "' may follow whatever depends on coordinates and time only; in [outputs] x'' "
         "is the "
         "acceleration of x",
         ""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        char text[2000];
        lv_error err;
        snprintf(text, sizeof text, "%s[energy.wrong]\npotential = \"%s\"\n", one,
                 wrongs[k].formula);
        refuse(text, strlen(text), NULL, 0, &err);
        assert_string_equal(err.text, wrongs[k].text);
        assert_string_equal(err.hint, wrongs[k].hint);
        assert_int_equal(err.line, 17);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_coordinates_and_definitions),
        cmocka_unit_test(values_at_the_start_are_those_of_the_member),
        cmocka_unit_test(members_of_families_have_the_index_before_the_dot),
        cmocka_unit_test(velocities_of_members_are_velocities),
        cmocka_unit_test(wrong_members_get_their_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
