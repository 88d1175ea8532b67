/* One warm step of a simulation, every call recorded: what tools/walk runs.
 *
 *     walk_step SCHEME MODEL [NAME=VALUE ...]
 *
 * The library is built with -finstrument-functions. Prints one line per event of the step: the address of
 * the function that is entered, relative to the program, or "-" where one returns. */
#include <livens/livens.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 50, EVENTS_MOST = 1 << 24 };

#define UNSEEN __attribute__((no_instrument_function))

extern const char __executable_start[];
void __cyg_profile_func_enter(void *function, void *caller) UNSEEN;
void __cyg_profile_func_exit(void *function, void *caller) UNSEEN;

static bool recording;
static uintptr_t *events; /* 0: a return */
static int count;

static void UNSEEN record(uintptr_t event)
{
    if (recording && count < EVENTS_MOST)
        events[count++] = event;
}

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    record((uintptr_t)function - (uintptr_t)__executable_start);
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
    record(0);
}

static bool UNSEEN set_option(lv_scheme_options *options, char *word)
{
    lv_option_info info;
    double value = 0;
    char *text = strchr(word, '=');
    if (!text)
        return false;
    *text++ = '\0';
    for (int k = 0; lv_option_describe(k, &info); k++)
        if (strcmp(info.name, word) == 0 && lv_option_parse((lv_option)k, text, &value)) {
            lv_scheme_option_set(options, (lv_option)k, value);
            return true;
        }
    return false;
}

static lv_status UNSEEN walk(lv_sim *sim, lv_error *err)
{
    for (int k = 0; k < WARM; k++) {
        lv_status status = lv_sim_step(sim, err);
        if (status != LV_OK)
            return status;
    }
    recording = true;
    lv_status status = lv_sim_step(sim, err);
    recording = false;
    return status;
}

static lv_status UNSEEN simulate(int argc, char **argv, lv_error *err)
{
    lv_model *model = NULL;
    lv_sim *sim = NULL;
    lv_status status = lv_model_read(&model, argv[2], NULL, 0, err);
    if (status != LV_OK)
        return status;
    lv_sim_options options = {.scheme = argv[1],
                              .step = lv_sim_options_default(model).step};
    if (!(options.step > 0))
        options.step = 0.01;
    for (int k = 3; k < argc; k++)
        if (!set_option(&options.options, argv[k]))
            fprintf(stderr, "'%s' is no option of a scheme: it is left out\n", argv[k]);
    status = lv_sim_create(&sim, model, &options, err);
    if (status == LV_OK)
        status = walk(sim, err);
    lv_sim_free(sim);
    lv_model_free(model);
    return status;
}

int UNSEEN main(int argc, char **argv)
{
    lv_error err;
    char text[4096];
    if (argc < 3) {
        fprintf(stderr, "usage: walk_step SCHEME MODEL [NAME=VALUE ...]\n");
        return 2;
    }
    events = calloc(EVENTS_MOST, sizeof *events);
    if (!events)
        return 1;
    lv_status status = simulate(argc, argv, &err);
    if (status != LV_OK) {
        lv_error_write(&err, text, sizeof text);
        fputs(text, stderr);
        free(events);
        return lv_status_exit_code(status);
    }
    for (int k = 0; k < count; k++)
        if (events[k])
            printf("%#jx\n", (uintmax_t)events[k]);
        else
            puts("-");
    free(events);
    return 0;
}
