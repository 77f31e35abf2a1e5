/* The file of a visibility matrix: stopped and gone on with, damaged, and of something else. */
#include "visibility/tiles/tile_file.h"

#include <unistd.h>

#include "sight_cases.h"
#include "tile_world.h"

#define STRIP_BYTES 12000

/* A progress callback that stops the work at its n-th call. */
typedef struct stopper {
    int left; /* 0: never */
} stopper;

static bool count_down(void *user, const char *task, double done, double total)
{
    stopper *stop = user;
    (void)task;
    assert_true(done >= 0.0 && done <= total);
    return stop->left == 0 || --stop->left > 0;
}

/* A small city and the options of its matrix. */
typedef struct file_stage {
    rcity_context *context;
    stopper stop;
    tile_world world;
    rcity_tile_matrix_options options;
    char path[256], part_path[264];
} file_stage;

static void stage_init(file_stage *stage, uint64_t seed, const char *name)
{
    rcity_context_options options = rcity_context_options_default();
    memset(stage, 0, sizeof *stage);
    options.thread_count = 2;
    options.progress = count_down;
    options.progress_user = &stage->stop;
    assert_int_equal(rcity_context_create(&options, &stage->context), RCITY_OK);
    tile_world_init(&stage->world, stage->context, sight_city(stage->context, RCITY_CITY_GRID, seed, 0.1), 300.0);
    stage->options = rcity_tile_matrix_options_default();
    stage->options.strip_bytes = STRIP_BYTES;
    snprintf(stage->path, sizeof stage->path, "%s", test_path(name));
    snprintf(stage->part_path, sizeof stage->part_path, "%s.part", stage->path);
}

static void stage_deinit(file_stage *stage)
{
    tile_world_deinit(&stage->world);
    rcity_context_destroy(&stage->context);
}

static rcity_status stage_build(file_stage *stage, rcity_tile_matrix **matrix)
{
    return tile_world_build(&stage->world, &stage->options, stage->path, matrix);
}

static rcity_status stage_open(file_stage *stage, rcity_tile_matrix **matrix)
{
    return rcity_tile_matrix_open(stage->context, &stage->world.tiling, &stage->options, stage->path, matrix);
}

/* A file's bytes; the caller frees them. */
static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void assert_same_file(const char *path, const unsigned char *bytes, size_t size)
{
    size_t found_size;
    unsigned char *found = read_bytes(path, &found_size);
    assert_int_equal(found_size, size);
    assert_memory_equal(found, bytes, size);
    free(found);
}

/* The matrix of the file equals the one in memory, both as it was built and as it is opened. */
static void test_file_holds_the_matrix(void **state)
{
    (void)state;
    file_stage stage;
    rcity_tile_matrix *expected = NULL;
    rcity_tile_matrix *matrix = NULL;
    stage_init(&stage, 3, "holds.vis");
    assert_ok(stage.context, tile_world_build(&stage.world, &stage.options, NULL, &expected));
    assert_ok(stage.context, stage_build(&stage, &matrix));
    assert_true(matrix->effort.strip_count > 5);
    assert_same_matrix(matrix, expected);
    rcity_tile_matrix_close(stage.context, &matrix);
    assert_int_not_equal(access(stage.part_path, F_OK), 0);
    assert_ok(stage.context, stage_open(&stage, &matrix));
    assert_same_matrix(matrix, expected);
    assert_int_equal(matrix->byte_count, expected->byte_count);
    rcity_tile_matrix_close(stage.context, &matrix);
    rcity_tile_matrix_close(stage.context, &expected);
    stage_deinit(&stage);
}

/* Stopped at every report of progress: the next run keeps what was finished, tests only the rest, and ends in the same
   bytes. */
static void test_stopped_run_goes_on(void **state)
{
    (void)state;
    file_stage stage;
    rcity_tile_matrix *matrix = NULL;
    size_t size;
    stage_init(&stage, 4, "stopped.vis");
    stage.options.strip_bytes = 60000;
    assert_ok(stage.context, stage_build(&stage, &matrix));
    rcity_tile_matrix_effort whole = matrix->effort;
    rcity_tile_matrix_close(stage.context, &matrix);
    unsigned char *bytes = read_bytes(stage.path, &size);
    int64_t kept_before = 0;
    for (int left = 1;; left++) {
        assert_int_equal(unlink(stage.path), 0);
        stage.stop.left = left;
        rcity_status status = stage_build(&stage, &matrix);
        stage.stop.left = 0;
        if (status == RCITY_OK) {
            rcity_tile_matrix_close(stage.context, &matrix);
            assert_true(left > 3);
            break;
        }
        assert_int_equal(status, RCITY_ERR_CANCELLED);
        assert_null(matrix);
        assert_int_not_equal(access(stage.path, F_OK), 0);
        assert_ok(stage.context, stage_build(&stage, &matrix));
        int64_t kept = matrix->effort.kept_row_count;
        assert_true(kept % RCITY_TILE_BLOCK == 0 || kept == matrix->tile_count);
        assert_true(kept == 0 || matrix->effort.ray_count < whole.ray_count);
        kept_before = kept > kept_before ? kept : kept_before; /* how soon a report comes depends on the machine */
        rcity_tile_matrix_close(stage.context, &matrix);
        assert_same_file(stage.path, bytes, size);
    }
    assert_true(kept_before > 0);
    free(bytes);
    stage_deinit(&stage);
}

/* What a killed process leaves: any part of the file, whole to the last byte or with a piece of rubbish at its end. */
static void test_killed_run_goes_on(void **state)
{
    (void)state;
    file_stage stage;
    rcity_tile_matrix *matrix = NULL;
    size_t size;
    stage_init(&stage, 5, "killed.vis");
    assert_ok(stage.context, stage_build(&stage, &matrix));
    rcity_tile_matrix_effort whole = matrix->effort;
    rcity_tile_matrix_close(stage.context, &matrix);
    unsigned char *bytes = read_bytes(stage.path, &size);
    int64_t kept_before = 0;
    for (int i = 0; i <= 24; i++) {
        size_t part = (size_t)i * size / 24;
        assert_int_equal(unlink(stage.path), 0);
        unsigned char *left = malloc(size + 1);
        memcpy(left, bytes, size);
        if (i % 3 == 1 && part > 0) {
            left[part - 1] ^= 0x10;
        }
        if (part >= 64 && i < 24) { /* while it grows, the header has no blocks and no bytes */
            rcity_store_grow *grow = NULL;
            assert_ok(stage.context, rcity_store_grow_open(stage.context, stage.path, RCITY_TILE_MATRIX_KIND,
                                                           RCITY_TILE_MATRIX_VERSION, &grow));
            rcity_store_grow_close(&grow);
            size_t head_size;
            unsigned char *head = read_bytes(stage.part_path, &head_size);
            assert_int_equal(head_size, 64);
            memcpy(left, head, head_size);
            free(head);
        }
        write_bytes(stage.part_path, left, part);
        free(left);
        assert_ok(stage.context, stage_build(&stage, &matrix));
        assert_true(matrix->effort.kept_row_count >= kept_before || i % 3 != 0);
        assert_true(i < 24 || matrix->effort.kept_row_count == matrix->tile_count);
        assert_true(matrix->effort.kept_row_count == 0 || matrix->effort.ray_count < whole.ray_count);
        kept_before = i % 3 == 0 ? matrix->effort.kept_row_count : kept_before;
        rcity_tile_matrix_close(stage.context, &matrix);
        assert_same_file(stage.path, bytes, size);
    }
    free(bytes);
    stage_deinit(&stage);
}

/* Stop a run of `other`, with strips in the part; the run of `stage` to the same path begins anew. */
static void check_begins_anew(file_stage *stage, file_stage *other, const unsigned char *bytes, size_t size)
{
    rcity_tile_matrix *matrix = NULL;
    other->stop.left = 5;
    assert_status(other->context, stage_build(other, &matrix), RCITY_ERR_CANCELLED);
    size_t part_size;
    free(read_bytes(stage->part_path, &part_size));
    assert_true(part_size > STRIP_BYTES);
    assert_ok(stage->context, stage_build(stage, &matrix));
    assert_int_equal(matrix->effort.kept_row_count, 0);
    rcity_tile_matrix_close(stage->context, &matrix);
    assert_same_file(stage->path, bytes, size);
}

/* The part of another scene, tiling or range is not gone on with. */
static void test_part_of_something_else_is_not_kept(void **state)
{
    (void)state;
    file_stage stage;
    file_stage other;
    rcity_tile_matrix *matrix = NULL;
    size_t size;
    stage_init(&stage, 6, "other.vis");
    assert_ok(stage.context, stage_build(&stage, &matrix));
    rcity_tile_matrix_close(stage.context, &matrix);
    unsigned char *bytes = read_bytes(stage.path, &size);
    stage_init(&other, 7, "other.vis");
    check_begins_anew(&stage, &other, bytes, size);
    stage_deinit(&other);
    stage_init(&other, 6, "other.vis");
    other.options.range_m = 150.0;
    check_begins_anew(&stage, &other, bytes, size);
    stage_deinit(&other);
    free(bytes);
    stage_deinit(&stage);
}

/* Two processes cannot write one file. */
static void test_one_writer_at_a_time(void **state)
{
    (void)state;
    file_stage stage;
    rcity_store_grow *grow = NULL;
    rcity_tile_matrix *matrix = NULL;
    stage_init(&stage, 8, "busy.vis");
    assert_ok(stage.context, rcity_store_grow_open(stage.context, stage.path, RCITY_TILE_MATRIX_KIND,
                                                   RCITY_TILE_MATRIX_VERSION, &grow));
    assert_status(stage.context, stage_build(&stage, &matrix), RCITY_ERR_FILE);
    assert_message(stage.context, "is being written by another process");
    rcity_store_grow_close(&grow);
    assert_ok(stage.context, stage_build(&stage, &matrix));
    rcity_tile_matrix_close(stage.context, &matrix);
    stage_deinit(&stage);
}

/* The name of the block that a place of the file belongs to; NULL: of none. */
static const char *name_of_block(const unsigned char *bytes, size_t size, size_t place, char name[16])
{
    size_t next = 64;
    while (next + 64 <= size) {
        uint64_t count;
        uint32_t element_bytes;
        memcpy(&count, bytes + next + 16, sizeof count);
        memcpy(&element_bytes, bytes + next + 24, sizeof element_bytes);
        size_t data = next + 64;
        size_t end = (data + (size_t)count * element_bytes + 63) / 64 * 64;
        if (place >= data && place < end) {
            memcpy(name, bytes + next, 16);
            return name;
        }
        next = end;
    }
    return NULL;
}

/* Every damaged byte is noticed; in a block, the message has the block's name. */
static void test_damage_is_refused_by_name(void **state)
{
    (void)state;
    file_stage stage;
    rcity_tile_matrix *matrix = NULL;
    size_t size;
    int named = 0;
    stage_init(&stage, 9, "damaged.vis");
    assert_ok(stage.context, stage_build(&stage, &matrix));
    rcity_tile_matrix_close(stage.context, &matrix);
    unsigned char *bytes = read_bytes(stage.path, &size);
    for (int i = 0; i < 300; i++) {
        size_t place = i < 150 ? (size_t)i * 11 : (size_t)(test_random(4, (uint64_t)i) % size);
        char name[16];
        bytes[place] ^= 0x04;
        write_bytes(stage.path, bytes, size);
        assert_status(stage.context, stage_open(&stage, &matrix), RCITY_ERR_FORMAT);
        assert_message(stage.context, "damaged.vis'");
        bytes[place] ^= 0x04;
        if (name_of_block(bytes, size, place, name) != NULL) {
            char words[40];
            snprintf(words, sizeof words, "block '%s' of", name);
            assert_message(stage.context, words);
            assert_message(stage.context, "is damaged");
            named++;
        }
    }
    assert_true(named > 100);
    free(bytes);
    stage_deinit(&stage);
}

static void test_truncated_file_is_refused(void **state)
{
    (void)state;
    file_stage stage;
    rcity_tile_matrix *matrix = NULL;
    size_t size;
    stage_init(&stage, 10, "truncated.vis");
    assert_ok(stage.context, stage_build(&stage, &matrix));
    rcity_tile_matrix_close(stage.context, &matrix);
    unsigned char *bytes = read_bytes(stage.path, &size);
    for (uint64_t i = 0; i < 60; i++) {
        write_bytes(stage.path, bytes, i < 20 ? (size_t)i * 7 : (size_t)(test_random(5, i) % size));
        assert_status(stage.context, stage_open(&stage, &matrix), RCITY_ERR_FORMAT);
        assert_message(stage.context, "truncated.vis'");
    }
    bytes[size] = 0;
    write_bytes(stage.path, bytes, size + 1);
    assert_status(stage.context, stage_open(&stage, &matrix), RCITY_ERR_FORMAT);
    assert_message(stage.context, "was added to");
    free(bytes);
    stage_deinit(&stage);
}

/* An unfinished file under the final name. */
static void test_unfinished_file_is_refused(void **state)
{
    (void)state;
    file_stage stage;
    rcity_tile_matrix *matrix = NULL;
    stage_init(&stage, 11, "unfinished.vis");
    stage.stop.left = 3;
    assert_status(stage.context, stage_build(&stage, &matrix), RCITY_ERR_CANCELLED);
    assert_int_equal(rename(stage.part_path, stage.path), 0);
    assert_status(stage.context, stage_open(&stage, &matrix), RCITY_ERR_FORMAT);
    assert_message(stage.context, "is not finished");
    stage_deinit(&stage);
}

/* A matrix of another scene, of other tiles of the same scene, of another range. */
static void test_matrix_of_something_else_is_refused(void **state)
{
    (void)state;
    file_stage stage;
    file_stage other;
    rcity_tile_matrix *matrix = NULL;
    stage_init(&stage, 12, "else.vis");
    stage_init(&other, 13, "else.vis");
    assert_ok(stage.context, stage_build(&stage, &matrix));
    rcity_tile_matrix_close(stage.context, &matrix);
    assert_status(other.context, stage_open(&other, &matrix), RCITY_ERR_FORMAT);
    assert_message(other.context, "belongs to another scene");
    rcity_tiling_options options = stage.world.tiling.options;
    options.wall_area_m2 = 200.0;
    rcity_tiling_deinit(stage.context, &stage.world.tiling);
    assert_ok(stage.context,
              rcity_tiling_init(stage.context, stage.world.scene, &stage.world.table, &options, &stage.world.tiling));
    assert_status(stage.context, stage_open(&stage, &matrix), RCITY_ERR_FORMAT);
    assert_message(stage.context, "belongs to another tiling of this scene");
    options.wall_area_m2 = 300.0;
    rcity_tiling_deinit(stage.context, &stage.world.tiling);
    assert_ok(stage.context,
              rcity_tiling_init(stage.context, stage.world.scene, &stage.world.table, &options, &stage.world.tiling));
    assert_ok(stage.context, stage_open(&stage, &matrix));
    rcity_tile_matrix_close(stage.context, &matrix);
    stage.options.range_m = 80.0;
    assert_status(stage.context, stage_open(&stage, &matrix), RCITY_ERR_FORMAT);
    assert_message(stage.context, "was made with `tile-range-m=0` m, not 80 m");
    stage_deinit(&other);
    stage_deinit(&stage);
}

static void test_other_files_are_refused(void **state)
{
    (void)state;
    file_stage stage;
    rcity_tile_matrix *matrix = NULL;
    stage_init(&stage, 14, "scene.rcity");
    assert_status(stage.context, stage_open(&stage, &matrix), RCITY_ERR_FILE);
    assert_ok(stage.context, rcity_scene_save(stage.context, stage.world.scene, stage.path));
    assert_status(stage.context, stage_open(&stage, &matrix), RCITY_ERR_FORMAT);
    assert_message(stage.context, "not a visibility");
    stage.options.range_m = 0.0;
    snprintf(stage.path, sizeof stage.path, "/nowhere/at/all.vis");
    assert_status(stage.context, stage_build(&stage, &matrix), RCITY_ERR_FILE);
    assert_message(stage.context, "/nowhere/at/all.vis");
    stage_deinit(&stage);
}

/* A block of a matrix that is written by hand, with its checksum. */
typedef struct forged {
    uint32_t *ends;
    uint16_t *column;
    uint64_t end_count, column_count;
} forged;

/* Copy a good file with its one strip replaced. @return the status of opening it. */
static rcity_status open_forged(file_stage *stage, const forged *strip)
{
    rcity_store *store = NULL;
    rcity_store_grow *grow = NULL;
    rcity_tile_matrix *matrix = NULL;
    static const char *const names[] = {"scene", "tiling", "tiles", "range_m"};
    static const uint32_t bytes[] = {1, 1, 8, 8};
    char path[256];
    snprintf(path, sizeof path, "%s", test_path("forged.vis"));
    assert_ok(stage->context,
              rcity_store_open(stage->context, stage->path, RCITY_TILE_MATRIX_KIND, RCITY_TILE_MATRIX_VERSION, &store));
    assert_ok(stage->context,
              rcity_store_grow_open(stage->context, path, RCITY_TILE_MATRIX_KIND, RCITY_TILE_MATRIX_VERSION, &grow));
    for (int i = 0; i < 4; i++) {
        rcity_store_block block = {names[i], NULL, 0, bytes[i]};
        assert_ok(stage->context, rcity_store_get(store, names[i], bytes[i], &block.data, &block.count));
        assert_ok(stage->context, rcity_store_grow_append(grow, &block));
    }
    rcity_store_block ends = {"ends 0", strip->ends, strip->end_count, sizeof *strip->ends};
    rcity_store_block columns = {"columns 0", strip->column, strip->column_count, sizeof *strip->column};
    assert_ok(stage->context, rcity_store_grow_append(grow, &ends));
    assert_ok(stage->context, rcity_store_grow_append(grow, &columns));
    assert_ok(stage->context, rcity_store_grow_commit(&grow));
    rcity_store_close(&store);
    rcity_status status = rcity_tile_matrix_open(stage->context, &stage->world.tiling, &stage->options, path, &matrix);
    rcity_tile_matrix_close(stage->context, &matrix);
    unlink(path);
    return status;
}

/* Right checksums over wrong numbers: nothing outside of the matrix is ever read. */
static void test_wrong_numbers_are_refused(void **state)
{
    (void)state;
    file_stage stage;
    rcity_tile_matrix *matrix = NULL;
    stage_init(&stage, 15, "good.vis");
    stage.options.strip_bytes = 1 << 30;
    assert_ok(stage.context, stage_build(&stage, &matrix));
    assert_int_equal(matrix->effort.strip_count, 1);
    forged good = {NULL, NULL, (uint64_t)matrix->tile_count, (uint64_t)matrix->entry_count};
    good.ends = malloc((good.end_count + 1) * sizeof *good.ends);
    good.column = malloc((good.column_count + 1) * sizeof *good.column);
    memcpy(good.ends, matrix->chunk_end, good.end_count * sizeof *good.ends);
    memcpy(good.column, matrix->column + matrix->row_first[0], good.column_count * sizeof *good.column);
    int32_t tile_count = matrix->tile_count;
    rcity_tile_matrix_close(stage.context, &matrix);
    assert_ok(stage.context, open_forged(&stage, &good));
    for (int kind = 0; kind < 6; kind++) {
        forged bad = good;
        uint32_t end = good.ends[3];
        uint16_t column = good.column[5];
        bad.end_count -= kind == 0;
        bad.column_count -= kind == 1;
        bad.ends[3] = kind == 2 ? 100000 : kind == 3 ? end + 1 : end;
        bad.column[5] = kind == 4 ? (uint16_t)tile_count : kind == 5 ? bad.column[4] : column;
        assert_status(stage.context, open_forged(&stage, &bad), RCITY_ERR_FORMAT);
        good.ends[3] = end;
        good.column[5] = column;
    }
    free(good.ends);
    free(good.column);
    stage_deinit(&stage);
}

TEST_SUITE(tile_file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_holds_the_matrix),
        cmocka_unit_test(test_stopped_run_goes_on),
        cmocka_unit_test(test_killed_run_goes_on),
        cmocka_unit_test(test_part_of_something_else_is_not_kept),
        cmocka_unit_test(test_one_writer_at_a_time),
        cmocka_unit_test(test_damage_is_refused_by_name),
        cmocka_unit_test(test_truncated_file_is_refused),
        cmocka_unit_test(test_unfinished_file_is_refused),
        cmocka_unit_test(test_matrix_of_something_else_is_refused),
        cmocka_unit_test(test_other_files_are_refused),
        cmocka_unit_test(test_wrong_numbers_are_refused),
    };
    return cmocka_run_group_tests_name("tile_file", tests, NULL, NULL);
}
