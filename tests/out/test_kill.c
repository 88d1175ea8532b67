/* A process that writes HDF5 as fast as it can, killed at random moments, hundreds of times:
 * the file is complete, has all rows of the last flush that was reported, and a checkpoint
 * that belongs to its rows. LIVENS_KILLS sets how many times, 240 if it is not set. */
#include "rows.h"

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>

static rows r;
static const char *path;

/* ---- the victim ----------------------------------------------------------------------- */

static void tell(int report, rows_found found)
{
    if (write(report, &found, sizeof found) != sizeof found)
        _exit(2);
}

/* Writes until it is killed; `found.count` < 0 makes a new file. */
static void write_for_ever(int report, rows_found found)
{
    const lv_header header = rows_header();
    lv_sink *sink = NULL;
    if (found.count < 0) {
        found.count = 0;
        if (lv_hdf5_create(&sink, path, &r.channels, &header, NULL) != LV_OK)
            _exit(3);
    } else {
        found.count = found.checkpoint;
        if (lv_hdf5_append(&sink, path, &r.channels, ROWS_CHECKPOINT, NULL) != LV_OK)
            _exit(4);
    }
    tell(report, found);
    for (;;) {
        rows_fill(&r, found.count);
        if (sink->row(sink, NULL) != LV_OK)
            _exit(5);
        found.count++;
        if (found.count % 2 != 0)
            continue;
        const bool checkpoint = found.count % 6 != 0;
        if ((checkpoint ? rows_flush(sink, found.count, NULL)
                        : sink->flush(sink, NULL, NULL)) != LV_OK)
            _exit(6);
        if (checkpoint)
            found.checkpoint = found.count;
        tell(report, found);
    }
}

/* ---- the killer ----------------------------------------------------------------------- */

static uint64_t seed = 88172645463325252u;

static int random_below(int n)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (int)((seed * 2685821657736338717u >> 33) % (uint64_t)n);
}

static void wait_microseconds(int count)
{
    const struct timespec time = {0, 1000L * count};
    nanosleep(&time, NULL);
}

static int told; /* how often the victim of the last round reported */

/* Starts a victim and kills it some time after its start, or after its first report; returns
 * the last state that it reported. */
static rows_found kill_one(rows_found before, bool after_report, int microseconds)
{
    int ends[2], status = 0;
    rows_found last = before, next;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        write_for_ever(ends[1], before);
    }
    close(ends[1]);
    told = after_report && read(ends[0], &last, sizeof last) == sizeof last;
    wait_microseconds(microseconds);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    for (; read(ends[0], &next, sizeof next) == sizeof next; told++)
        last = next;
    close(ends[0]);
    return last;
}

static bool have_h5dump(void)
{
    static int have = -1;
    if (have < 0)
        have = system("h5dump --version >/dev/null 2>&1") == 0;
    return have;
}

static void assert_dumped(void)
{
    char command[600];
    snprintf(command, sizeof command, "h5dump -d /t -d /run/model '%s' >/dev/null 2>&1",
             path);
    if (have_h5dump())
        assert_int_equal(system(command), 0);
}

static int wanted_kills(void)
{
    const char *text = getenv("LIVENS_KILLS");
    return text ? atoi(text) : SLOW ? 60 : 240;
}

static void a_killed_writer_leaves_a_complete_file(void **state)
{
    (void)state;
    int kills = 0, generation = 0;
    long long rows_seen = 0, ahead = 0, unreported = 0;
    rows_found known = {0, -1, -1}; /* what the file has at least */
    path = rows_path("a.h5");
    const int wanted = wanted_kills();
    for (; kills < wanted; kills++) {
        /* Now and then a new file in the place of the old one, else the old one goes on. */
        const bool fresh = known.checkpoint < 0 || kills % 8 == 0;
        rows_found start = known;
        if (fresh) {
            rows_init(&r, ++generation);
            start = (rows_found){generation, -1, -1};
        }
        const rows_found reported =
            kill_one(start, kills % 3 != 0, random_below(kills % 3 ? 4000 : 2000));
        if (access(path, F_OK) != 0) { /* not even created */
            assert_int_equal(told, 0);
            continue;
        }
        const rows_found found = rows_verify(path);
        if (told == 0 && fresh && found.generation != generation) {
            assert_int_equal(found.generation, known.generation); /* still the old file */
            assert_int_equal(found.count, known.count);
            rows_init(&r, known.generation);
            generation = known.generation;
        } else if (told == 0) { /* created or opened, perhaps more */
            assert_int_equal(found.generation, generation);
            unreported++;
        } else {
            assert_int_equal(found.generation, generation);
            assert_true(found.count >= reported.count &&
                        found.count <= reported.count + 2);
            assert_true(found.checkpoint >= reported.checkpoint);
        }
        ahead += told > 0 && found.count > reported.count;
        rows_seen += found.count;
        known = found;
        if (kills % 20 == 0)
            assert_dumped();
    }
    print_message(
        "%d kills, %lld rows verified, %lld times a flush was done but not reported, "
        "%lld before any report; h5dump %s\n",
        kills, rows_seen, ahead, unreported, have_h5dump() ? "agrees" : "missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_killed_writer_leaves_a_complete_file, rows_clean),
    };
    return cmocka_run_group_tests(tests, NULL, rows_finish);
}
