/* Every public function with arguments of all kinds. The calls are made from the headers (contract.awk), so none is
 * missing; contract_values.c has what they are called with. What laneway.h says of all functions holds of each: the
 * error may be NULL, a function that fails returns false with an error of a code and a message, and nothing prints,
 * exits or crashes, whatever texts, numbers and enumerators are passed. */

#include "contract_values.h"
#include "support/sanitized.h"
#include "unit.h"

#include "laneway/laneway.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct lw_error error;
static bool has_error, is_quiet;

#define ERROR (has_error ? &error : NULL)
#define TEXT contract_text()
#define NUMBER(type, name) contract_number(type, name)
#define VALUE(type, name) contract_value(type, name)

static const char *name_at(const void *context, size_t i)
{
    (void)context;
    (void)i;
    return "name";
}

/* False of these is an answer too: then the code is LW_OK. */
static bool answers_no(const char *name)
{
    return !strcmp(name, "lw_cute_of_encoding") || !strcmp(name, "lw_calc_bind_cute");
}

/* A function that has failed has an error to show; whether there is one changes nothing else. */
static bool is_refusal(void)
{
    return !has_error || is_quiet || (error.code != LW_OK && error.message[0]);
}

static bool call(size_t number)
{
    size_t i = 0;
#define CALL(name, expression)                                                                     \
    if (i++ == number) {                                                                           \
        (void)(expression);                                                                        \
        return true;                                                                               \
    }
#define REFUSABLE(name, expression)                                                                \
    if (i++ == number)                                                                             \
        return (expression) || is_refusal();
#include "contract.inc"
#undef CALL
#undef REFUSABLE
    return false;
}

static const char *const names[] = {
#define CALL(name, expression) #name,
#define REFUSABLE(name, expression) #name,
#include "contract.inc"
};

/* A text of 2 GiB fails then at once. */
static void limit_memory(void)
{
    const struct rlimit limit = {512 << 20, 512 << 20};
    if (!SANITIZED)
        setrlimit(RLIMIT_AS, &limit);
}

/* All passes of one function, in a process of its own. */
static void call_all(size_t number)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL); /* cmocka's would go on with the tests */
    alarm(60);
    limit_memory();
    for (unsigned pass = 0; pass < CONTRACT_PASSES; pass++) {
        memset(&error, 0, sizeof error);
        has_error = pass % 2 == 0;
        is_quiet = answers_no(names[number]);
        contract_choose(names[number], pass);
        if (!call(number))
            _exit(3);
    }
    _exit(0);
}

static bool is_kept(size_t number)
{
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        call_all(number);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == CONTRACT_NO_VALUE) {
        print_message("%s is not called: no value of a type\n", names[number]);
        return true;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
        print_error("%s fails without an error\n", names[number]);
    else if (status)
        print_error("%s ends the process: wait status %x\n", names[number], (unsigned)status);
    return !status;
}

/* How many functions break their contract with the values of a source, which live as long as the
 * process: one of its own. */
static int count_wrong(unsigned source)
{
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int wrong = 0;
        contract_make(source);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            wrong += !is_kept(i);
        fflush(NULL);
        _exit(wrong < 100 ? wrong : 100);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

static void every_function(void **state)
{
    int wrong = 0;
    (void)state;
    for (unsigned source = 0; source < CONTRACT_SOURCES; source++)
        wrong += count_wrong(source);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_function)};
    return RUN(tests);
}
