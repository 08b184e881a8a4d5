#ifndef PROCESS_H
#define PROCESS_H

#include <sys/types.h>

/* How many writes a process has made; -1 where the system does not count them. */
long process_writes(pid_t pid);

#endif
