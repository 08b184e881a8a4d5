/* Compiled kernels: how fast text is read, and how long the program takes from its start to its report. CUDA C++: how
 * long a keystroke takes to read and to count. */

#include "laneway/kernel_cost.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* A kernel of about `size` bytes: the function of a golden one, again and again. */
static bool write_kernel(struct lw_text *text, size_t size)
{
    char line[1 << 16];
    struct lw_text function = {0}, tail = {0};
    int part = 0; /* 0: before the function, 1: in it, 2: after it */
    FILE *file = fopen("tests/golden/ttgir/matmul.sm80.ttgir", "r");
    while (file && fgets(line, sizeof line, file)) {
        part = !strncmp(line, "  tt.func", 9) ? 1 : part;
        lw_text_add(part == 0 ? text : part == 1 ? &function : &tail, line);
        part = part == 1 && !strncmp(line, "  }", 3) ? 2 : part;
    }
    if (file)
        fclose(file);
    do
        lw_text_add(text, lw_text_string(&function));
    while (function.length && text->length + function.length + tail.length <= size);
    lw_text_add(text, lw_text_string(&tail));
    bool ok = function.length > 0 && !text->failed;
    lw_text_free(&function);
    lw_text_free(&tail);
    return ok;
}

static void time_reading(size_t size)
{
    struct lw_text text = {0};
    struct lw_kernel kernel;
    double best = 1e9;
    for (int run = 0; run < 5 && (run || write_kernel(&text, size)); run++) {
        double start = now();
        if (lw_kernel_read(&kernel, lw_text_string(&text), text.length, NULL, NULL))
            lw_kernel_free(&kernel);
        double took = now() - start;
        best = took < best ? took : best;
    }
    printf("%10zu bytes  %9.2f ms  %7.1f MB/s\n", text.length, best,
           (double)text.length / best / 1e3);
    lw_text_free(&text);
}

/* Runs `PROGRAM ttgir PATH`, its output not shown, without a shell, which has a start of its own. */
static bool run_program(const char *program, const char *path)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        if (null >= 0 && dup2(null, 1) == 1)
            execl(program, program, "ttgir", path, (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* From exec to the end of the report, of a file with `parts` kernels of `size` bytes. */
static void time_program(const char *program, size_t size, int parts)
{
    char path[] = "/tmp/laneway-bench-XXXXXX";
    struct lw_text text = {0};
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    double best = 1e9;
    if (!file || !write_kernel(&text, size))
        return;
    for (int part = 0; part < parts; part++)
        fprintf(file, "%s%s", part ? "// -----\n" : "", lw_text_string(&text));
    long bytes = ftell(file);
    fclose(file);
    for (int run = 0; run < 15; run++) {
        double start = now();
        if (!run_program(program, path))
            break;
        double took = now() - start;
        best = took < best ? took : best;
    }
    printf("%10ld bytes  %9.2f ms  %7.1f MB/s  from the start of the program to its whole report, "
           "%d part%s\n",
           bytes, best, (double)bytes / best / 1e3, parts, parts > 1 ? "s" : "");
    remove(path);
    lw_text_free(&text);
}

/* 32 x 32 threads with 8 accesses: a transpose through two tiles. */
static void time_cuda(void)
{
    static const char text[] =
        "__shared__ float a[32][33], b[32][32]; float *in, *out; int x = threadIdx.x;\n"
        "int y = threadIdx.y; a[y][x] = in[y * 64 + x]; v = a[x][y]; b[y][x ^ y] = v;\n"
        "out[y * 64 + x] = b[x][y ^ x]; a[x][y] = v; out[x * 64 + y] = v;";
    const struct lw_cuda_options options = {.block = {32, 32, 1}};
    double read = 1e9, counted = 1e9;
    for (int run = 0; run < 50; run++) {
        struct lw_cuda cuda;
        struct lw_cuda_cost cost;
        double start = now();
        if (!lw_cuda_read(&cuda, text, sizeof text - 1, &options, NULL))
            return;
        double took = now() - start;
        read = took < read ? took : read;
        for (size_t i = 0; i < cuda.access_count; i++)
            lw_cuda_count(&cuda, &cuda.accesses[i], NULL, &cost, NULL);
        took = now() - start;
        counted = took < counted ? took : counted;
        lw_cuda_free(&cuda);
    }
    printf("CUDA C++, 32 x 32 threads, 8 accesses: %.2f ms to read, %.2f ms with the counts\n",
           read, counted);
}

int main(void)
{
    const char *program = getenv("LANEWAY");
    time_reading(20000);
    time_reading(100000);
    time_reading(10000000);
    program = program ? program : "build/laneway";
    time_program(program, 130000, 1);
    time_program(program, 5000000, 1);
    time_program(program, 20000, 250);
    time_cuda();
    return 0;
}
