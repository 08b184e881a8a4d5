/* Extended attributes: an access list is one of them. */

#include "export/replace.h"

#include <errno.h>

#ifdef __linux__

#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

/* Copies one, unless the file has it already. */
static bool copy_attribute(int file, const char *from, const char *name)
{
    ssize_t length = getxattr(from, name, NULL, 0);
    char *value = length >= 0 ? malloc((size_t)length + 1) : NULL;
    char *own = value ? malloc((size_t)length + 1) : NULL;
    bool good = own && getxattr(from, name, value, (size_t)length) == length;
    bool has = good && fgetxattr(file, name, own, (size_t)length + 1) == length &&
               !memcmp(value, own, (size_t)length);
    good = good && (has || fsetxattr(file, name, value, (size_t)length, 0) == 0);
    free(value);
    free(own);
    return good;
}

static const char access_list[] = "system.posix_acl_access";

bool lw_replace_has_access_list(int file)
{
    return fgetxattr(file, access_list, NULL, 0) >= 0;
}

bool lw_replace_attributes(int file, const char *from)
{
    if (lw_replace_has_access_list(file) && getxattr(from, access_list, NULL, 0) < 0 &&
        (errno != ENODATA || fremovexattr(file, access_list) != 0)) {
        errno = EPERM;
        return false;
    }
    ssize_t length = listxattr(from, NULL, 0);
    if (length <= 0)
        return length == 0 || errno == ENOTSUP || errno == ENOSYS;
    char *names = malloc((size_t)length + 1);
    bool good = names && (length = listxattr(from, names, (size_t)length)) >= 0;
    for (const char *name = names; good && name < names + length; name += strlen(name) + 1)
        good = copy_attribute(file, from, name);
    if (!good)
        errno = names ? EPERM : ENOMEM;
    free(names);
    return good;
}

#else

bool lw_replace_has_access_list(int file)
{
    (void)file;
    return false;
}

bool lw_replace_attributes(int file, const char *from)
{
    (void)file;
    (void)from;
    return true;
}

#endif
