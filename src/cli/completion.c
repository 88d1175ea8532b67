/* One pass over all commands for every shell. The placeholder in help tells what may
 * follow an option or be an argument: "a|b|c" are words, OUT.h5 and DIR are files, MODEL
 * is a file or a shipped model; names of schemes, parts, papers and topics come from
 * their lists. */
#include "cli/completion.h"

#include "cli/help.h"
#include "cli/reproduce/papers.h"

#include <string.h>

const char *const cli_completion_shells[] = {"bash", "zsh", "fish", NULL};

enum { WORDS_SIZE = 8000 };

/* What may be at a place: words separated by blanks, files, or both. */
typedef struct choices {
    char words[WORDS_SIZE];
    size_t length;
    bool files;
} choices;

static void add_word(choices *c, const char *word, size_t length)
{
    if (c->length + length + 2 > sizeof c->words)
        return;
    if (c->length > 0)
        c->words[c->length++] = ' ';
    memcpy(c->words + c->length, word, length);
    c->length += length;
    c->words[c->length] = '\0';
}

static void add_choice(choices *c, const char *word)
{
    add_word(c, word, strlen(word));
}

/* ---- lists of words --------------------------------------------------------------------------- */

static void add_models(choices *c)
{
    for (const char *const *name = lv_shipped_names(); *name; name++)
        add_choice(c, *name);
}

static void add_schemes(choices *c)
{
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        add_choice(c, info.name);
}

static void add_sections(choices *c)
{
    lv_section_info info;
    for (int k = 0; lv_section_describe(k, &info); k++)
        if (info.name[0])
            add_choice(c, info.name);
}

static void add_words(choices *c)
{
    lv_section_info info;
    lv_word_info word;
    for (int k = 0; lv_section_describe(k, &info); k++)
        for (int w = 0; lv_word_describe(k, w, &word); w++)
            add_choice(c, word.name);
}

/* Options of schemes, and the words that they accept. */
static void add_options(choices *c)
{
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++) {
        add_choice(c, info.name);
        for (int w = 0; info.choices && info.choices[w]; w++)
            add_choice(c, info.choices[w]);
    }
}

static void add_papers(choices *c)
{
    cli_paper_info info;
    for (int k = 0; cli_paper_describe(k, &info); k++)
        add_choice(c, info.name);
}

static void add_statuses(choices *c)
{
#define LV_X(id, name, meaning) add_choice(c, name);
    LV_STATUS_LIST(LV_X)
#undef LV_X
}

static void add_commands(choices *c)
{
    for (int k = 0; cli_commands[k]; k++)
        add_choice(c, cli_commands[k]->name);
}

static void add_topics(choices *c)
{
    for (int k = 0; cli_topics[k].name; k++)
        add_choice(c, cli_topics[k].name);
}

/* Adds the words of "a|b|c"; "[=a|b]" means that the value may be left out. */
static void add_alternatives(choices *c, const char *text)
{
    text += strspn(text, "[=");
    while (*text && *text != ']') {
        size_t length = strcspn(text, "|]");
        add_word(c, text, length);
        text += length + (text[length] == '|');
    }
}

static bool is_file(const char *placeholder)
{
    return strncmp(placeholder, "OUT", 3) == 0 || strcmp(placeholder, "DIR") == 0 ||
           strcmp(placeholder, "FILE") == 0;
}

static void choose(choices *c, const char *placeholder)
{
    *c = (choices){.files = is_file(placeholder)};
    if (strchr(placeholder, '|'))
        add_alternatives(c, placeholder);
}

static void choose_value(choices *c, const cli_option *option)
{
    choose(c, option->value);
    if (strcmp(option->name, "scheme") == 0)
        add_schemes(c);
}

static void choose_argument(choices *c, const cli_command *command)
{
    const char *name = command->arguments[0].name;
    choose(c, name ? name : "");
    if (!name)
        return;
    if (strcmp(name, "MODEL") == 0) {
        add_models(c);
        c->files = true;
    } else if (strcmp(name, "PAPER") == 0) {
        add_papers(c);
    } else if (strcmp(name, "TOPIC") == 0) {
        add_commands(c);
        add_topics(c);
    } else if (strcmp(command->name, "show") == 0) {
        add_models(c);
    } else if (strcmp(command->name, "explain") == 0) {
        add_schemes(c);
        add_sections(c);
        add_words(c);
        add_options(c);
        add_statuses(c);
    }
}

/* Calls a function for all options of a command, including --help. */
typedef void visit(FILE *out, const cli_command *command, const cli_option *option);

static void for_options(FILE *out, const cli_command *command, visit *function)
{
    for (const cli_option *o = command->options; o && o->name; o++)
        function(out, command, o);
    function(out, command, &cli_help_option);
}

/* ---- bash ---------------------------------------------------------------------------------------- */

static void bash_value(FILE *out, const cli_command *command, const cli_option *option)
{
    choices c;
    if (!option->value || option->value[0] == '[')
        return;
    choose_value(&c, option);
    fprintf(out, "    '%s --%s'", command->name, option->name);
    if (option->letter)
        fprintf(out, " | '%s -%c'", command->name, option->letter);
    fprintf(out, ") words='%s' files=%s ;;\n", c.words, c.files ? "yes" : "no");
}

static void bash_name(FILE *out, const cli_command *command, const cli_option *option)
{
    (void)command;
    fprintf(out, " --%s", option->name);
}

static void bash_command(FILE *out, const cli_command *command)
{
    choices c;
    choose_argument(&c, command);
    fprintf(out, "    '%s '-*) words='", command->name);
    for_options(out, command, bash_name);
    fprintf(out, "' ;;\n    '%s '*) words='%s' files=%s ;;\n", command->name, c.words,
            c.files ? "yes" : "no");
}

static void write_bash(FILE *out)
{
    choices names = {.length = 0};
    add_commands(&names);
    fputs("# Completion of livens in bash: livens help --completion bash\n"
          "_livens() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} words='' files=no\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n",
          out);
    fprintf(out,
            "        mapfile -t COMPREPLY < <(compgen -W '%s --help --version' -- "
            "\"$word\")\n",
            names.words);
    fputs("        return\n"
          "    fi\n"
          "    case \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD - 1]}\" in\n",
          out);
    for (int k = 0; cli_commands[k]; k++)
        for_options(out, cli_commands[k], bash_value);
    fputs("    *)\n    case \"${COMP_WORDS[1]} $word\" in\n", out);
    for (int k = 0; cli_commands[k]; k++)
        bash_command(out, cli_commands[k]);
    fputs("    esac ;;\n"
          "    esac\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "    if [ \"$files\" = yes ]; then\n"
          "        local found\n"
          "        mapfile -t found < <(compgen -f -- \"$word\")\n"
          "        COMPREPLY+=(\"${found[@]}\")\n"
          "    fi\n"
          "}\n"
          "complete -o filenames -F _livens livens\n",
          out);
}

/* ---- zsh ----------------------------------------------------------------------------------------- */

/* Writes a text inside '...' of _arguments or _describe, where colons and brackets have a
 * meaning. */
static void zsh_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", out);
        else if (strchr(":[]\\", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void zsh_action(FILE *out, const choices *c)
{
    if (c->files && c->length > 0)
        fprintf(out, "{compadd -- %s; _files}", c->words);
    else if (c->files)
        fputs("_files", out);
    else
        fprintf(out, "(%s)", c->words);
}

static void zsh_option(FILE *out, const cli_command *command, const cli_option *option)
{
    (void)command;
    const bool optional = option->value && option->value[0] == '[';
    const char *sign = !option->value ? "" : optional ? "=-" : "=";
    fputs(" \\\n            ", out);
    if (option->letter)
        fprintf(out, "'(-%c --%s)'{-%c,--%s%s}'[", option->letter, option->name,
                option->letter, option->name, sign);
    else
        fprintf(out, "'%s--%s%s[", option->repeats ? "*" : "", option->name, sign);
    zsh_text(out, option->doc);
    fputc(']', out);
    if (option->value) {
        choices c;
        choose_value(&c, option);
        fputs(optional ? "::" : ":", out);
        fprintf(out, "%s:", option->name);
        zsh_action(out, &c);
    }
    fputc('\'', out);
}

static void zsh_command(FILE *out, const cli_command *command)
{
    choices c;
    choose_argument(&c, command);
    fprintf(out, "    %s)\n        _arguments", command->name);
    for_options(out, command, zsh_option);
    if (command->arguments[0].name) {
        fputs(" \\\n            '1:argument:", out);
        zsh_action(out, &c);
        fputc('\'', out);
    }
    fputs(" ;;\n", out);
}

static void write_zsh(FILE *out)
{
    fputs("#compdef livens\n"
          "# Completion of livens in zsh: livens help --completion zsh\n"
          "_livens() {\n"
          "    local -a commands=(\n",
          out);
    for (int k = 0; cli_commands[k]; k++) {
        fprintf(out, "        '%s:", cli_commands[k]->name);
        zsh_text(out, cli_commands[k]->summary);
        fputs("'\n", out);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    for (int k = 0; cli_commands[k]; k++)
        zsh_command(out, cli_commands[k]);
    fputs("    esac\n"
          "}\n"
          "_livens \"$@\"\n",
          out);
}

/* ---- fish ---------------------------------------------------------------------------------------- */

static void fish_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void fish_begin(FILE *out, const cli_command *command)
{
    fprintf(out, "complete -c livens -n '__fish_seen_subcommand_from %s'", command->name);
}

static void fish_option(FILE *out, const cli_command *command, const cli_option *option)
{
    fish_begin(out, command);
    fprintf(out, " -l %s", option->name);
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    if (option->value) {
        choices c;
        choose_value(&c, option);
        if (c.length > 0)
            fprintf(out, " -a '%s'", c.words);
        fputs(c.files ? " -r -F" : option->value[0] == '[' ? "" : " -x", out);
    }
    fputs(" -d '", out);
    fish_text(out, option->doc);
    fputs("'\n", out);
}

static void fish_command(FILE *out, const cli_command *command)
{
    choices c;
    fprintf(out, "complete -c livens -n __fish_use_subcommand -a %s -d '", command->name);
    fish_text(out, command->summary);
    fputs("'\n", out);
    choose_argument(&c, command);
    if (c.length > 0) {
        fish_begin(out, command);
        fprintf(out, " -a '%s'\n", c.words);
    }
    if (c.files) {
        fish_begin(out, command);
        fputs(" -F\n", out);
    }
    for_options(out, command, fish_option);
}

static void write_fish(FILE *out)
{
    fputs("# Completion of livens in fish: livens help --completion fish\n"
          "complete -c livens -f\n",
          out);
    for (int k = 0; cli_commands[k]; k++)
        fish_command(out, cli_commands[k]);
}

void cli_completion_write(FILE *out, int shell)
{
    static void (*const writers[])(FILE * out) = {write_bash, write_zsh, write_fish};
    writers[shell](out);
}
