/* Only regular files are opened, of a limited size, and nothing waits. */

#include "unit.h"

#include "notation/document/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char folder[] = "/tmp/laneway-open.XXXXXX";

static int begin(void **state)
{
    (void)state;
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int end(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") || system(command);
}

static void refused(const char *path, int number, const char *message)
{
    struct lw_error err;
    errno = 0;
    assert_null(lw_open_regular(path, 1000, &err));
    assert_int_equal(errno, number);
    assert_string_equal(err.message, message);
}

static void only_regular_files(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)state;
    assert_true(file >= 0 && bind(file, (struct sockaddr *)&address, sizeof address) == 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("/dev/zero", "link"), 0);
    refused("pipe", EINVAL, "pipe: only regular files are read, and standard input as -");
    refused("link", EINVAL, "link: only regular files are read, and standard input as -");
    refused("/dev/tty", EINVAL, "/dev/tty: only regular files are read, and standard input as -");
    refused("socket", EINVAL, "socket: only regular files are read, and standard input as -");
    refused(".", EISDIR, ".: Is a directory");
    refused("none", ENOENT, "none: No such file or directory");
    refused("pipe/none", ENOTDIR, "pipe/none: Not a directory");
    close(file);
}

static void limited_sizes(void **state)
{
    int made = open("large", O_RDWR | O_CREAT, 0600);
    FILE *file;
    (void)state;
    assert_true(made >= 0 && ftruncate(made, 1000) == 0);
    file = lw_open_regular("large", 1000, NULL);
    assert_non_null(file);
    fclose(file);
    assert_int_equal(ftruncate(made, 1001), 0);
    refused("large", EFBIG, "large has more than 1000 bytes");
    close(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_regular_files),
        cmocka_unit_test(limited_sizes),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
