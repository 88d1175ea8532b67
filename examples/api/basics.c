/* Versions, errors, and how much memory the library may take. */
#include "must.h"

int main(void)
{
    /* Was this compiled for the library that it runs with? */
    printf("livens %s: %s\n", lv_version(),
           lv_version_number() >= LV_VERSION_NUMBER ? "as new as its headers" : "older");

    /* A model with a mistake: where it is, what it is, and what would be right. */
    static const char text[] = "[coordinates]\nx = 1\n[energy]\nkinetic = \"m*x'^2\"\n";
    lv_error err;
    lv_model *model = NULL;
    lv_error_clear(&err);
    const lv_status status =
        lv_model_parse(&model, "mistake", text, sizeof text - 1, NULL, 0, &err);
    char message[4096];
    lv_error_write(&err, message, sizeof message);
    fputs(message, stdout);

    /* What programs ask instead of reading the text. */
    printf("%s (%s), line %d, about: %s, why: %s, exit code %d\n", lv_status_name(status),
           lv_status_meaning(status), err.line, lv_subject_name(err.about),
           lv_reason_name(err.why), lv_status_exit_code(status));

    /* A budget that is too small for a large model: a refusal, and everything else goes on. */
    const size_t usual = lv_memory_budget();
    lv_memory_set_budget(lv_memory_used() + 2000000);
    const lv_setting many = {"N", "100000"};
    if (lv_model_read(&model, "chain", &many, 1, &err) != LV_OK)
        printf("refused: %s\n", err.text);
    lv_memory_set_budget(usual);
    lv_model_free(model);
    return 0;
}
