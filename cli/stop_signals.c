#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "stop_signals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "exit_status.h"

#define GRACE_MS  300 /* of the 0.5 s that are promised */
#define RETRY_MS  20  /* files are being put in their places */
#define REPEAT_MS 100 /* `timeout` and batch systems send a signal twice, to a process and to its group */

static _Atomic(rcity_context *) owner; /* of the files that are not in place yet */
static volatile sig_atomic_t asked_signal = 0;
static struct timespec asked_time;
static timer_t timer;
static volatile sig_atomic_t has_timer = 0;
static volatile sig_atomic_t is_work_over = 0;
static volatile sig_atomic_t is_patient = 0;

/* Signals that ask to stop, and those that end the program anyway: these leave no file behind, and then do what they
   always do. */
static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
static const int ending[] = {SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGXCPU};

#define ASKING_COUNT (sizeof asking / sizeof asking[0])
#define ENDING_COUNT (sizeof ending / sizeof ending[0])

static void arm(long milliseconds)
{
    struct itimerspec when;
    memset(&when, 0, sizeof when);
    when.it_value.tv_sec = milliseconds / 1000;
    when.it_value.tv_nsec = milliseconds % 1000 * 1000000;
    if (has_timer) {
        (void)timer_settime(timer, 0, &when, NULL);
    }
}

/* End by a signal, as the parent expects it. */
static void end_by(int signal_number)
{
    (void)rcity_outputs_abandon(atomic_load(&owner));
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number); /* delivered when the handler returns */
}

static void handle_ending(int signal_number)
{
    int error = errno;
    end_by(signal_number);
    errno = error;
}

static void handle_asking(int signal_number)
{
    int error = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (is_work_over) {
        end_by(signal_number);
    } else if (asked_signal == 0) {
        asked_time = now;
        asked_signal = signal_number;
        if (!is_patient) {
            arm(GRACE_MS);
        }
    } else if ((now.tv_sec - asked_time.tv_sec) * 1000 + (now.tv_nsec - asked_time.tv_nsec) / 1000000 >= REPEAT_MS) {
        end_by(signal_number);
    }
    errno = error;
}

/* The work did not hear it in time: a driver or another library is busy. */
static void handle_time(int signal_number)
{
    static const char message[] = "\r\033[Kradiocity: stopped at once; every file is whole or was not written\n";
    int error = errno;
    if (asked_signal == 0) { /* not ours: somebody else's alarm */
        end_by(signal_number);
    } else if (!is_work_over && !rcity_outputs_abandon(atomic_load(&owner))) {
        arm(RETRY_MS);
    } else if (!is_work_over) {
        size_t skipped = isatty(STDERR_FILENO) ? 0 : 4; /* a terminal may show a progress bar, which goes */
        (void)!write(STDERR_FILENO, message + skipped, sizeof message - 1 - skipped);
        _exit(EXIT_CANCELLED);
    }
    errno = error;
}

/* Room for a handler that runs because the stack is full. */
static char fault_stack[65536];

/* Is there no memory left? Then the fault is that of a library that does not expect this. */
static bool is_out_of_memory(void)
{
    enum { TRIAL_BYTES = 1 << 25 };
    void *trial = mmap(NULL, TRIAL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (trial != MAP_FAILED) {
        munmap(trial, TRIAL_BYTES);
    }
    return trial == MAP_FAILED;
}

/* A fault ends the program with a sentence and a status, and leaves no file behind. */
static void handle_fault(int signal_number, siginfo_t *info, void *place)
{
    static const char replaced[] = "radiocity: a file became shorter while it was used; replace files by renaming a "
                                   "new one, and run this again\n";
    static const char memory[] = "radiocity: the machine has no memory left, and a library cannot go on without; "
                                 "nothing was left behind\n";
    static const char fault[] = "radiocity: the program or a library it uses made a mistake and cannot go on; nothing "
                                "was left behind; please report it\n";
    (void)place;
    (void)rcity_outputs_abandon(atomic_load(&owner));
    if (signal_number == SIGBUS && info->si_code == BUS_ADRERR) {
        (void)!write(STDERR_FILENO, replaced, sizeof replaced - 1);
        _exit(EXIT_FILE);
    }
    if (is_out_of_memory()) {
        (void)!write(STDERR_FILENO, memory, sizeof memory - 1);
        _exit(EXIT_MEMORY);
    }
    (void)!write(STDERR_FILENO, fault, sizeof fault - 1);
    if (getenv("RADIOCITY_CORE") != NULL) { /* for a debugger */
        (void)signal(signal_number, SIG_DFL);
        (void)raise(signal_number);
        return;
    }
    _exit(EXIT_UNEXPECTED);
}

/* Sanitizers have handlers of their own, which stay. */
static void take_fault(int signal_number)
{
    struct sigaction action;
    if (sigaction(signal_number, NULL, &action) != 0 || (action.sa_flags & SA_SIGINFO) != 0 ||
        action.sa_handler != SIG_DFL) {
        return;
    }
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle_fault;
    action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND); /* a fault in the handler ends the program */
    (void)sigaction(signal_number, &action, NULL);
}

static void open_faults(void)
{
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = fault_stack;
    stack.ss_size = sizeof fault_stack;
    (void)sigaltstack(&stack, NULL);
    static const int faults[] = {SIGBUS, SIGSEGV, SIGABRT, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        take_fault(faults[i]);
    }
}

/* Install a handler unless the signal was ignored when the program was started. */
static void take(int signal_number, void (*handler)(int))
{
    struct sigaction action;
    if (sigaction(signal_number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) {
        return;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    (void)sigaction(signal_number, &action, NULL);
}

void stop_signals_open(rcity_context *context)
{
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGALRM;
    atomic_store(&owner, context);
    has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle_time;
    action.sa_flags = SA_RESTART;
    (void)sigaction(SIGALRM, &action, NULL);
    open_faults();
    for (size_t i = 0; i < ASKING_COUNT; i++) {
        take(asking[i], handle_asking);
    }
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        take(ending[i], handle_ending);
    }
    (void)signal(SIGXFSZ, SIG_IGN); /* exceeding a file-size limit then fails the write, with a message */
}

void stop_signals_end_work(void)
{
    is_work_over = 1;
    if (has_timer) {
        arm(0);
    }
}

void stop_signals_close(void)
{
    stop_signals_end_work();
    atomic_store(&owner, NULL);
}

void stop_signals_wait(void)
{
    is_patient = 1;
}

void stop_signals_take(void)
{
    asked_signal = 0;
    is_patient = 0;
}

bool stop_is_asked(void)
{
    return asked_signal != 0;
}
