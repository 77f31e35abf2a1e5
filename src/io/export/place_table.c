/* Places with columns of values. */
#include "io/export/place_table.h"

#include <string.h>

rcity_status rcity_place_table_create(rcity_context *context, const char *crs, int64_t count, const double *xy,
                                      rcity_place_table **table)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, crs);
    RCITY_NEED_SOME(context, xy, count);
    RCITY_NEED(context, table);
    rcity_place_table *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "a table of places", &made));
    made->context = context;
    made->count = count;
    RCITY_TRY_DONE(rcity_copy_text(context, crs, &made->crs));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count, 2 * sizeof *made->xy, "a table of places", &made->xy));
    if (count > 0) {
        memcpy(made->xy, xy, 2 * (size_t)count * sizeof *xy);
    }
    *table = made;
    made = NULL;
done:
    rcity_place_table_destroy(&made);
    return status;
}

/* A new column with its name, not counted yet: on failure what it has is released with it. */
static rcity_status start_column(rcity_place_table *table, const char *name, rcity_place_column **column)
{
    rcity_context *context = table->context;
    RCITY_TRY(rcity_reserve(context, table->column_count + 1, sizeof *table->columns, &table->column_capacity,
                            "a table of places", &table->columns));
    *column = &table->columns[table->column_count];
    memset(*column, 0, sizeof **column);
    return rcity_copy_text(context, name, &(*column)->name);
}

static void release_column(rcity_context *context, rcity_place_column *column)
{
    rcity_release(context, column->name);
    rcity_release(context, column->number);
    rcity_release(context, column->text_from);
    rcity_release(context, column->text);
}

rcity_status rcity_place_table_add_numbers(rcity_place_table *table, const char *name, const double *numbers)
{
    if (table == NULL) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_context *context = table->context;
    RCITY_NEED(context, name);
    RCITY_NEED_SOME(context, numbers, table->count);
    rcity_place_column *column = NULL;
    RCITY_TRY(start_column(table, name, &column));
    rcity_status status =
        rcity_alloc(context, (size_t)table->count, sizeof *numbers, "a table of places", &column->number);
    if (status != RCITY_OK) {
        release_column(context, column);
        return status;
    }
    if (table->count > 0) {
        memcpy(column->number, numbers, (size_t)table->count * sizeof *numbers);
    }
    table->column_count++;
    return RCITY_OK;
}

rcity_status rcity_place_table_add_texts(rcity_place_table *table, const char *name, const char *const *texts)
{
    if (table == NULL) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_context *context = table->context;
    RCITY_NEED(context, name);
    RCITY_NEED_SOME(context, texts, table->count);
    size_t bytes = 0;
    for (int64_t i = 0; i < table->count; i++) {
        bytes += texts[i] != NULL ? strlen(texts[i]) + 1 : 1;
    }
    rcity_place_column *column = NULL;
    rcity_status status;
    RCITY_TRY(start_column(table, name, &column));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)table->count, sizeof *column->text_from, "a table of places", &column->text_from));
    RCITY_TRY_DONE(rcity_alloc(context, bytes, 1, "a table of places", &column->text));
    size_t filled = 0;
    for (int64_t i = 0; i < table->count; i++) {
        const char *text = texts[i] != NULL ? texts[i] : "";
        column->text_from[i] = filled;
        memcpy(column->text + filled, text, strlen(text) + 1);
        filled += strlen(text) + 1;
    }
    table->column_count++;
    column = NULL;
done:
    if (column != NULL) {
        release_column(context, column);
    }
    return status;
}

void rcity_place_table_destroy(rcity_place_table **table)
{
    if (table == NULL || *table == NULL) {
        return;
    }
    rcity_place_table *old = *table;
    for (size_t i = 0; i < old->column_count; i++) {
        release_column(old->context, &old->columns[i]);
    }
    rcity_release(old->context, old->columns);
    rcity_release(old->context, old->xy);
    rcity_release(old->context, old->crs);
    rcity_release(old->context, old);
    *table = NULL;
}
