/* Golden files, read line by line. The tests run with LANEWAY_ROOT set; without it, from the root.
 */

#include <stdio.h>
#include <stdlib.h>

#include "golden.h"

void golden_each(const char *file, void (*row)(const cJSON *object, const char *line))
{
    const char *root = getenv("LANEWAY_ROOT");
    char path[1024];
    char *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/tests/golden/%s", root ? root : ".", file);
    FILE *input = fopen(path, "r");
    if (!input)
        fail_msg("cannot open %s", path);
    while (getline(&line, &room, input) > 0) {
        cJSON *object = cJSON_Parse(line);
        if (!object)
            fail_msg("not JSON: %s", line);
        if (!cJSON_GetObjectItem(object, "witness"))
            row(object, line);
        cJSON_Delete(object);
    }
    free(line);
    fclose(input);
}
