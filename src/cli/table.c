#include "cli/command.h"

#include <stddef.h>
#include <string.h>

const cli_command *const cli_commands[] = {
#define CLI_X(name) &cli_command_##name,
#include "cli/list.h"
#undef CLI_X
    NULL,
};

const cli_option cli_help_option = {"help", 'h', false, NULL, "show this text and stop"};

const cli_command *cli_command_find(const char *name)
{
    for (int k = 0; cli_commands[k]; k++)
        if (strcmp(cli_commands[k]->name, name) == 0)
            return cli_commands[k];
    return NULL;
}
