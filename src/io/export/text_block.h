/* A growing text, shared by the writers of JSON and XML. The first failure is kept and all later calls do nothing, so
   that a writer checks once, at its end. */
#ifndef RCITY_IO_EXPORT_TEXT_BLOCK_H
#define RCITY_IO_EXPORT_TEXT_BLOCK_H

#include "base/base.h"
#include "text/json_writer.h"

typedef struct rcity_text_block {
    rcity_context *context;
    rcity_status status;
    char *text; /* ends with 0 once something was added; released with rcity_text_block_deinit() */
    size_t length, capacity;
} rcity_text_block;

void rcity_text_block_init(rcity_context *context, rcity_text_block *block);
void rcity_text_block_deinit(rcity_text_block *block);

/* The sink for the writers of src/text. */
rcity_text_sink rcity_text_block_sink(rcity_text_block *block);

/* A writer of JSON without spaces that adds to the block. */
rcity_json_writer rcity_text_block_json(rcity_text_block *block);

/* Add formatted text. Numbers with a fraction go through rcity_text_add_number() or _fixed(), which write a point in
   every locale. */
void rcity_text_add(rcity_text_block *block, const char *format, ...) RCITY_PRINTF(2, 3);

/* A number in the shortest form that is exact to ten digits; "null" when it is not finite. */
void rcity_text_add_number(rcity_text_block *block, double value);

/* A finite number with a fixed number of decimals; never "-0". */
void rcity_text_add_fixed(rcity_text_block *block, double value, int decimal_count);

/* A JSON string with its quotes; NULL gives null. Bytes that are not UTF-8 become the replacement character. */
void rcity_text_add_json(rcity_text_block *block, const char *text);

/* Text inside XML, in elements or quoted attributes. Characters that XML does not allow (control characters, invalid
   UTF-8) become the replacement character. */
void rcity_text_add_xml(rcity_text_block *block, const char *text);

/* Text that is HTML once the XML is read: its letters must still mean themselves then. */
void rcity_text_add_html(rcity_text_block *block, const char *text);

#endif
