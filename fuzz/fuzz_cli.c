/* The program with any arguments: the lines of the input, up to an empty one; what follows is a model file "m.toml".
 * It works in a directory of its own: arguments with a slash, by which it could leave it, are left out. Runs end at
 * their start, and experiments that take long are not run. Its exit code is one that the manual has. */
#include "scratch.h"

#include <livens/livens.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int livens_main(int argc, char **argv);

enum { MOST = 24 };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    scratch_enter();
    scratch_check(freopen("/dev/null", "r", stdin) != NULL);
    scratch_check(freopen("/dev/null", "w", stdout) != NULL);
    return 0;
}

/* Cuts the arguments out of the text; returns what stands behind them. */
static char *split(char *text, char *argv[], int *argc)
{
    while (text && *text && *text != '\n') {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        if (*argc < MOST && !strchr(text, '/'))
            argv[(*argc)++] = text;
        text = end ? end + 1 : NULL;
    }
    return text && *text ? text + 1 : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char program[] = "livens", until[] = "--until", zero[] = "0",
                memory[] = "--memory", budget[] = "64M";
    char *text = malloc(size + 1), *argv[MOST + 6] = {program};
    int argc = 1;
    scratch_check(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    const char *model = split(text, argv, &argc);
    if (model)
        scratch_write("m.toml", (const unsigned char *)model, strlen(model));
    const char *command = argc > 1 ? argv[1] : "";
    const bool runs = strcmp(command, "run") == 0 || strcmp(command, "sweep") == 0;
    if (runs) {
        argv[argc++] = until;
        argv[argc++] = zero;
    }
    if (runs || strcmp(command, "check") == 0) {
        argv[argc++] = memory;
        argv[argc++] = budget;
    }
    argv[argc] = NULL;
    if (strcmp(command, "reproduce") != 0) {
        const int code = livens_main(argc, argv);
        scratch_check((code >= 0 && code <= 4) || code == 130);
    }
    scratch_clear();
    free(text);
    return 0;
}
