/* Writes texts of the step language for users (course/write.h). */
#include "course/write.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------- */

const char *lv_step_number(char buffer[LV_STEP_NUMBER], double x)
{
    enum { MOST_DENOMINATOR = 60 };
    const double rounding = 4e-15;
    for (int d = 1; d <= MOST_DENOMINATOR && fabs(x) < 1000; d++) {
        const double n = round(x * d);
        if (fabs(x * d - n) > rounding * fabs(n))
            continue;
        if (d == 1)
            snprintf(buffer, LV_STEP_NUMBER, "%.0f", n == 0 ? 0 : n);
        else
            snprintf(buffer, LV_STEP_NUMBER, "%.0f/%d", n, d);
        return buffer;
    }
    snprintf(buffer, LV_STEP_NUMBER, "%.6g", x);
    return buffer;
}

/* ---- statements -------------------------------------------------------------------- */

static bool is_listed(const char *const *list, const char *name, size_t length)
{
    for (; list && *list; list++)
        if (strlen(*list) == length && memcmp(*list, name, length) == 0)
            return true;
    return false;
}

/* What is known of the condition "when FACT:" or "when not FACT:" at `at`. */
typedef enum verdict { NO_CONDITION, COUNTS, DOES_NOT, NOT_KNOWN } verdict;

static verdict judge(const lv_step_source *source, const char *at, const char **behind)
{
    if (strncmp(at, "when ", 5) != 0)
        return NO_CONDITION;
    const bool negated = strncmp(at + 5, "not ", 4) == 0;
    const char *name = at + (negated ? 9 : 5);
    const size_t length = strcspn(name, ":\n");
    *behind = name + length + strspn(name + length, ": ");
    if (is_listed(source->holds, name, length))
        return negated ? DOES_NOT : COUNTS;
    if (is_listed(source->fails, name, length))
        return negated ? COUNTS : DOES_NOT;
    return NOT_KNOWN;
}

/* Writes the undecided conditions, then the statement; nothing if a condition is known to
 * fail. */
static bool write_statement(lv_text *out, const lv_step_source *source, const char *at,
                            const char *end)
{
    lv_text open = {0};
    const char *behind = at;
    bool counts = true;
    for (verdict v; counts && (v = judge(source, at, &behind)) != NO_CONDITION;
         at = behind) {
        if (v == NOT_KNOWN)
            lv_text_bytes(&open, at, (int)(behind - at));
        counts = v != DOES_NOT;
    }
    if (counts)
        lv_text_append(out, "%s%.*s\n", open.data ? open.data : "", (int)(end - at), at);
    out->failed = out->failed || open.failed;
    lv_text_done(&open);
    return counts;
}

/* Writes all statements. A comment is written with the first statement after it that
 * counts. */
static void write_statements(lv_text *out, const lv_step_source *source)
{
    const char *comment = NULL, *comment_end = NULL;
    bool counts = false; /* the last statement counts, with the lines that continue it */
    for (const char *line = source->text, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        if (*line == '#') {
            comment = comment && comment_end == line ? comment : line;
            comment_end = end + (*end == '\n');
            continue;
        }
        const bool continues = *line == ' ';
        const int length = out->count;
        if (comment && !continues)
            lv_text_bytes(out, comment, (int)(comment_end - comment));
        if (continues && counts)
            lv_text_append(out, "%.*s\n", (int)(end - line), line);
        if (!continues)
            counts = write_statement(out, source, line, end);
        if (counts) {
            comment = NULL;
        } else if (!out->failed && out->data) {
            out->count = length;
            out->data[length] = 0;
        }
    }
}

/* ---- coefficients ------------------------------------------------------------------ */

/* Does the text contain the word, followed by this character? 0: by anything but a
 * letter, a digit, ( and [. */
static bool uses(const char *text, const char *word, char next)
{
    const size_t length = strlen(word);
    for (const char *at = text; *at; at++) {
        const bool begins =
            isalpha((unsigned char)*at) &&
            (at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'));
        if (!begins || strncmp(at, word, length) != 0)
            continue;
        const char c = at[length];
        if (next ? c == next
                 : !isalnum((unsigned char)c) && c != '_' && c != '(' && c != '[')
            return true;
    }
    return false;
}

enum { MOST_NUMBERS = 16 };

static void write_rows(lv_text *out, const lv_coefficient *c)
{
    const int rows = c->columns > 0 ? c->rows : 1, columns = c->columns > 0 ? c->columns
                                                             : c->rows > 0  ? c->rows
                                                                            : 1;
    char number[LV_STEP_NUMBER];
    int width = 0;
    for (int k = 0; k < rows * columns; k++) {
        const int length = (int)strlen(lv_step_number(number, c->values[k]));
        width = length > width ? length : width;
    }
    for (int i = 0; i < rows; i++) {
        lv_text_append(out, "%*s%s", (int)strlen(c->name), i == 0 ? c->name : "",
                       i == 0 ? " =" : "  ");
        for (int j = 0; j < columns; j++)
            lv_text_append(out, j == 0 ? " %*s" : "  %*s", width,
                           lv_step_number(number, c->values[i * columns + j]));
        lv_text_append(out, "\n");
    }
}

static void write_coefficients(lv_text *out, const lv_step_source *source,
                               const char *written)
{
    const char *before = "\n";
    for (const lv_coefficient *c = source->coefficients; c && c->name; c++) {
        const int numbers = c->rows * (c->columns > 0 ? c->columns : 1);
        if (!uses(written, c->name, c->rows > 0 ? '[' : 0))
            continue;
        lv_text_append(out, "%s", before);
        before = "";
        if (numbers <= MOST_NUMBERS)
            write_rows(out, c);
        else if (c->columns > 0)
            lv_text_append(out, "%s: %d x %d numbers\n", c->name, c->rows, c->columns);
        else
            lv_text_append(out, "%s: %d numbers\n", c->name, c->rows);
    }
}

/* ---- operators --------------------------------------------------------------------- */

static void write_slots(lv_text *out, const lv_operator *op)
{
    lv_text_append(out, "%s(", op->name);
    for (const char *c = op->slots; *c; c++) {
        const bool second = *c == 'y' || *c == 'l' ||
                            (*c == 'w' && c != op->slots && op->turn == LV_TURN_NONE);
        const bool pair = op->turn == LV_TURN_NONE;
        const char *name = *c == '0' ? "q0" : *c == 'x' && pair ? "v0" : NULL;
        lv_text_append(out, "%s", c == op->slots ? "" : second ? "; " : ", ");
        if (name)
            lv_text_append(out, "%s", name);
        else
            lv_text_append(out, "%c", *c);
    }
    lv_text_append(out, ")");
}

static void write_operators(lv_text *out, const char *written)
{
    enum { WIDTH = 23 };
    const char *before = "\n";
    for (int k = 0; k < lv_operator_count; k++) {
        const lv_operator *op = &lv_operators[k];
        lv_text name = {0};
        if (!uses(written, op->name, '('))
            continue;
        write_slots(&name, op);
        lv_text_append(out, "%s%-*s %s\n", before, WIDTH, name.data ? name.data : "",
                       op->doc);
        out->failed = out->failed || name.failed;
        lv_text_done(&name);
        before = "";
    }
}

void lv_source_write(lv_text *out, const lv_step_source *source)
{
    lv_text written = {0};
    write_statements(&written, source);
    lv_text_bytes(out, written.data ? written.data : "", written.count);
    write_coefficients(out, source, written.data ? written.data : "");
    write_operators(out, written.data ? written.data : "");
    out->failed = out->failed || written.failed;
    lv_text_done(&written);
}
