/* What members had to say, why they failed and what their runs warn of, as one text in the file of a part: tables have
 * numbers only. A line with the number of messages, then for each of them, in the order of the members, a line
 * "MEMBER KIND LENGTH" and the message. */
#ifndef LV_STUDY_MESSAGES_H
#define LV_STUDY_MESSAGES_H

#include "base/text.h"

typedef struct lv_messages {
    int count;
    lv_text text;
} lv_messages;

/* Adds those of a member: why it failed, NULL if it did not, and its warnings. Without memory lv_messages_write fails. */
void lv_messages_add(lv_messages *messages, int member, const char *failure,
                     const char *const *warnings, int count);

/* The whole text; NULL: there is no memory. Free with lv_text_done. */
const char *lv_messages_write(const lv_messages *messages, lv_text *whole);
void lv_messages_done(lv_messages *messages);

/* Lets `places`, one for each of so many members, point to their first messages in such a text. LV_ERR_IO if it is not
 * one. */
lv_status lv_messages_index(const char **places, int members, const char *text,
                            const char *path, lv_error *err);

typedef struct lv_message {
    int member;
    bool failure; /* or a warning */
    const char *text;
    size_t length;
} lv_message;

/* The message at such a place, if it is one of this member, which goes on to the next; *place may be NULL. */
bool lv_messages_next(const char **place, int member, lv_message *message);

#endif
