/* Running the built program. */

#include "cli/program.h"

#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char scratch[64];

static void remove_scratch(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    if (system(command) != 0)
        perror("rm");
}

static void go_to_root(void)
{
    const char *root = getenv("LANEWAY_ROOT");
    if (root)
        assert_int_equal(chdir(root), 0);
}

/* A folder whose bin/laneway is the program. */
static void make_scratch(void)
{
    const char *program = getenv("LANEWAY");
    char path[128];
    if (scratch[0])
        return;
    go_to_root();
    char *real = realpath(program ? program : "build/laneway", NULL);
    assert_non_null(real);
    strcpy(scratch, "/tmp/laneway-cli.XXXXXX");
    assert_non_null(mkdtemp(scratch));
    atexit(remove_scratch);
    snprintf(path, sizeof path, "%s/bin", scratch);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/bin/laneway", scratch);
    assert_int_equal(symlink(real, path), 0);
    free(real);
}

static void child(const char *command, FILE *in, FILE *out, FILE *err)
{
    struct rlimit seconds = {60, 60};
    const char *path = getenv("PATH");
    char *full = malloc(strlen(path) + sizeof scratch + 8);
    sprintf(full, "%s/bin:%s", scratch, path);
    setenv("PATH", full, 1);
    setenv("SCRATCH", scratch, 1);
    setenv("TERM", "dumb", 1);
    unsetenv("NO_COLOR");
    setrlimit(RLIMIT_CPU, &seconds);
    dup2(fileno(in), STDIN_FILENO);
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static char *slurp(FILE *file, size_t *length)
{
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *length, file), *length);
    text[*length] = '\0';
    fclose(file);
    return text;
}

void run_with_input(struct result *result, const char *command, const char *input, size_t length)
{
    make_scratch();
    FILE *in = tmpfile(), *out = tmpfile(), *err = tmpfile();
    assert_true(in && out && err);
    fwrite(input, 1, length, in);
    fflush(in);
    lseek(fileno(in), 0, SEEK_SET);
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        child(command, in, out, err);
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    fclose(in);
    result->out = slurp(out, &result->out_length);
    result->err = slurp(err, &result->err_length);
}

void run_command(struct result *result, const char *command)
{
    run_with_input(result, command, "", 0);
}

void result_free(struct result *result)
{
    free(result->out);
    free(result->err);
}

char *read_whole(const char *path, size_t *length)
{
    go_to_root();
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be opened", path);
    return slurp(file, length);
}

void each_golden(const char *name, void (*use)(const struct cJSON *row, void *context),
                 void *context)
{
    char file[128];
    snprintf(file, sizeof file, "%s.jsonl", name);
    go_to_root();
    FILE *input = golden_open(file);
    for (cJSON *row; (row = golden_row(input)) != NULL;) {
        use(row, context);
        cJSON_Delete(row);
    }
}
