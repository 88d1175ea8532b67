/* The record, which says where everything is in a file. hdf5_sink.h describes the
 * layout. */
#include "out/hdf5_sink.h"

#include <limits.h>
#include <string.h>

/* The last byte is the version of the layout. */
static const unsigned char magic[8] = "livens\x04";
enum { MAGIC_NAME = 6 };

/* The fixed part: magic, checksum of the rest, number of channels; sides and their size,
 * slots, size of a checkpoint, sync, /names, size and checksum of the constant part;
 * texts of /run, attributes of the root. */
enum { FIXED = 8 * (3 + 3 + 2 + 3 + 2 + 3 + 3), PER_CHANNEL = 8 * 10 + LV_H5_NAME };

int lv_h5_record_size(int channel_count)
{
    return FIXED + channel_count * PER_CHANNEL;
}

static void put_block(lv_bytes *b, const lv_h5_block *block)
{
    lv_bytes_number(b, block->at, 8);
    lv_bytes_number(b, block->size, 8);
    lv_bytes_number(b, (uint64_t)block->messages, 8);
}

static lv_h5_block get_block(const unsigned char *from)
{
    return (lv_h5_block){lv_h5_load(from, 8), lv_h5_load(from + 8, 8),
                         (int)lv_h5_load(from + 16, 8)};
}

static void put_channel(lv_bytes *b, const lv_h5_channel *c)
{
    char name[LV_H5_NAME] = {0};
    memcpy(name, c->source->name, strlen(c->source->name));
    lv_bytes_number(b, (uint64_t)c->source->width, 8);
    lv_bytes_number(b, c->tree.rows, 8);
    lv_bytes_number(b, c->tree.columns, 8);
    lv_bytes_number(b, c->tree.across, 8);
    lv_bytes_number(b, c->names, 8);
    lv_bytes_number(b, c->label_length, 8);
    put_block(b, &c->attributes);
    lv_bytes_number(b, (uint64_t)c->tree.rank, 8);
    lv_bytes_raw(b, name, sizeof name);
}

void lv_h5_record_put(const lv_h5_sink *s, lv_bytes *b)
{
    const int begin = b->count;
    const uint64_t numbers[] = {s->side_at[0],     s->side_at[1],
                                s->side_size,      s->slot_at[0],
                                s->slot_at[1],     (uint64_t)s->checkpoint_size,
                                (uint64_t)s->sync, s->names_group,
                                s->constant_size,  s->constant_checksum};
    lv_bytes_raw(b, magic, sizeof magic);
    lv_bytes_zeros(b, 8);
    lv_bytes_number(b, (uint64_t)s->channel_count, 8);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        lv_bytes_number(b, numbers[k], 8);
    put_block(b, &s->run_links);
    put_block(b, &s->root_attributes);
    for (int k = 0; k < s->channel_count; k++)
        put_channel(b, &s->channels[k]);
    if (!b->failed)
        lv_bytes_set(
            b, begin + 8,
            lv_h5_checksum(b->data + begin + 16, (size_t)(b->count - begin - 16)), 8);
}

lv_h5_kind lv_h5_record_kind(const unsigned char *record)
{
    if (memcmp(record, magic, MAGIC_NAME) != 0)
        return LV_H5_FOREIGN;
    return memcmp(record, magic, sizeof magic) == 0 ? LV_H5_OURS : LV_H5_OTHER_VERSION;
}

int lv_h5_record_channels(const unsigned char *record)
{
    const uint64_t count = lv_h5_load(record + 16, 8);
    return count < INT_MAX / PER_CHANNEL - 1 ? (int)count : -1;
}

bool lv_h5_record_check(const unsigned char *record, int channel_count)
{
    return lv_h5_checksum(record + 16, (size_t)lv_h5_record_size(channel_count) - 16) ==
           lv_h5_load(record + 8, 8);
}

/* Is [at, at + size) within [from, to)? */
static bool within(uint64_t at, uint64_t size, uint64_t from, uint64_t to)
{
    return at >= from && at <= to && size <= to - at;
}

static bool is_sound_channel(const lv_h5_sink *s, const lv_h5_channel *c,
                             const unsigned char *from)
{
    const uint64_t most = 2 * (uint64_t)LV_H5_CHUNK_MOST, width = lv_h5_load(from, 8);
    const lv_tree *tree = &c->tree;
    if (width > INT_MAX || (tree->rank != 2 && (tree->rank != 1 || width != 1)) ||
        from[PER_CHANNEL - 1] != 0 || tree->rows < 1 || tree->rows > most ||
        tree->columns < 1 || tree->columns > most || tree->rows * tree->columns > most ||
        c->label_length > LV_H5_MESSAGE_MOST ||
        tree->across != (width + tree->columns - 1) / tree->columns + (width == 0))
        return false;
    return within(c->names, c->label_length * width, s->constant_at,
                  s->constant_at + s->constant_size);
}

/* The checksum shows that the record is as it was written; this checks that its values
 * are plausible. */
static bool is_sound(const lv_h5_sink *s, uint64_t end)
{
    const uint64_t checkpoint = (uint64_t)s->checkpoint_size * sizeof(double);
    if (s->side_size < LV_H5_STATE || s->side_size > INT_MAX ||
        s->constant_size > INT_MAX || s->checkpoint_size < 0 ||
        !within(s->constant_at, s->constant_size, LV_H5_RECORD_AT, end) ||
        !within(s->run_links.at, s->run_links.size, s->constant_at,
                s->constant_at + s->constant_size))
        return false;
    const uint64_t variable = s->constant_at + s->constant_size;
    return within(s->side_at[0], s->side_size, variable, end) &&
           within(s->side_at[1], s->side_size, variable, end) &&
           within(s->slot_at[0], checkpoint, variable, end) &&
           within(s->slot_at[1], checkpoint, variable, end);
}

bool lv_h5_record_get(lv_h5_sink *s, const unsigned char *record, int channel_count,
                      uint64_t end)
{
    const unsigned char *from = record + LV_H5_RECORD_HEAD;
    s->side_at[0] = lv_h5_load(from, 8);
    s->side_at[1] = lv_h5_load(from + 8, 8);
    s->side_size = lv_h5_load(from + 16, 8);
    s->slot_at[0] = lv_h5_load(from + 24, 8);
    s->slot_at[1] = lv_h5_load(from + 32, 8);
    s->checkpoint_size = (int)lv_h5_load(from + 40, 8);
    s->sync = lv_h5_load(from + 48, 8) != 0;
    s->names_group = lv_h5_load(from + 56, 8);
    s->constant_at =
        (uint64_t)LV_H5_RECORD_AT + (uint64_t)lv_h5_record_size(channel_count);
    s->constant_size = lv_h5_load(from + 64, 8);
    s->constant_checksum = lv_h5_load(from + 72, 8);
    s->run_links = get_block(from + 80);
    s->root_attributes = get_block(from + 104);
    bool sound = is_sound(s, end);
    for (int k = 0; k < s->channel_count && sound; k++) {
        lv_h5_channel *c = &s->channels[k];
        from = record + FIXED + (size_t)k * PER_CHANNEL;
        lv_tree_init(&c->tree, (int)lv_h5_load(from + 72, 8), lv_h5_load(from + 8, 8),
                     lv_h5_load(from + 16, 8), lv_h5_load(from + 24, 8));
        c->names = lv_h5_load(from + 32, 8);
        c->label_length = lv_h5_load(from + 40, 8);
        c->attributes = get_block(from + 48);
        sound = is_sound_channel(s, c, from);
    }
    return sound;
}

const char *lv_h5_record_name(const unsigned char *record, int channel, uint64_t *width)
{
    const unsigned char *from = record + FIXED + (size_t)channel * PER_CHANNEL;
    *width = lv_h5_load(from, 8);
    return (const char *)(from + PER_CHANNEL - LV_H5_NAME);
}
