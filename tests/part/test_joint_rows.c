/* Rows of joints: values, gradients and second derivatives, and which motions they leave.
 *
 * Gradients by the tangent directions of bodies (dx in space, dtheta in body axes) follow from those by the
 * axes, de_k = (R dtheta) x e_k, and are held against the closed forms of the rows
 *
 *     coincidence     x_A + R_A s_A - x_B - R_B s_B,
 *     perpendicular   (R_A a) . (R_B b),
 *     offset          (R_A a) . d,   d = x_B + R_B s_B - x_A - R_A s_A,
 *
 * whose vectors a, b are read off the rows themselves, bilinear as these are in the coordinates. */
#include "joint_rows.h"

typedef struct joint_case {
    const char *type;
    int rank;
    bool has_axis, has_axis2;
    bool points; /* takes particles */
    int twists; /* how b can turn against a: ABOUT the axis, ABOUT2 the second one, ANY way */
    int slides; /* and slide: ALONG the axis, ACROSS it */
} joint_case;

enum { ABOUT = 1, ABOUT2 = 2, ANY = 4, ALONG = 1, ACROSS = 2 };

static const joint_case cases[] = {
    {"spherical", 3, false, false, true, ANY, 0},
    {"revolute", 5, true, false, false, ABOUT, 0},
    {"universal", 4, true, true, false, ABOUT | ABOUT2, 0},
    {"cylindrical", 4, true, false, false, ABOUT, ALONG},
    {"prismatic", 5, true, false, false, 0, ALONG},
    {"planar", 3, true, false, false, ABOUT, ACROSS},
    {"fixed", 6, false, false, false, 0, 0},
    {"point_on_line", 2, true, false, true, ANY, ALONG},
    {"point_on_plane", 1, true, false, true, ANY, ACROSS},
};

enum { CASES = sizeof cases / sizeof *cases };

/* ---- models --------------------------------------------------------------------------------------- */

static void write_vec(char *text, size_t size, const char *key, vec v)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s = [%.17g, %.17g, %.17g]\n", key, v.x[0],
             v.x[1], v.x[2]);
}

static void write_end(char *text, size_t size, const char *name, end_kind kind, vec at,
                      vec rotation)
{
    const size_t used = strlen(text);
    if (kind == GROUND)
        return;
    snprintf(text + used, size - used, "[%s.%s]\nmass = 2\n",
             kind == BODY ? "bodies" : "particles", name);
    write_vec(text, size, "position", at);
    if (kind != BODY)
        return;
    snprintf(text + strlen(text), size - strlen(text), "inertia = [0.3, 0.4, 0.5]\n");
    write_vec(text, size, "rotation", rotation);
}

static assembly assemble(const joint_case *c, end_kind first, end_kind second)
{
    char text[4000] = "";
    unsigned seed = 7;
    assembly x = {.kinds = {first, second}};
    static const char *const names[] = {"a", "b"};
    x.at = vec_of(0.3, -0.7, 0.4);
    x.axis = unit(vec_of(1, 2, -2));
    x.axis2 = unit(cross(x.axis, vec_of(0.3, 0.1, 1)));
    for (int k = 0; k < 2; k++) {
        vec at = some_vec(&seed), rotation = times(2, some_vec(&seed));
        const bool pinned = x.kinds[k] == PARTICLE;
        at = pinned ? x.at : at;
        x.starts[k] = x.kinds[k] == BODY
                          ? frame_of(at, rotation)
                          : frame_of(pinned ? at : vec_of(0, 0, 0), vec_of(0, 0, 0));
        x.offset[k] = x.n;
        x.n += x.kinds[k] == BODY ? 12 : x.kinds[k] == PARTICLE ? 3 : 0;
        write_end(text, sizeof text, names[k], x.kinds[k], at, rotation);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "[joints.j]\ntype = \"%s\"\nbetween = [\"%s\", \"%s\"]\n", c->type,
             first == GROUND ? "ground" : "a", second == GROUND ? "ground" : "b");
    write_vec(text, sizeof text, "at", x.at);
    if (c->has_axis)
        write_vec(text, sizeof text, "axis", times(3, x.axis));
    if (c->has_axis2)
        write_vec(text, sizeof text, "axis2", times(0.2, x.axis2));
    x.model = read_text(text);
    assert_int_equal(lv_model_coordinate_count(x.model), x.n);
    assert_int_equal(lv_plan_create(&x.plan, x.model,
                                    LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN) |
                                        LV_WANT(RATE) | LV_WANT(RATE_CURVE) |
                                        LV_WANT(RATE_Q),
                                    NULL),
                     LV_OK);
    find_rows(&x);
    return x;
}

/* ---- differences ---------------------------------------------------------------------------------- */

/* Central differences of polynomials of degree 2 have no error but rounding, whatever the step. */
static void check_differences(const assembly *x)
{
    double q[MOST], v[MOST], G[ROWS][MOST], Q[ROWS][MOST], at[ROWS], up[ROWS], down[ROWS];
    double moved[MOST], rate[ROWS], curve[ROWS];
    unsigned seed = 3;
    random_point(x, &seed, q);
    random_point(x, &seed, v);
    rows_at(x, q, at);
    evaluate(x, q, v);
    dense(x, LV_Q_JACOBIAN, G);
    dense(x, LV_Q_RATE_Q, Q);
    memcpy(rate, lv_plan_result(x->plan, LV_Q_RATE) + x->first, sizeof rate);
    memcpy(curve, lv_plan_result(x->plan, LV_Q_RATE_CURVE) + x->first, sizeof curve);
    for (int k = 0; k < x->n; k++) {
        memcpy(moved, q, sizeof moved);
        moved[k] = q[k] + 1;
        rows_at(x, moved, up);
        moved[k] = q[k] - 1;
        rows_at(x, moved, down);
        for (int i = 0; i < x->rows; i++)
            assert_close(G[i][k], (up[i] - down[i]) / 2, 1e-13);
        moved[k] = q[k] + 1;
        evaluate(x, moved, v);
        memcpy(up, lv_plan_result(x->plan, LV_Q_RATE) + x->first, sizeof up);
        moved[k] = q[k] - 1;
        evaluate(x, moved, v);
        for (int i = 0; i < x->rows; i++)
            assert_close(Q[i][k],
                         (up[i] - lv_plan_result(x->plan, LV_Q_RATE)[x->first + i]) / 2,
                         1e-13);
    }
    for (int k = 0; k < x->n; k++)
        moved[k] = q[k] + v[k];
    rows_at(x, moved, up);
    for (int k = 0; k < x->n; k++)
        moved[k] = q[k] - v[k];
    rows_at(x, moved, down);
    for (int i = 0; i < x->rows; i++) {
        assert_close(rate[i], (up[i] - down[i]) / 2, 1e-12);
        assert_close(curve[i], up[i] - 2 * at[i] + down[i], 1e-12);
    }
}

/* ---- tangent directions --------------------------------------------------------------------------- */

/* The velocities of the coordinates of an end that moves with u and turns with w, both in space. */
static void twist(const assembly *x, int end, const double *q, vec u, vec w, double *v)
{
    double *own = v + x->offset[end];
    if (x->kinds[end] == GROUND)
        return;
    memcpy(own, u.x, sizeof u.x);
    for (int k = 1; x->kinds[end] == BODY && k < 4; k++) {
        const double *e = q + x->offset[end] + 3 * k;
        memcpy(own + 3 * k, cross(w, vec_of(e[0], e[1], e[2])).x, 3 * sizeof *own);
    }
}

/* Turns with w about a point, and slides with u. */
static void twist_about(const assembly *x, int end, const double *q, vec point, vec u,
                        vec w, double *v)
{
    const double *own = q + x->offset[end];
    const vec arm = plus(vec_of(own[0], own[1], own[2]), -1, point);
    twist(x, end, q, plus(u, 1, cross(w, arm)), w, v);
}

static void start_of(const assembly *x, double *q)
{
    memcpy(q, lv_model_start_position(x->model), (size_t)x->n * sizeof *q);
    for (int k = 0; k < 2; k++)
        if (x->kinds[k] == BODY) {
            double own[12];
            frame_write(&x->starts[k], own);
            for (int i = 0; i < 12; i++)
                assert_close(q[x->offset[k] + i], own[i], 1e-15);
        }
}

/* Columns dx_A, dtheta_A, dx_B, dtheta_B, dtheta in body axes; those that an end does not have are 0. */
static void tangent(const assembly *x, const double *q, double C[ROWS][12])
{
    double G[ROWS][MOST];
    evaluate(x, q, NULL);
    dense(x, LV_Q_JACOBIAN, G);
    for (int j = 0; j < 12; j++) {
        const int end = j / 6;
        vec way = {{0}}, u = {{0}}, w = {{0}};
        double v[MOST] = {0};
        way.x[j % 3] = 1;
        if (j % 6 < 3)
            u = way;
        else if (x->kinds[end] == BODY) {
            const frame f = frame_read(q + x->offset[end]);
            w = to_space(&f, way);
        }
        twist(x, end, q, u, w, v);
        for (int i = 0; i < x->rows; i++) {
            C[i][j] = 0;
            for (int k = 0; k < x->n; k++)
                C[i][j] += G[i][k] * v[k];
        }
    }
}

/* The end b may move in this way while a does not, and so may a. */
static void check_free(const assembly *x, vec u, vec w)
{
    double q[MOST], g[ROWS];
    start_of(x, q);
    rows_at(x, q, g);
    for (int i = 0; i < x->rows; i++)
        assert_close(g[i], 0, 1e-14);
    for (int end = 0; end < 2; end++) {
        double v[MOST] = {0};
        twist_about(x, end, q, x->at, u, w, v);
        evaluate(x, q, v);
        for (int i = 0; i < x->rows; i++)
            assert_close(lv_plan_result(x->plan, LV_Q_RATE)[x->first + i], 0, 1e-14);
    }
}

static void check_freedom(const assembly *x, const joint_case *c)
{
    const vec none = {{0}}, across = unit(cross(x->axis, vec_of(0, 0, 1))),
              across2 = cross(x->axis, across);
    double q[MOST], C[ROWS][12];
    int freedom = 0;
    const vec turns[] = {x->axis, x->axis2, across, across2, x->axis};
    const int when_turns[] = {ABOUT, ABOUT2, ANY, ANY, ANY};
    const vec slides[] = {x->axis, across, across2};
    const int when_slides[] = {ALONG, ACROSS, ACROSS};
    for (int k = 0; k < 5; k++)
        if (c->twists & when_turns[k]) {
            check_free(x, none, turns[k]);
            freedom++;
        }
    for (int k = 0; k < 3; k++)
        if (c->slides & when_slides[k]) {
            check_free(x, slides[k], none);
            freedom++;
        }
    assert_int_equal(freedom, 6 - c->rank);
    assert_int_equal(x->rows, c->rank);
    start_of(x, q);
    tangent(x, q, C);
    assert_int_equal(rank_of(C, x->rows, 12), c->rank);
}

/* A motion of both together changes nothing, wherever they are. */
static void check_common_motion(const assembly *x)
{
    double q[MOST], v[MOST] = {0}, g[ROWS], moved[MOST];
    unsigned seed = 11;
    const vec about = some_vec(&seed), shift = some_vec(&seed), turn = some_vec(&seed);
    if (x->kinds[0] == GROUND || x->kinds[1] == GROUND)
        return;
    random_point(x, &seed, q);
    for (int end = 0; end < 2; end++)
        twist_about(x, end, q, about, shift, turn, v);
    evaluate(x, q, v);
    for (int k = 0; k < x->n; k += 3) {
        const vec old = vec_of(q[k], q[k + 1], q[k + 2]);
        const bool is_place = k == x->offset[0] || k == x->offset[1];
        const vec now = plus(turned(turn, old), is_place, shift);
        memcpy(moved + k, now.x, sizeof now.x);
    }
    rows_at(x, q, g);
    /* Points turn, offsets and angles do not. */
    double after[ROWS], size = 0, size_after = 0;
    rows_at(x, moved, after);
    for (int i = 0; i < x->rows; i++) {
        size += g[i] * g[i];
        size_after += after[i] * after[i];
    }
    assert_close(size_after, size, 1e-12);
}

/* ---- closed forms --------------------------------------------------------------------------------- */

/* Vectors of a row: a in the first, b in the second, or s_A, s_B. */
typedef struct row_shape {
    vec a, b;
    int kind; /* 0 .. 2: component of a coincidence; PERPENDICULAR; OFFSET */
} row_shape;

enum { PERPENDICULAR = 3, OFFSET = 4 };

/* Ambient coordinates of an end: its place, and its axis j alone, along the first axis of space. Those of
 * the ground cannot be chosen. */
static void put(const assembly *x, int end, double place, int j, double *q)
{
    if (x->kinds[end] == GROUND)
        return;
    q[x->offset[end]] = place;
    if (x->kinds[end] == BODY && j >= 0)
        q[x->offset[end] + 3 + 3 * j] = 1;
}

/* Row i with the axes j of A and k of B alone along the same direction. */
static double alone(const assembly *x, int i, int j, int k, double place)
{
    double q[MOST] = {0}, g[ROWS];
    if (x->kinds[0] == BODY) {
        put(x, 0, 0, j, q);
        put(x, 1, place, k, q);
        if (x->kinds[1] == GROUND) { /* its axis k is along k */
            q[3 + 3 * j] = 0;
            q[3 + 3 * j + (k < 0 ? 0 : k)] = 1;
        }
    } else { /* the axis j of the ground is along j */
        q[j] = place;
        if (x->kinds[1] == BODY && k >= 0)
            q[3 + 3 * k + j] = 1;
    }
    rows_at(x, q, g);
    return g[i];
}

static bool is_offset(const assembly *x, int i)
{
    for (int j = 0; j < 3; j++)
        if (fabs(alone(x, i, j, -1, 1) - alone(x, i, j, -1, 0)) > 1e-9)
            return true;
    return false;
}

/* u v^T from its entries: unit vectors up to a common sign. */
static void split(double m[3][3], vec *u, vec *v)
{
    int best = 0;
    for (int k = 1; k < 9; k++)
        best = fabs(m[k / 3][k % 3]) > fabs(m[best / 3][best % 3]) ? k : best;
    *v = unit(vec_of(m[best / 3][0], m[best / 3][1], m[best / 3][2]));
    for (int j = 0; j < 3; j++)
        u->x[j] = dot(vec_of(m[j][0], m[j][1], m[j][2]), *v);
    for (int k = 0; k < 9; k++)
        assert_close(m[k / 3][k % 3], u->x[k / 3] * v->x[k % 3], 1e-13);
    assert_close(length_of(*u), 1, 1e-13);
}

static row_shape shape_of(const assembly *x, const joint_case *c, int i)
{
    row_shape s = {.kind = OFFSET};
    const bool coincides =
        strcmp(c->type, "spherical") == 0 || strcmp(c->type, "revolute") == 0 ||
        strcmp(c->type, "universal") == 0 || strcmp(c->type, "fixed") == 0;
    double m[3][3];
    if (coincides && i < 3) {
        s.kind = i;
        return s;
    }
    if (x->kinds[1] == BODY || x->kinds[1] == PARTICLE) {
        if (is_offset(x, i)) {
            for (int j = 0; j < 3; j++)
                s.a.x[j] = alone(x, i, j, -1, 1) - alone(x, i, j, -1, 0);
            assert_close(length_of(s.a), 1, 1e-13);
            return s;
        }
    }
    for (int k = 0; k < 9; k++)
        m[k / 3][k % 3] = alone(x, i, k / 3, k % 3, 0);
    split(m, &s.a, &s.b);
    s.kind = PERPENDICULAR;
    return s;
}

static void add_to(double *row, vec v)
{
    for (int k = 0; k < 3; k++)
        row[k] += v.x[k];
}

/* Value and tangent row in closed form. */
static double closed_form(const row_shape *s, const frame f[2], const vec own[2],
                          double row[12])
{
    const vec p[2] = {point_of(&f[0], own[0]), point_of(&f[1], own[1])};
    const vec d = plus(p[1], -1, p[0]);
    memset(row, 0, 12 * sizeof *row);
    if (s->kind < 3) { /* e . (p_A - p_B): -e . R hat(s) dtheta = (s x R^T e) . dtheta */
        vec e = {{0}};
        e.x[s->kind] = 1;
        add_to(row, e);
        add_to(row + 3, cross(own[0], to_body(&f[0], e)));
        add_to(row + 6, times(-1, e));
        add_to(row + 9, times(-1, cross(own[1], to_body(&f[1], e))));
        return -d.x[s->kind];
    }
    const vec u = to_space(&f[0], s->a), w = to_space(&f[1], s->b);
    if (s->kind == PERPENDICULAR) {
        add_to(row + 3, cross(s->a, to_body(&f[0], w)));
        add_to(row + 9, cross(s->b, to_body(&f[1], u)));
        return dot(u, w);
    }
    add_to(row, times(-1, u));
    add_to(row + 3,
           plus(cross(s->a, to_body(&f[0], d)), -1, cross(own[0], to_body(&f[0], u))));
    add_to(row + 6, u);
    add_to(row + 9, cross(own[1], to_body(&f[1], u)));
    return dot(u, d);
}

/* Frames anywhere, not only where the joint holds. */
static void check_closed_forms(const assembly *x, const joint_case *c)
{
    vec own[2];
    row_shape shapes[ROWS];
    unsigned seed = 5;
    for (int k = 0; k < 2; k++)
        own[k] = to_body(&x->starts[k], plus(x->at, -1, x->starts[k].at));
    for (int i = 0; i < x->rows; i++)
        shapes[i] = shape_of(x, c, i);
    for (int round = 0; round < 5; round++) {
        double q[MOST], g[ROWS], C[ROWS][12], row[12];
        frame f[2];
        for (int k = 0; k < 2; k++) {
            f[k] = frame_of(times(3, some_vec(&seed)), times(3, some_vec(&seed)));
            if (x->kinds[k] != BODY)
                f[k] = frame_of(x->kinds[k] == GROUND ? vec_of(0, 0, 0) : f[k].at,
                                vec_of(0, 0, 0));
            double all[12];
            frame_write(&f[k], all);
            memcpy(q + x->offset[k], all,
                   (x->kinds[k] == BODY       ? 12
                    : x->kinds[k] == PARTICLE ? 3
                                              : 0) *
                       sizeof *q);
        }
        rows_at(x, q, g);
        tangent(x, q, C);
        for (int i = 0; i < x->rows; i++) {
            assert_close(closed_form(&shapes[i], f, own, row), g[i], 1e-13);
            for (int j = 0; j < 12; j++) {
                const end_kind kind = x->kinds[j / 6];
                if (kind == BODY || (kind == PARTICLE && j % 6 < 3))
                    assert_close(C[i][j], row[j], 1e-13);
            }
        }
    }
}

static void check_all(const joint_case *c, end_kind first, end_kind second, bool freedom)
{
    assembly x = assemble(c, first, second);
    check_differences(&x);
    if (freedom)
        check_freedom(&x, c);
    check_common_motion(&x);
    if (second != GROUND)
        check_closed_forms(&x, c);
    disassemble(&x);
}

static void rows_between_bodies_are_those_of_the_theory(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++)
        check_all(&cases[k], BODY, BODY, true);
}

static void rows_to_the_ground_are_those_of_the_theory(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        check_all(&cases[k], GROUND, BODY, true);
        check_all(&cases[k], BODY, GROUND, true);
    }
}

static void rows_to_particles_are_those_of_the_theory(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++)
        if (cases[k].points) {
            check_all(&cases[k], BODY, PARTICLE, false);
            check_all(&cases[k], GROUND, PARTICLE, false);
        }
}

/* Every type is a word that livens explains, with the number of its constraints. */
static void types_are_explained(void **state)
{
    lv_section_info section;
    lv_word_info word;
    int explained = 0;
    (void)state;
    for (int s = 0; lv_section_describe(s, &section); s++)
        for (int w = 0; lv_word_describe(s, w, &word); w++)
            for (int k = 0; k < CASES && strcmp(section.name, "joints") == 0; k++) {
                char count[40];
                if (strcmp(cases[k].type, word.name) != 0)
                    continue;
                snprintf(count, sizeof count, ": %d constraint%s", cases[k].rank,
                         cases[k].rank == 1 ? "" : "s");
                if (!strstr(word.doc, count))
                    fail_msg("%s: '%s' does not say%s", word.name, word.doc, count);
                explained++;
            }
    assert_int_equal(explained, CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(rows_between_bodies_are_those_of_the_theory),
        RUN(rows_to_the_ground_are_those_of_the_theory),
        RUN(rows_to_particles_are_those_of_the_theory),
        RUN(types_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
