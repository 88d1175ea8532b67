/* What livens knows of its own model language: for editors, forms and help. */
#include "must.h"

#include <string.h>

int main(void)
{
    int models = 0, functions = 0, sections = 0;
    while (lv_shipped_names()[models])
        models++;
    printf("%d models come with livens; the text of %s has %zu bytes\n", models,
           lv_shipped_names()[0], strlen(lv_shipped_text(lv_shipped_names()[0])));

    lv_function_info function;
    while (lv_function_describe(functions, &function))
        functions++;
    (void)lv_function_describe(0, &function);
    printf("%d functions, the first is %s: %s\n", functions, function.signature,
           function.doc);

    lv_section_info section;
    lv_key_info key;
    lv_word_info word;
    for (; lv_section_describe(sections, &section); sections++)
        if (strcmp(section.name, "joints") == 0) {
            for (int k = 0; lv_key_describe(sections, k, &key); k++)
                printf("  %s%s: %s\n", key.name, key.required ? " (required)" : "",
                       key.doc);
            for (int k = 0; lv_word_describe(sections, k, &word); k++)
                printf("  %s = \"%s\": %s\n", word.key, word.name, word.doc);
        }
    printf("%d sections\n", sections);
    return 0;
}
