/*
 * A run in which one call of the system fails. The calls that the C library makes for itself count too, which is why
 * they are found with seccomp and ptrace. Each call stops the child before it is made; then it is let through, gets
 * fewer bytes, is replaced by an error, or is the child's last.
 */

#include "fault/fault.h"

#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    long number;
    enum fault_kind kind;
} calls[] = {
    {SYS_write, FAULT_WRITE},     {SYS_writev, FAULT_WRITE},     {SYS_pwrite64, FAULT_WRITE},
    {SYS_read, FAULT_READ},       {SYS_pread64, FAULT_READ},     {SYS_fsync, FAULT_SYNC},
    {SYS_fdatasync, FAULT_SYNC},  {SYS_renameat, FAULT_RENAME},  {SYS_renameat2, FAULT_RENAME},
    {SYS_openat, FAULT_OPEN},     {SYS_close, FAULT_CLOSE},      {SYS_ftruncate, FAULT_OTHER},
    {SYS_unlinkat, FAULT_OTHER},  {SYS_fchmod, FAULT_OTHER},     {SYS_fchown, FAULT_OTHER},
    {SYS_mkdirat, FAULT_OTHER},   {SYS_symlinkat, FAULT_OTHER},  {SYS_linkat, FAULT_OTHER},
    {SYS_fallocate, FAULT_OTHER}, {SYS_newfstatat, FAULT_OTHER},
#ifdef SYS_open
    {SYS_open, FAULT_OPEN},       {SYS_rename, FAULT_RENAME},    {SYS_unlink, FAULT_OTHER},
    {SYS_rmdir, FAULT_OTHER},     {SYS_mkdir, FAULT_OTHER},      {SYS_symlink, FAULT_OTHER},
    {SYS_link, FAULT_OTHER},
#endif
};
enum { CALLS = sizeof calls / sizeof *calls };

void calls_begin_child(void)
{
    struct sock_filter filter[CALLS + 3];
    size_t n = 0;
    filter[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < CALLS; i++)
        filter[n++] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number, (uint8_t)(CALLS - i), 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog program = {(unsigned short)n, filter};
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(125);
    raise(SIGSTOP);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(125);
}

/* ---- Registers ---- */

#if defined __x86_64__
typedef struct user_regs_struct registers;
#define NUMBER(r) ((r).orig_rax)
#define RESULT(r) ((r).rax)
#define FIRST(r) ((r).rdi)
#define THIRD(r) ((r).rdx)
#elif defined __aarch64__
typedef struct user_pt_regs registers;
#define NUMBER(r) ((r).regs[8])
#define RESULT(r) ((r).regs[0])
#define FIRST(r) ((r).regs[0])
#define THIRD(r) ((r).regs[2])
#else
#error "registers of this machine are unknown"
#endif

static void set_registers(pid_t child, registers *r, bool skip)
{
#if defined __aarch64__
    int number = -1;
    struct iovec call = {&number, sizeof number};
    if (skip)
        ptrace(PTRACE_SETREGSET, child, NT_ARM_SYSTEM_CALL, &call);
#else
    if (skip)
        NUMBER(*r) = (unsigned long long)-1;
#endif
    struct iovec all = {r, sizeof *r};
    ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &all);
}

static enum fault_kind kind_of(long number)
{
    for (size_t i = 0; i < CALLS; i++)
        if (calls[i].number == number)
            return calls[i].kind;
    return FAULT_NONE;
}

/* A call is about to be made. Returns whether it is made and then fails: a close that fails has closed the file. */
static bool at_call(pid_t child, const struct fault *fault, struct run *run, bool *begun)
{
    registers r;
    struct iovec all = {&r, sizeof r};
    if (ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &all) != 0)
        return false;
    long number = (long)NUMBER(r);
    enum fault_kind kind = kind_of(number);
    if (number == SYS_close && (int)FIRST(r) == FAULT_BEGIN_FD)
        *begun = true;
    else if (*begun && kind != FAULT_NONE) {
        if (kind == FAULT_WRITE && fault->lasting && (int)FIRST(r) == STDERR_FILENO)
            return false; /* a full disk does not keep messages from a terminal */
        unsigned long n = ++run->counts[kind];
        if (fault->kind != kind || !fault->at ||
            (n != fault->at && !(fault->lasting && n > fault->at)))
            return false;
        bool has_fd = kind != FAULT_RENAME && kind != FAULT_OPEN && kind != FAULT_OTHER;
        if (!run->hit)
            run->hit_fd = has_fd ? (int)FIRST(r) : -1;
        run->hit = true;
        if (fault->how == FAULT_KILL) {
            kill(child, SIGKILL);
        } else if (fault->how == FAULT_SHORT) {
            THIRD(r) = THIRD(r) > 1 ? THIRD(r) / 2 : THIRD(r);
            set_registers(child, &r, false);
        } else if (kind == FAULT_CLOSE) {
            return true;
        } else {
            RESULT(r) = (unsigned long long)-fault->how;
            set_registers(child, &r, true);
        }
    }
    return false;
}

/* A call was made: it has failed. */
static void after_call(pid_t child, const struct fault *fault)
{
    registers r;
    struct iovec all = {&r, sizeof r};
    if (ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &all) != 0)
        return;
    RESULT(r) = (unsigned long long)-fault->how;
    set_registers(child, &r, false);
}

int calls_follow(pid_t child, const struct fault *fault, struct run *run)
{
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
    int status, last = 0;
    pid_t closing = -1; /* the process that makes a call that fails at its end */
    bool begun = false;
    waitpid(child, &status, 0);
    ptrace(PTRACE_SETOPTIONS, child, NULL, options);
    ptrace(PTRACE_CONT, child, NULL, NULL);
    /* Children of the program that outlive it go on, or they would hold its terminal. */
    for (pid_t pid; (pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
        if (pid < 0)
            continue;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            last = pid == child ? status : last;
            continue;
        }
        int event = status >> 16, signal = WSTOPSIG(status);
        if (event == PTRACE_EVENT_SECCOMP && at_call(pid, fault, run, &begun)) {
            closing = pid;
            ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
            continue;
        }
        if (pid == closing && event == 0 && signal == SIGTRAP) {
            after_call(pid, fault);
            closing = -1;
        }
        bool own = event != 0 || signal == SIGTRAP || signal == SIGSTOP;
        ptrace(PTRACE_CONT, pid, NULL, (void *)(uintptr_t)(own ? 0 : (unsigned)signal));
    }
    return last;
}
