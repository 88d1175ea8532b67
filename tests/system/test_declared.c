/* Declared symmetries that are none: which term spoils them, and where. */
#include "../model/reading.h"
#include "deny.h"

#include "system/declared.h"

/* What is said of the declared symmetry `number`: has to contain `says`, or nothing is said (NULL). */
static void expect(const char *text, int number, const char *says)
{
    lv_error err;
    lv_system *system = NULL;
    lv_model *model = read_text(text);
    if (lv_system_create(&system, model, &err) != LV_OK ||
        lv_declared_judge(system, &err) != LV_OK)
        fail_with(&err);
    const char *said = system->spoilt[number];
    if (!says && said)
        fail_msg("%s: '%s' is said", text, said);
    if (says && (!said || !strstr(said, says)))
        fail_msg("%s: '%s' does not say '%s'", text, said ? said : "", says);
    lv_system_free(system);
    lv_model_free(model);
}

#define PLANE                                                                            \
    "[coordinates]\nx = { value = 3, velocity = 1 }\ny = { value = 4, velocity = 2 }\n"  \
    "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
#define TURN "[symmetries.turn]\non = [\"x\", \"y\"]\ngenerator = [\"-y\", \"x\"]\n"
#define ROD "[constraints.rod]\nholonomic = \"x^2 + y^2 - 25\"\n"

static void symmetries_are_let_pass(void **state)
{
    (void)state;
    expect(PLANE TURN, 0, NULL);
    expect(PLANE "[energy.v]\npotential = \"(x^2 + y^2)^2\"\n" TURN, 0, NULL);
    expect(PLANE "[energy.v]\npotential = \"sin(x - 2*y)\"\n"
                 "[symmetries.s]\non = [\"x\", \"y\"]\ngenerator = [\"2\", \"1\"]\n",
           0, NULL);
    /* scaling of one coordinate against a term of its own: x'^2/x^2 is invariant */
    expect("[coordinates]\nx = { value = 3, velocity = 1 }\n[energy]\n"
           "kinetic = \"x'^2/x^2\"\n[symmetries.s]\non = \"x\"\ngenerator = \"x\"\n",
           0, NULL);
}

/* Where the constraints hold, and only there. */
static void constraints_may_make_it_a_symmetry(void **state)
{
    (void)state;
    expect(
        "[coordinates]\nx = { value = 3, velocity = -4 }\n"
        "y = { value = 4, velocity = 3 }\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n" ROD
        "[energy.v]\npotential = \"x*(x^2 + y^2 - 25)\"\n"
        "[symmetries.s]\non = [\"x\", \"y\"]\n"
        "generator = [\"-y*(x^2 + y^2)\", \"25*x\"]\n",
        0, NULL);
}

static void terms_that_change_are_named(void **state)
{
    (void)state;
    /* d(x^2)/dphi = -2 x y */
    expect(PLANE "[energy.v]\npotential = \"x^2\"\n" TURN, 0,
           "is no symmetry: the potential 'v' (");
    expect(PLANE "[energy.v]\npotential = \"x^2\"\n" TURN, 0, "by -24 at the start");
    expect(PLANE "[energy.v]\npotential = \"x^2\"\n" TURN, 0, ":10:13: 'turn'");
    expect(PLANE "[energy.v]\npotential = \"x^2\"\n" TURN, 0, ":7:13)");
    expect("[coordinates]\nx = { value = 3, velocity = 1 }\n[energy]\n"
           "kinetic = \"x'^2/2\"\n[symmetries.s]\non = \"x\"\ngenerator = \"x\"\n",
           0, "the kinetic energy");
    expect(PLANE ROD "[symmetries.s]\non = \"x\"\ngenerator = \"1\"\n", 0,
           "the constraint 'rod'");
    expect("[coordinates]\nx = 3\ny = 4\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
           "[constraints.c]\nnonholonomic = \"x' - y'\"\n"
           "[symmetries.s]\non = \"x\"\ngenerator = \"1\"\n",
           0, "the nonholonomic constraint 'c'");
}

/* Where a constraint holds its formula is rounding, and what follows from that is no evidence: the
 * change of a multiple follows from the change alone. */
static void constraints_may_be_scaled(void **state)
{
    static const struct {
        const char *before, *after;
    } forms[] = {{"(", ")/2"},     {"3*(", ")"},       {"(", ")/(x^2 + y^4)"},
                 {"(", ")*x^2*y"}, {"exp(", ") - 1"},  {"sin(", ")"},
                 {"-(", ")/2"},    {"tanh((", ")/50)"}};
    (void)state;
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++)
        for (int wrong = 0; wrong < 2; wrong++) {
            char text[800];
            (void)snprintf(text, sizeof text,
                           "[coordinates]\nx = { value = 3, velocity = 0 }\n"
                           "y = { value = 4, velocity = 0 }\n"
                           "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
                           "[constraints.rod]\nholonomic = \"%s%s%s\"\n" TURN,
                           forms[k].before, wrong ? "x^2 + 2*y^2 - 41" : "x^2 + y^2 - 25",
                           forms[k].after);
            expect(text, 0, wrong ? "the constraint 'rod'" : NULL);
        }
}

static void forces_are_told_from_energies(void **state)
{
    (void)state;
    expect(PLANE "[forces.drag]\non = [\"x\", \"y\"]\nforce = [\"-x'\", \"-y'\"]\n" TURN,
           0, "'turn' is a symmetry of the energies, but the force 'drag'");
    /* f . xi = y x' - x y' = -2 */
    expect(PLANE "[forces.drag]\non = [\"x\", \"y\"]\nforce = [\"-x'\", \"-y'\"]\n" TURN,
           0, "f . xi = -2 at the start");
    expect(PLANE "[forces.radial]\non = [\"x\", \"y\"]\nforce = [\"-x\", \"-y\"]\n" TURN,
           0, NULL);
}

/* Evidence is a number, however small; without one nothing is said. */
static void evidence_may_be_small_but_must_be_there(void **state)
{
#define PUSH "[symmetries.push]\non = \"x\"\ngenerator = \"1\"\n"
    (void)state;
    expect(PLANE "[energy.v]\npotential = \"exp(-x^2*1e3)\"\n" PUSH, 0,
           "the potential 'v'");
    expect(PLANE "[energy.wall]\npotential = \"max(0, x - 100)^2\"\n" PUSH, 0, NULL);
    expect(PLANE "[energy.v]\npotential = \"y^2*(1 + tanh(1e4*(y - 1e3)))\"\n"
                 "[symmetries.push]\non = \"y\"\ngenerator = \"1\"\n",
           0, NULL);
}

static void each_is_judged_by_itself(void **state)
{
    static const char text[] = PLANE "[energy.v]\npotential = \"y^2\"\n"
                                     "[symmetries.a]\non = \"x\"\ngenerator = \"1\"\n"
                                     "[symmetries.b]\non = \"y\"\ngenerator = \"1\"\n";
    (void)state;
    expect(text, 0, NULL);
    expect(text, 1, "'b' is no symmetry");
}

static void families_are_judged(void **state)
{
#define BEADS                                                                            \
    "[parameters]\nN = 5\n[coordinates]\nq = { count = \"N\", value = [\"i\", 1] }\n"    \
    "[energy.masses]\nfor = \"i = 1..N\"\nkinetic = \"norm2(q_i')\"\n"                   \
    "[energy.springs]\nfor = \"i = 2..N\"\npotential = \"norm2(q_i - q_{i-1})^2\"\n"     \
    "[symmetries.all]\nfor = \"i = 1..N\"\non = \"q_i\"\ngenerator = \"[2, 1]\"\n"
    (void)state;
    expect(BEADS, 0, NULL);
    expect(BEADS "[energy.one]\npotential = \"q_3[2]\"\n", 0, "the potential 'one'");
}

static lv_status judge_without_memory(void *user, lv_error *err)
{
    lv_system *system = NULL;
    lv_status status = lv_system_create(&system, user, err);
    if (status == LV_OK)
        status = lv_declared_judge(system, err);
    lv_system_free(system);
    return status;
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    lv_model *m = read_text(PLANE "[energy.v]\npotential = \"x^2\"\n" TURN);
    lv_deny_sweep(judge_without_memory, m);
    lv_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(symmetries_are_let_pass),       RUN(constraints_may_make_it_a_symmetry),
        RUN(terms_that_change_are_named),   RUN(constraints_may_be_scaled),
        RUN(forces_are_told_from_energies), RUN(evidence_may_be_small_but_must_be_there),
        RUN(each_is_judged_by_itself),      RUN(families_are_judged),
        RUN(no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
