/* Names and notes that come from files, as a terminal may show them. */
#ifndef CLI_SHOWN_TEXT_H
#define CLI_SHOWN_TEXT_H

/* The text with its control characters as \\x1b: they could move the cursor, change colours or forge lines. Returned as it is
   where it has none; otherwise valid until some more texts have been asked for. NULL gives "". */
const char *shown(const char *text);

#endif
