/* The messages of members, their failures and warnings, as one text in the file of a
 * part, because tables have only numbers. The text has a line with the number of
 * messages, then for each message, in the order of the members, a line "MEMBER KIND
 * LENGTH" and the message. */
#ifndef LV_STUDY_MESSAGES_H
#define LV_STUDY_MESSAGES_H

#include "base/text.h"

typedef struct lv_messages {
    int count;
    lv_text text;
} lv_messages;

/* Adds the messages of a member: its failure (NULL: it did not fail) and its warnings. If
 * memory is short, lv_messages_write fails later. */
void lv_messages_add(lv_messages *messages, int member, const char *failure,
                     const char *const *warnings, int count);

/* The whole text; NULL: memory is short. Free it with lv_text_done. */
const char *lv_messages_write(const lv_messages *messages, lv_text *whole);
void lv_messages_done(lv_messages *messages);

/* Sets `places`, one pointer per member, to the first message of each member in such a
 * text. Any other text is LV_ERR_IO. */
lv_status lv_messages_index(const char **places, int members, const char *text,
                            const char *path, lv_error *err);

typedef struct lv_message {
    int member;
    bool failure; /* false: a warning */
    const char *text;
    size_t length;
} lv_message;

/* Reads the message at *place if it belongs to this member, and advances *place to the
 * next one; *place may be NULL. */
bool lv_messages_next(const char **place, int member, lv_message *message);

#endif
