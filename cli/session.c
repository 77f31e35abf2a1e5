/* One run of the program. The variables here belong to the program, not to the library: one run has one command
   line. */
#include "session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "exit_status.h"
#include "option_words.h"
#include "shown_text.h"
#include "stop_signals.h"
#include "warnings.h"

static int thread_count = 0;
static uint64_t memory_bytes = 0;
static bool is_quiet = false;
static bool accepts_unusual = false;
static bool may_overwrite = false;
static bool allow_network = false;
static rcity_context *opened;

static const cli_option options[] = {
    {"--threads", OPTION_COUNT, &thread_count, "N", "host threads; all the machine has unless given"},
    {"--memory", OPTION_BYTES, &memory_bytes, "SIZE",
     "most memory to use, such as 4GB; 3/4 of the machine's unless given"},
    {"--accept-unusual", OPTION_FLAG, &accepts_unusual, NULL,
     "go on with columns that are not understood and values that look like mistakes"},
    {"--overwrite", OPTION_FLAG, &may_overwrite, NULL, "replace output files that exist"},
    {"--allow-network", OPTION_FLAG, &allow_network, NULL,
     "input files may lead to other files and to the network (VRT, WMS, /vsicurl/)"},
    {"--quiet", OPTION_FLAG, &is_quiet, NULL, "no progress bar, no notes on stderr; errors only"},
    {NULL, OPTION_FLAG, NULL, NULL, NULL},
};

const cli_option *session_options(void)
{
    return options;
}

bool session_is_quiet(void)
{
    return is_quiet;
}

bool session_accepts_unusual(void)
{
    return accepts_unusual;
}

bool session_may_overwrite(void)
{
    return may_overwrite;
}

/* The bar on a terminal: what it shows and when it was drawn last. */
typedef struct progress_bar {
    bool is_enabled;
    bool is_shown;
    const char *task;
    double start_s, drawn_s;
} progress_bar;

static progress_bar bar;

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double patience_end_s = 0.0; /* on the same clock; 0: none */
static bool is_impatient = false;

void session_set_patience(double seconds)
{
    patience_end_s = seconds > 0.0 ? clock_s() + seconds : 0.0;
    is_impatient = is_impatient && seconds > 0.0;
}

bool session_lost_patience(void)
{
    return is_impatient;
}

static void wipe_bar(void)
{
    if (bar.is_shown) {
        fprintf(stderr, "\r\033[K");
        bar.is_shown = false;
    }
}

static void format_rate(double rate, char *text, size_t bytes)
{
    const char *unit = rate >= 1e6 ? "M" : rate >= 1e3 ? "k" : "";
    double scaled = rate >= 1e6 ? rate / 1e6 : rate >= 1e3 ? rate / 1e3 : rate;
    snprintf(text, bytes, "%.3g%s/s", scaled, unit);
}

/* Draws at most ten times a second, and only for work of more than 0.2 s. */
static bool show_progress(void *user, const char *task, double done, double total)
{
    (void)user;
    if (stop_is_asked()) {
        return false;
    }
    double now_s = clock_s();
    if (patience_end_s > 0.0) {
        is_impatient = is_impatient || now_s > patience_end_s;
        return !is_impatient;
    }
    if (!bar.is_enabled || total <= 0.0) {
        return true;
    }
    if (bar.task == NULL || strcmp(bar.task, task) != 0 || done <= 0.0) {
        bar.task = task;
        bar.start_s = now_s;
        bar.drawn_s = now_s + 0.1;
    }
    if (done >= total) {
        wipe_bar();
        bar.task = NULL;
        return true;
    }
    if (now_s - bar.drawn_s < 0.1) {
        return true;
    }
    bar.drawn_s = now_s;
    bar.is_shown = true;
    double elapsed_s = now_s - bar.start_s;
    double fraction = done / total;
    char rate[32];
    format_rate(elapsed_s > 0.0 ? done / elapsed_s : 0.0, rate, sizeof rate);
    char cells[31] = "";
    struct winsize size;
    bool is_narrow = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_col < 80;
    size_t cell_count = is_narrow ? 5 : 30;
    memset(cells, '.', cell_count);
    memset(cells, '#', (size_t)((double)cell_count * fraction));
    fprintf(stderr, "\r%s [%s] %3.0f %%  %s  %.0f s left\033[K", task, cells, 100.0 * fraction, rate,
            fraction > 0.0 ? elapsed_s * (1.0 - fraction) / fraction : 0.0);
    fflush(stderr);
    return true;
}

static void show_log(void *user, rcity_log_level level, const char *text)
{
    (void)user;
    char words[OPTION_WORDS_BYTES];
    option_words(text, words, sizeof words);
    if (is_quiet || level < RCITY_LOG_INFO || (level == RCITY_LOG_WARNING && !warning_is_new(words))) {
        return;
    }
    wipe_bar();
    fprintf(stderr, "radiocity: %s%s\n", level == RCITY_LOG_WARNING ? "warning: " : "", shown(words));
}

int session_open(rcity_context **context)
{
    rcity_context_options context_options = rcity_context_options_default();
    context_options.thread_count = thread_count;
    context_options.memory_bytes = memory_bytes;
    context_options.allow_network = allow_network;
    context_options.log = show_log;
    context_options.progress = show_progress;
    const char *terminal = getenv("TERM");
    bar.is_enabled = !is_quiet && isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
    rcity_status status = rcity_context_create(&context_options, context);
    if (status == RCITY_ERR_ARGUMENT) {
        fprintf(stderr, "radiocity: --threads is %d, must be 0 to 1024\n", thread_count);
        return EXIT_USAGE;
    }
    if (status != RCITY_OK) {
        return session_fail(NULL, status);
    }
    opened = *context;
    stop_signals_open(opened);
    return 0;
}

void session_hold_outputs(void)
{
    rcity_outputs_hold(opened);
}

bool session_is_stopped(void)
{
    return stop_is_asked();
}

void session_close(rcity_context **context)
{
    wipe_bar();
    warnings_finish(is_quiet);
    stop_signals_close();
    opened = NULL;
    rcity_context_destroy(context);
}

void session_warn(const char *text)
{
    char words[OPTION_WORDS_BYTES];
    if (!is_quiet) {
        fprintf(stderr, "radiocity: warning: %s\n", shown(option_words(text, words, sizeof words)));
    }
}

int session_fail(const rcity_context *context, rcity_status status)
{
    wipe_bar();
    const char *message = rcity_context_message(context);
    char words[OPTION_WORDS_BYTES];
    option_words(message[0] != '\0' ? message : rcity_status_text(status), words, sizeof words);
    fprintf(stderr, "radiocity: %s\n", words);
    switch (status) {
    case RCITY_ERR_ARGUMENT:
        return EXIT_USAGE;
    case RCITY_ERR_MEMORY:
        return EXIT_MEMORY;
    case RCITY_ERR_FILE:
        return EXIT_FILE;
    case RCITY_ERR_FORMAT:
        return EXIT_FORMAT;
    case RCITY_ERR_NO_DEVICE:
        return EXIT_DEVICE;
    case RCITY_ERR_UNSUPPORTED:
        return EXIT_UNSUPPORTED;
    case RCITY_ERR_GEOMETRY:
        return EXIT_GEOMETRY;
    case RCITY_ERR_CANCELLED:
        return EXIT_CANCELLED;
    case RCITY_OK:
    case RCITY_ERR_STATE:
        break;
    }
    return EXIT_UNEXPECTED;
}
