/* Options from the command line, read through a table. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* What an option takes, and the type of its target. */
typedef enum option_kind {
    OPTION_FLAG,    /* nothing; bool */
    OPTION_TEXT,    /* a word; const char * */
    OPTION_NUMBER,  /* a finite number; double */
    OPTION_COUNT,   /* a whole number from 0 to 2^31-1; int */
    OPTION_SEED,    /* a whole number from 0 to 2^64-1; uint64_t */
    OPTION_BYTES,   /* a size such as 500MB or 4GB; uint64_t */
    OPTION_NUMBERS, /* numbers separated by commas; number_list */
    OPTION_PLACES,  /* three numbers separated by commas, may be repeated; place_list */
    OPTION_TEXTS,   /* a word, may be repeated; text_list */
} option_kind;

#define NUMBER_LIST_MAX 64

typedef struct number_list {
    int count;
    double value[NUMBER_LIST_MAX];
} number_list;

/* Options that may be repeated fill a list. */
#define PLACE_LIST_MAX 64
#define TEXT_LIST_MAX  256

typedef struct place_list {
    int count;
    double value[PLACE_LIST_MAX][3];
} place_list;

typedef struct text_list {
    int count;
    const char *value[TEXT_LIST_MAX];
} text_list;

typedef struct cli_option {
    const char *name; /* "--cell"; "-o" for short ones */
    option_kind kind;
    void *target;
    const char *placeholder; /* "METRES" in the help; NULL for flags */
    const char *text;        /* a sentence for the help */
} cli_option;

/* Pairs of name and value that are not in the table but that `accepts` allows. */
#define EXTRA_MAX 64

typedef struct extra_options {
    bool (*accepts)(const char *name); /* name without dashes; NULL accepts none */
    const char *(*name_at)(int index); /* the names it accepts, for suggestions; NULL past the last */
    int count;
    const char *name[EXTRA_MAX];
    const char *value[EXTRA_MAX];
} extra_options;

#define POSITIONAL_MAX 64
#define GIVEN_MAX      128

typedef struct command_line {
    const char *command;       /* "predict", for messages */
    const char *usage;         /* "radiocity predict --scene FILE ..." */
    const char *about;         /* a few sentences and examples for --help */
    const char *more;          /* for --help all and --help methods; NULL: none */
    const cli_option *options; /* ends with a NULL name */
    extra_options *extra;      /* NULL for none */
    int positional_count;      /* in: how many are allowed; out: how many were given */
    const char *positional[POSITIONAL_MAX];
    int given_count; /* options with one value that were given so far; start with 0 */
    const cli_option *given[GIVEN_MAX];
} command_line;

/* Read the words after the command. Options of every command (--threads, --memory, --quiet, --help) come from the
   session's own table.
   @return 0 to go on, EXIT_USAGE after a message, or -1 when help was printed. */
int arguments_read(command_line *line, int count, char **words);

/* Is there an input among the positional words (`input_name` describes it, NULL: none is needed), and an output?
   @return 0, or EXIT_USAGE after a message. */
int arguments_require(const command_line *line, const char *input_name, bool has_output);

/* Print on stderr, in one line, what is wrong. @return EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
