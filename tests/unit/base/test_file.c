/* Whole-or-nothing files. */
#include "rcity_test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

static void expect_text(rcity_context *context, const char *path, const char *text)
{
    char *data = NULL;
    size_t size = 0;
    assert_ok(context, rcity_file_load(context, path, &data, &size));
    assert_string_equal(data, text);
    rcity_release(context, data);
}

static void test_held_files_appear_at_once_or_not_at_all(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char old_path[256];
    char new_path[256];
    snprintf(old_path, sizeof old_path, "%s", test_path("old.bin"));
    snprintf(new_path, sizeof new_path, "%s", test_path("new.bin"));
    assert_ok(context, rcity_file_save(context, old_path, "old", 3));
    for (int does_commit = 0; does_commit < 2; does_commit++) {
        rcity_outputs_hold(context);
        assert_ok(context, rcity_file_save(context, old_path, "fresh", 5));
        assert_ok(context, rcity_file_save(context, new_path, "new", 3));
        expect_text(context, old_path, "old");
        assert_int_not_equal(access(new_path, F_OK), 0);
        assert_int_equal(count_files(old_path), 3);
        if (does_commit == 0) {
            rcity_outputs_discard(context);
            expect_text(context, old_path, "old");
            assert_int_equal(count_files(old_path), 1);
        }
    }
    assert_ok(context, rcity_outputs_commit(context));
    expect_text(context, old_path, "fresh");
    expect_text(context, new_path, "new");
    assert_int_equal(count_files(old_path), 2);
    assert_ok(context, rcity_file_save(context, new_path, "newer", 5)); /* nothing is held back any more */
    expect_text(context, new_path, "newer");
    unlink(old_path);
    unlink(new_path);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_failed_commit_restores_what_was_there(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char paths[3][256];
    const char *const names[] = {"one.bin", "two.bin", "three.bin"};
    for (int blocked = 0; blocked < 3; blocked++) {
        for (int i = 0; i < 3; i++) {
            snprintf(paths[i], sizeof paths[i], "%s", test_path(names[i]));
            assert_ok(context, rcity_file_save(context, paths[i], "old", 3));
        }
        unlink(paths[(blocked + 1) % 3]);
        rcity_outputs_hold(context);
        for (int i = 0; i < 3; i++) {
            assert_ok(context, rcity_file_save(context, paths[i], "new", 3));
        }
        unlink(paths[blocked]);
        assert_int_equal(mkdir(paths[blocked], 0777), 0); /* no file can take its place */
        assert_status(context, rcity_outputs_commit(context), RCITY_ERR_FILE);
        assert_message(context, names[blocked]);
        assert_int_equal(rmdir(paths[blocked]), 0);
        assert_int_not_equal(access(paths[(blocked + 1) % 3], F_OK), 0);
        expect_text(context, paths[(blocked + 2) % 3], "old");
        assert_int_equal(count_files(paths[0]), 1);
        unlink(paths[(blocked + 2) % 3]);
    }
    rcity_context_destroy(&context);
}

static void test_abandon_and_destroy_leave_nothing(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("c.bin");
    rcity_new_file *file = NULL;
    assert_ok(context, rcity_file_save(context, path, "old", 3));
    rcity_outputs_hold(context);
    assert_ok(context, rcity_file_save(context, path, "held", 4));
    assert_ok(context, rcity_new_file_open(context, path, &file));
    assert_ok(context, rcity_new_file_write(file, "half", 4));
    assert_int_equal(count_files(path), 3);
    assert_true(rcity_outputs_abandon(context));
    assert_int_equal(count_files(path), 1);
    rcity_new_file_discard(&file);
    assert_ok(context, rcity_file_save(context, path, "held", 4));
    rcity_context_destroy(&context); /* what is still held back goes with it */
    assert_int_equal(count_files(path), 1);
    unlink(path);
}

static void test_leftovers_of_dead_processes_go(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("d.bin");
    char hidden[4][300];
    const char *const names[] = {".x.radiocity-part-%ld-0", ".y.radiocity-kept-%ld-3", ".z.radiocity-part-%ld",
                                 "w.radiocity-part-%ld-0"};
    pid_t dead = fork();
    assert_true(dead >= 0);
    if (dead == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(dead, NULL, 0), dead);
    for (int i = 0; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, names[i], (long)dead);
        snprintf(hidden[i], sizeof hidden[i], "%s", test_path(name));
        int descriptor = open(hidden[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        assert_true(descriptor >= 0);
        close(descriptor);
    }
    assert_ok(context, rcity_file_save(context, path, "new", 3));
    for (int i = 0; i < 4; i++) {
        bool is_ours = i < 2;
        assert_int_equal(access(hidden[i], F_OK) == 0, !is_ours);
        unlink(hidden[i]);
    }
    unlink(path);
    rcity_context_destroy(&context);
}

static void test_read_only_files_are_kept(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("e.bin");
    assert_ok(context, rcity_file_save(context, path, "old", 3));
    assert_int_equal(chmod(path, 0444), 0);
    assert_status(context, rcity_file_save(context, path, "new", 3), RCITY_ERR_FILE);
    assert_message(context, "read-only");
    expect_text(context, path, "old");
    unlink(path);
    rcity_context_destroy(&context);
}

TEST_SUITE(file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_discard_keeps_the_old),
        cmocka_unit_test(test_unusable_paths_are_refused_by_name),
        cmocka_unit_test(test_held_files_appear_at_once_or_not_at_all),
        cmocka_unit_test(test_failed_commit_restores_what_was_there),
        cmocka_unit_test(test_abandon_and_destroy_leave_nothing),
        cmocka_unit_test(test_leftovers_of_dead_processes_go),
        cmocka_unit_test(test_read_only_files_are_kept),
    };
    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
