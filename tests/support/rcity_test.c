/* What the tests share. */
#include "rcity_test.h"

#include <dirent.h>
#include <unistd.h>

rcity_context *test_context(int thread_count)
{
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = thread_count;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    return context;
}

static bool is_failing(failing_allocator *failing)
{
    failing->call_count++;
    return failing->call_count == failing->fail_at;
}

static void *failing_allocate(void *user, size_t bytes)
{
    failing_allocator *failing = user;
    void *memory = is_failing(failing) ? NULL : malloc(bytes);
    failing->live_count += memory != NULL;
    return memory;
}

static void *failing_resize(void *user, void *memory, size_t bytes)
{
    return is_failing(user) ? NULL : realloc(memory, bytes);
}

static void failing_release(void *user, void *memory)
{
    failing_allocator *failing = user;
    failing->live_count -= memory != NULL;
    free(memory);
}

rcity_context *test_context_failing(failing_allocator *failing, int thread_count)
{
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = thread_count;
    options.allocator.allocate = failing_allocate;
    options.allocator.resize = failing_resize;
    options.allocator.release = failing_release;
    options.allocator.user = failing;
    long fail_at = failing->fail_at;
    failing->fail_at = 0; /* the context itself is not under test */
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    failing->fail_at = fail_at;
    failing->call_count = 0;
    return context;
}

void test_add_box(rcity_context *context, rcity_scene *scene, int64_t id, test_box box)
{
    const double xy_m[] = {box.x0_m, box.y0_m, box.x1_m, box.y0_m, box.x1_m, box.y1_m, box.x0_m, box.y1_m};
    const int point_count[] = {4};
    rcity_building building = rcity_building_default();
    building.id = id;
    building.ring_count = 1;
    building.ring_point_count = point_count;
    building.xy_m = xy_m;
    building.height_m = box.height_m;
    assert_ok(context, rcity_scene_add_building(scene, &building));
}

rcity_scene *test_scene(rcity_context *context, const test_box *boxes, int box_count)
{
    return test_scene_in(context, NULL, boxes, box_count);
}

rcity_scene *test_scene_in(rcity_context *context, const char *crs, const test_box *boxes, int box_count)
{
    rcity_scene_options options = rcity_scene_options_default();
    options.crs = crs;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int i = 0; i < box_count; i++) {
        test_add_box(context, scene, i + 1, boxes[i]);
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static char folder[64];

static void remove_folder(void)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry = directory != NULL ? readdir(directory) : NULL; entry != NULL;
         entry = readdir(directory)) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (directory != NULL) {
        closedir(directory);
    }
    rmdir(folder);
}

const char *test_path(const char *name)
{
    static char paths[8][256];
    static int next;
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "/tmp/radiocity-test-XXXXXX");
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *test_text(rcity_context *context, const char *name, const char *text)
{
    const char *path = test_path(name);
    assert_ok(context, rcity_text_save(context, path, text));
    return path;
}

const char *test_data(const char *name)
{
    static char path[512];
    const char *data = getenv("RADIOCITY_DATA");
    snprintf(path, sizeof path, "%s/%s", data != NULL ? data : "", name);
    if (data == NULL || access(path, R_OK) != 0) {
        print_message("SKIPPED: no %s (set RADIOCITY_DATA to the folder of the real data)\n", name);
        return NULL;
    }
    return path;
}

/* The splitmix64 mixer over a counter. */
uint64_t test_random(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * 0x9e3779b97f4a7c15u + (i + 1) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void test_close(rcity_context **context, rcity_scene **scene, rcity_device **device)
{
    rcity_device_close(device);
    rcity_scene_destroy(scene);
    assert_int_equal(rcity_context_memory_used(*context), 0);
    rcity_context_destroy(context);
}

const char *test_find_note(const rcity_map *map, const char *key)
{
    const char *found;
    const char *value;
    for (int i = 0; rcity_map_get_note(map, i, &found, &value) == RCITY_OK; i++) {
        if (strcmp(found, key) == 0) {
            return value;
        }
    }
    return NULL;
}

double test_uniform(uint64_t seed, uint64_t i, double low, double high)
{
    return low + (high - low) * (double)(test_random(seed, i) >> 11) * 0x1p-53;
}

bool test_find_opencl(char *id)
{
    rcity_context *context = test_context(1);
    rcity_device_info infos[8];
    int count = 0;
    bool is_found = false;
    assert_ok(context, rcity_device_list(context, 8, infos, &count));
    for (int i = 1; i < count && i < 8 && !is_found; i++) {
        is_found = infos[i].is_usable;
        snprintf(id, 32, "%s", infos[i].id);
    }
    if (!is_found) {
        print_message("SKIPPED: no usable OpenCL device here\n");
    }
    rcity_context_destroy(&context);
    return is_found;
}
