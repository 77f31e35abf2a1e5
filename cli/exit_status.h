/* Exit statuses of the program; docs/guide/exit-status.md has the same list for users. */
#ifndef CLI_EXIT_STATUS_H
#define CLI_EXIT_STATUS_H

enum {
    EXIT_FINE = 0,
    EXIT_UNEXPECTED = 1,  /* an error in the program */
    EXIT_USAGE = 2,       /* unknown command, option or value; a value outside its range */
    EXIT_MEMORY = 3,      /* more memory than --memory or the machine has */
    EXIT_FILE = 4,        /* a file cannot be read or written */
    EXIT_FORMAT = 5,      /* a file does not follow its format */
    EXIT_DEVICE = 6,      /* the named device is absent or refused */
    EXIT_UNSUPPORTED = 7, /* not offered by this build or device */
    EXIT_GEOMETRY = 8,    /* a shape in the scene is not valid */
    EXIT_CANCELLED = 9,   /* stopped by the user */
    EXIT_DIFFERENT = 10,  /* maps differ by more than --tolerance */
};

#endif
