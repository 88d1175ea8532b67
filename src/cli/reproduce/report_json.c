#include "cli/json.h"
#include "cli/reproduce/report.h"

static void put_paper(cli_json *j, const cli_paper_info *paper)
{
    cli_json_put_text(j, "name", paper->name);
    cli_json_put_text(j, "title", paper->title);
    cli_json_put_text(j, "citation", paper->citation);
}

static void put_claim(cli_json *j, const cli_claim_info *c)
{
    cli_json_open(j, '{');
    cli_json_put_text(j, "where", c->where);
    cli_json_put_text(j, "subject", c->subject);
    cli_json_put_text(j, "claim", c->claim);
    if (c->source == CLI_PIN_NONE)
        cli_json_put_text(j, "published", c->published);
    else
        cli_json_put_text(j, "source", cli_pin_source_name(c->source));
    cli_json_put_text(j, "measured", c->measured[0] ? c->measured : NULL);
    cli_json_put_number(j, "value", c->value);
    cli_json_put_number(j, "least", c->least);
    cli_json_put_number(j, "most", c->most);
    cli_json_put_text(j, "verdict", cli_claim_verdict_name(c->verdict));
    cli_json_put_text(j, "note", c->note);
    cli_json_close(j, '}');
}

static void put_claims(cli_json *j, const char *key, const cli_claim_info *claims,
                       int count)
{
    cli_json_key(j, key);
    cli_json_open(j, '[');
    for (int k = 0; k < count; k++)
        put_claim(j, &claims[k]);
    cli_json_close(j, ']');
}

static void put_counts(cli_json *j, const cli_reproduction *r)
{
    cli_json_key(j, "counts");
    cli_json_open(j, '{');
    cli_json_put_whole(j, "agrees", r->agree);
    cli_json_put_whole(j, "corrected", r->corrected);
    cli_json_put_whole(j, "differs", r->differ);
    cli_json_put_whole(j, "open", r->open);
    cli_json_put_whole(j, "pins", r->pin_count);
    cli_json_put_whole(j, "pins_differ", r->pins_differ);
    cli_json_close(j, '}');
}

static void put_erratum(cli_json *j, const cli_erratum_info *e)
{
    cli_json_open(j, '{');
    cli_json_put_text(j, "where", e->where);
    cli_json_put_text(j, "printed", e->printed);
    cli_json_put_text(j, "correct", e->correct);
    cli_json_close(j, '}');
}

void cli_reproduce_write_json(const cli_reproduction *r)
{
    cli_json json = {.out = stdout};
    cli_json_open(&json, '{');
    cli_json_put_text(&json, "status",
                      r->interrupted ? "interrupted" : lv_status_name(LV_OK));
    put_paper(&json, &r->paper);
    put_counts(&json, r);
    put_claims(&json, "claims", r->claims, r->claim_count);
    put_claims(&json, "pins", r->pins, r->pin_count);
    cli_json_key(&json, "corrections");
    cli_json_open(&json, '[');
    for (int k = 0; k < r->erratum_count; k++)
        put_erratum(&json, &r->errata[k]);
    cli_json_close(&json, ']');
    cli_json_key(&json, "files");
    cli_json_open(&json, '[');
    for (int k = 0; k < r->file_count; k++)
        cli_json_text(&json, r->files[k]);
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
}

static void write_papers_json(void)
{
    cli_json json = {.out = stdout};
    cli_paper_info paper;
    cli_json_open(&json, '{');
    cli_json_put_text(&json, "status", lv_status_name(LV_OK));
    cli_json_key(&json, "papers");
    cli_json_open(&json, '[');
    for (int k = 0; cli_paper_describe(k, &paper); k++) {
        cli_json_open(&json, '{');
        put_paper(&json, &paper);
        cli_json_put_whole(&json, "figures", paper.figures);
        cli_json_put_whole(&json, "claims", paper.claims);
        cli_json_put_whole(&json, "pins", paper.pins);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
}

void cli_papers_write(bool json)
{
    if (json)
        write_papers_json();
    else
        cli_papers_write_text();
}
