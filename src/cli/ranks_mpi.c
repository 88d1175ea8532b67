/* Messages of other ranks to rank 0: a request for members, a result, a sign of life, the
 * reason why a rank stops. Messages of rank 0: numbers of members; an empty message if
 * there are no more.
 *
 * Only one thread at a time calls MPI, and no call blocks: a rank without work polls for
 * messages now and then. */
#include "cli/ranks.h"

#include "cli/error.h"
#include "cli/interrupt.h"
#include "cli/ranks_result.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_ASK = 1, TAG_RESULT, TAG_ALIVE, TAG_EXCUSE, TAG_MEMBERS };

/* Largest number of members in a chunk. */
enum { CHUNK_MOST = 256 };

static const double alive_seconds = 0.2; /* time between signs of life */
static const double patience_seconds = 60;

/* What rank 0 knows about another rank. */
typedef struct mate {
    bool asks, left; /* asks: it has asked for members; left: it has told why it stops */
    bool lost;       /* it has not sent anything for a long time */
    double heard;    /* time of its last message, in seconds */
    int *members;    /* places in the plan of the members that it was given */
    int member_count;
} mate;

typedef struct cli_post {
    cli_ranks *ranks;
    lv_sweep_elsewhere elsewhere;
    double patience;

    /* On rank 0. */
    mate *mates; /* by rank; the entry of rank 0 is not used */
    int *numbers;
    cli_result **results; /* by place in the plan */
    cli_result *current;  /* the result that the sweep is using */
    int count, next, due;
    int *again; /* places that must be handed out again, each once */
    int again_count;
    bool *is_again;

    bool ended; /* there are no more members */

    /* On other ranks. */
    int chunk[CHUNK_MOST];
    int chunk_count, chunk_at;
    bool asked;
    double alive; /* time of the last sign of life */
} cli_post;

static double now_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(void)
{
    const struct timespec t = {.tv_nsec = 200000};
    (void)nanosleep(&t, NULL);
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

/* Places of the next members to compute; those of lost ranks come first. */
static int fill_chunk(cli_post *p, int *places)
{
    int live = 0, count = 0;
    for (int r = 1; r < p->ranks->count; r++)
        live += !p->mates[r].left && !p->mates[r].lost;
    const int share = (p->count - p->next) / (4 * (live > 0 ? live : 1));
    const int most = share < 1 ? 1 : share < CHUNK_MOST ? share : CHUNK_MOST;
    while (count < most && p->again_count > 0) {
        const int place = p->again[--p->again_count];
        p->is_again[place] = false;
        if (!p->results[place] && place >= p->due)
            places[count++] = place;
    }
    while (count < most && p->next < p->count)
        places[count++] = p->next++;
    return count;
}

static void send_members(int rank, const int *numbers, int count)
{
    (void)MPI_Send(numbers, count, MPI_INT, rank, TAG_MEMBERS, MPI_COMM_WORLD);
}

/* Gives members to ranks that have asked, as long as there are any. */
static void hand_out(cli_post *p)
{
    for (int r = 1; r < p->ranks->count; r++) {
        mate *m = &p->mates[r];
        int numbers[CHUNK_MOST];
        if (!m->asks || m->left || m->lost)
            continue;
        m->member_count = fill_chunk(p, m->members);
        for (int k = 0; k < m->member_count; k++)
            numbers[k] = p->numbers[m->members[k]];
        if (m->member_count > 0)
            send_members(r, numbers, m->member_count);
        m->asks = m->member_count == 0;
    }
}

/* Marks the members of a lost rank to be handed out again. */
static void give_up(cli_post *p, mate *m)
{
    for (int k = 0; k < m->member_count; k++) {
        const int place = m->members[k];
        if (p->results[place] || place < p->due || p->is_again[place])
            continue;
        p->again[p->again_count++] = place;
        p->is_again[place] = true;
    }
    m->member_count = 0;
}

static int find_place(const cli_post *p, int number)
{
    int low = 0, high = p->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->count && p->numbers[low] == number ? low : -1;
}

/* A result may arrive twice, from a rank that was considered lost; both are equal. */
static void keep_result(cli_post *p, char *bytes, size_t size)
{
    cli_result *result = cli_result_read(bytes, size);
    const int place = result ? find_place(p, result->member.number) : -1;
    if (place < p->due || p->results[place])
        cli_result_free(result);
    else
        p->results[place] = result;
}

/* Such a warning is not needed when there are no more members. */
static void warn_of_rank(const cli_post *p, int rank, const char *what, const char *why)
{
    if (!p->ended)
        fprintf(stderr,
                "warning: rank %d %s%s; what it was given is computed elsewhere\n", rank,
                what, why);
}

static void take_message(cli_post *p, const MPI_Status *status)
{
    int size = 0;
    mate *m = &p->mates[status->MPI_SOURCE];
    (void)MPI_Get_count(status, MPI_BYTE, &size);
    char *bytes = calloc((size_t)size + 1, 1);
    if (!bytes) /* nothing can continue without the message */
        (void)MPI_Abort(MPI_COMM_WORLD, lv_status_exit_code(LV_ERR_MEMORY));
    (void)MPI_Recv(bytes, size, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    m->heard = now_seconds();
    m->lost = false;
    if (status->MPI_TAG == TAG_ASK) {
        m->asks = true;
    } else if (status->MPI_TAG == TAG_EXCUSE) {
        m->left = true;
        give_up(p, m);
        if (bytes[0])
            warn_of_rank(p, status->MPI_SOURCE, "has stopped: ", bytes);
    } else if (status->MPI_TAG == TAG_RESULT && p->results) {
        keep_result(p, bytes, (size_t)size);
        bytes = NULL;
    }
    free(bytes);
}

/* Receives all messages of other ranks; false: no other rank is left. */
static bool listen_to_all(cli_post *p)
{
    MPI_Status status;
    int there = 0;
    bool live = false;
    while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) ==
               MPI_SUCCESS &&
           there)
        take_message(p, &status);
    for (int r = 1; r < p->ranks->count; r++) {
        mate *m = &p->mates[r];
        if (!m->left && !m->lost && now_seconds() - m->heard > p->patience) {
            m->lost = true;
            give_up(p, m);
            warn_of_rank(p, r, "does not answer", "");
        }
        live = live || (!m->left && !m->lost);
    }
    hand_out(p);
    return live;
}

static void plan(void *user, int count, const int *numbers)
{
    cli_post *p = user;
    const size_t room = (size_t)count + 1;
    p->numbers = calloc(room, sizeof *p->numbers);
    p->results = calloc(room, sizeof(cli_result *));
    p->again = calloc(room, sizeof *p->again);
    p->is_again = calloc(room, sizeof *p->is_again);
    if (!p->numbers || !p->results || !p->again || !p->is_again)
        return; /* rank 0 computes alone */
    memcpy(p->numbers, numbers, (size_t)count * sizeof *numbers);
    p->count = count;
}

static lv_sweep_fetched fetch(void *user, int number, lv_member *member)
{
    cli_post *p = user;
    const int place = find_place(p, number);
    if (place < 0)
        return LV_SWEEP_RUN_HERE;
    p->due = place;
    cli_result_free(p->current);
    p->current = NULL;
    bool live = listen_to_all(p);
    while (!p->results[place]) {
        if (cli_interrupt_arrived())
            return LV_SWEEP_STOP;
        if (!live)
            return LV_SWEEP_RUN_HERE;
        nap();
        live = listen_to_all(p);
    }
    p->current = p->results[place];
    p->results[place] = NULL;
    p->due = place + 1;
    *member = p->current->member;
    return LV_SWEEP_FETCHED;
}

void cli_ranks_lead(cli_ranks *ranks, lv_sweep_request *request)
{
    if (!ranks->post)
        return;
    ranks->post->elsewhere =
        (lv_sweep_elsewhere){.plan = plan, .fetch = fetch, .user = ranks->post};
    request->elsewhere = &ranks->post->elsewhere;
}

/* ---- the others ------------------------------------------------------------------------------ */

static void say(int tag, const void *bytes, int size)
{
    (void)MPI_Send(bytes, size, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
}

/* Receives the members of the next chunk, if it has arrived. */
static bool receive_chunk(cli_post *p)
{
    MPI_Status status;
    int there = 0;
    if (p->ended ||
        MPI_Iprobe(0, TAG_MEMBERS, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS ||
        !there)
        return false;
    (void)MPI_Recv(p->chunk, CHUNK_MOST, MPI_INT, 0, TAG_MEMBERS, MPI_COMM_WORLD,
                   &status);
    (void)MPI_Get_count(&status, MPI_INT, &p->chunk_count);
    p->chunk_at = 0;
    p->asked = false;
    p->ended = p->chunk_count == 0;
    return true;
}

static int choose(void *user)
{
    cli_post *p = user;
    if (p->chunk_at == p->chunk_count && !p->asked && !p->ended) {
        say(TAG_ASK, "", 0);
        p->asked = true;
    }
    if (p->chunk_at == p->chunk_count)
        (void)receive_chunk(p);
    if (p->ended)
        return LV_SWEEP_NONE;
    return p->chunk_at < p->chunk_count ? p->chunk[p->chunk_at++] : LV_SWEEP_LATER;
}

static bool send_result(void *user, const lv_member *member)
{
    size_t size = 0;
    (void)user;
    char *bytes = cli_result_write(member, &size);
    if (bytes)
        say(TAG_RESULT, bytes, (int)size);
    free(bytes);
    return bytes != NULL;
}

/* Sends a sign of life now and then; false: the sweep has ended, or this rank must
 * end. */
static bool show_life(void *user, const lv_sweep_progress *progress)
{
    cli_post *p = user;
    (void)progress;
    if (now_seconds() - p->alive > alive_seconds) {
        say(TAG_ALIVE, "", 0);
        p->alive = now_seconds();
    }
    (void)receive_chunk(p); /* a chunk that was not asked for means the end */
    return !p->ended && !cli_interrupt_arrived();
}

void cli_ranks_serve(cli_ranks *ranks, const lv_model *model, lv_sweep_request *request)
{
    cli_post *p = ranks->post;
    lv_sweep_summary *summary = NULL;
    lv_error error;
    lv_sweep_request own = *request;
    own.keep_series = own.series != NULL;
    own.csv = own.hdf5 = own.series = NULL;
    own.resume = false;
    own.part = own.parts = 0;
    p->elsewhere = (lv_sweep_elsewhere){.choose = choose, .user = p};
    own.elsewhere = &p->elsewhere;
    own.member = send_result;
    own.progress = show_life;
    own.user = p;
    cli_interrupt_catch();
    const lv_status status = lv_sweep_run(&summary, model, &own, &error);
    lv_sweep_summary_free(summary);
    if (status != LV_OK)
        cli_ranks_excuse(ranks, error.text);
    else
        cli_ranks_excuse(ranks, p->ended ? "" : "it was interrupted");
}

void cli_ranks_excuse(cli_ranks *ranks, const char *text)
{
    if (!ranks->post || ranks->rank == 0)
        return;
    say(TAG_EXCUSE, text, (int)strlen(text));
    ranks->post->ended = true;
}

/* ---- beginning and end ------------------------------------------------------------------------- */

/* Whether mpirun or srun has started this process. Otherwise MPI, which takes long to
 * start, is not used. */
static bool is_launched(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (getenv(names[k]))
            return true;
    return false;
}

static double choose_patience(void)
{
    const char *text = getenv("LIVENS_PATIENCE");
    const double seconds = text ? strtod(text, NULL) : 0;
    return seconds > 0 ? seconds : patience_seconds;
}

static bool make_post(cli_ranks *ranks)
{
    cli_post *p = ranks->post = calloc(1, sizeof *p);
    if (!p)
        return false;
    p->ranks = ranks;
    p->patience = choose_patience();
    p->mates = calloc((size_t)ranks->count, sizeof *p->mates);
    for (int r = 0; p->mates && r < ranks->count; r++) {
        p->mates[r].heard = now_seconds();
        p->mates[r].members = calloc(CHUNK_MOST, sizeof(int));
        if (!p->mates[r].members)
            return false;
    }
    return p->mates != NULL;
}

lv_status cli_ranks_begin(cli_ranks *ranks, lv_error *err)
{
    int level = 0;
    *ranks = (cli_ranks){.count = 1};
    if (!is_launched())
        return LV_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
        return cli_fail(err, LV_ERR_IO, "MPI cannot be used");
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
    if (level < MPI_THREAD_SERIALIZED)
        return cli_fail(err, LV_ERR_IO, "this MPI does not let threads take turns");
    return make_post(ranks) ? LV_OK : cli_fail(err, LV_ERR_MEMORY, "out of memory");
}

static void post_done(cli_ranks *ranks)
{
    cli_post *p = ranks->post;
    for (int r = 0; p->mates && r < ranks->count; r++)
        free(p->mates[r].members);
    for (int k = 0; p->results && k < p->count; k++)
        cli_result_free(p->results[k]);
    cli_result_free(p->current);
    free(p->results);
    free(p->numbers);
    free(p->again);
    free(p->is_again);
    free(p->mates);
    free(p);
    ranks->post = NULL;
}

/* Tells all ranks that there are no more members, and waits for their answers; false:
 * some do not answer. */
static bool dismiss(cli_post *p)
{
    bool all = false;
    const double began = now_seconds();
    p->ended = true;
    p->next = p->count;
    p->again_count = 0;
    for (int r = 1; r < p->ranks->count; r++)
        if (!p->mates[r].left && !p->mates[r].lost)
            send_members(r, NULL, 0);
    while (!all && now_seconds() - began < p->patience) {
        (void)listen_to_all(p);
        all = true;
        for (int r = 1; r < p->ranks->count; r++) {
            if (p->mates[r].lost)
                return false;
            all = all && p->mates[r].left;
        }
        nap();
    }
    return all;
}

void cli_ranks_end(cli_ranks *ranks, int exit_code)
{
    cli_post *p = ranks->post;
    if (!p)
        return;
    if (ranks->rank == 0 && !dismiss(p)) {
        (void)fflush(NULL);
        (void)MPI_Abort(MPI_COMM_WORLD, exit_code);
    }
    post_done(ranks);
    (void)MPI_Finalize();
}
