/* Whole-or-nothing files. */
#include "rcity_test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* Files in the folder of a path. */
static int count_files(const char *path)
{
    char folder[256];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    }
    closedir(directory);
    return count;
}

static void test_save_and_load(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("a.bin");
    const char bytes[] = "some\0bytes";
    assert_ok(context, rcity_file_save(context, path, bytes, sizeof bytes));
    assert_int_equal(count_files(path), 1);
    char *data = NULL;
    size_t size = 0;
    assert_ok(context, rcity_file_load(context, path, &data, &size));
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(data, bytes, size);
    rcity_release(context, data);
    assert_ok(context, rcity_file_save(context, path, "new", 3)); /* replaces */
    assert_ok(context, rcity_file_load(context, path, &data, &size));
    assert_int_equal(size, 3);
    assert_string_equal(data, "new");
    rcity_release(context, data);
    unlink(path);
    rcity_context_destroy(&context);
}

static void test_discard_keeps_the_old(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("b.bin");
    assert_ok(context, rcity_file_save(context, path, "old", 3));
    rcity_new_file *file = NULL;
    assert_ok(context, rcity_new_file_open(context, path, &file));
    assert_ok(context, rcity_new_file_write(file, "half of the ne", 14));
    assert_int_equal(count_files(path), 2);
    rcity_new_file_discard(&file);
    assert_null(file);
    rcity_new_file_discard(&file);
    assert_int_equal(count_files(path), 1);
    char *data = NULL;
    size_t size = 0;
    assert_ok(context, rcity_file_load(context, path, &data, &size));
    assert_string_equal(data, "old");
    rcity_release(context, data);
    unlink(path);
    rcity_context_destroy(&context);
}

static void test_unusable_paths_are_refused_by_name(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char *data = NULL;
    size_t size = 0;
    assert_status(context, rcity_file_load(context, test_path("absent"), &data, &size), RCITY_ERR_FILE);
    assert_message(context, "absent");
    assert_status(context, rcity_file_load(context, "/", &data, &size), RCITY_ERR_FILE);
    assert_null(data);
    assert_status(context, rcity_file_save(context, "/nowhere/at/all", "x", 1), RCITY_ERR_FILE);
    assert_message(context, "/nowhere/at/all");
    assert_status(context, rcity_file_save(context, "/dev/null/x", "x", 1), RCITY_ERR_FILE);
    assert_status(context, rcity_file_save(context, "/tmp", "x", 1), RCITY_ERR_FILE);
    assert_message(context, "not a plain file");
    assert_status(context, rcity_file_save(context, "folder/", "x", 1), RCITY_ERR_FILE);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

TEST_SUITE(file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_discard_keeps_the_old),
        cmocka_unit_test(test_unusable_paths_are_refused_by_name),
    };
    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
