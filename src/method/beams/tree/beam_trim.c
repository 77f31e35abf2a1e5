/* Every wall that a ray passes over says how far it comes at least, every wall that reflects it how far at most. */
#include "method/beams/tree/beam_trim.h"

#include <string.h>

static rcity_beam_line plane_of(const rcity_beam_frame *frame, const rcity_mirror *wall)
{
    return rcity_beam_frame_plane(frame, wall->normal.x, wall->normal.y, wall->offset);
}

/* How far a ray ends at least that passes over a wall between two directions. */
static double over_wall(const rcity_beam_frame *frame, const rcity_beam_limits *limits, const rcity_mirror *wall,
                        double right, double left)
{
    double near_m = rcity_beam_frame_near_m(frame, plane_of(frame, wall), right, left);
    return rcity_beam_heights_least_m(&limits->heights, near_m, wall->top);
}

double rcity_beam_trim_least_m(const rcity_beams_world *world, const rcity_beam_frame *frame,
                               const rcity_beam_limits *limits, const int32_t *passed, int32_t passed_count,
                               double right, double left)
{
    double least_m = limits->least_m;
    for (int32_t i = 0; i < passed_count; i++) {
        double over_m = over_wall(frame, limits, &world->facets->mirrors[passed[i]], right, left);
        least_m = over_m > least_m ? over_m : least_m;
    }
    return least_m;
}

/* Does a beam that passes over a wall pass over a roof next, where no receiver is? A wall that faces the source is the
   front of a building; receivers may stand on a roof that is no higher than they are. */
static bool begins_roof(const rcity_beam_frame *frame, const rcity_beam_limits *limits, const rcity_mirror *wall)
{
    return wall->normal.x * frame->x + wall->normal.y * frame->y > wall->offset &&
           wall->top > limits->heights.high_m + RCITY_BEAM_HEIGHTS_SLACK_M;
}

/* After how many of its lower walls a part holds receivers for the last time; -1: nowhere. Receivers may stand before the
   first of them, between two, and behind the last. */
static int32_t last_with_receivers(const rcity_beams_world *world, const rcity_beam_frame *frame,
                                   const rcity_beam_limits *limits, const int32_t *passed, const rcity_beam_part *part)
{
    const rcity_mirror *walls = world->facets->mirrors;
    double least_m = limits->least_m;
    bool is_over_roof = false;
    int32_t last = -1;
    for (int32_t i = 0; i <= part->passed_count; i++) {
        int32_t wall = i < part->passed_count ? passed[i] : part->wall;
        double end_m = limits->reach_m;
        if (wall >= 0) {
            double wall_m = rcity_beam_frame_far_m(frame, plane_of(frame, &walls[wall]), part->right, part->left);
            end_m = wall_m < end_m ? wall_m : end_m;
        }
        if (!is_over_roof && !(least_m > end_m + RCITY_BEAM_HEIGHTS_SLACK_M)) {
            last = i;
        }
        if (i < part->passed_count) {
            double over_m = over_wall(frame, limits, &walls[wall], part->right, part->left);
            least_m = over_m > least_m ? over_m : least_m;
            is_over_roof = begins_roof(frame, limits, &walls[wall]);
        }
    }
    return last;
}

/* Does a part go on as the one before it? */
static bool goes_on(const rcity_beam_sight *sight, const rcity_beam_part *before, const rcity_beam_part *part)
{
    return before->left == part->right && before->wall == part->wall && before->passed_count == part->passed_count &&
           (part->passed_count == 0 || memcmp(sight->passed + before->passed_first, sight->passed + part->passed_first,
                                              (size_t)part->passed_count * sizeof *sight->passed) == 0);
}

/* Parts end where the last receivers may be. */
static void trim_parts(const rcity_beams_world *world, const rcity_beam_frame *frame, const rcity_beam_limits *limits,
                       rcity_beam_sight *sight)
{
    size_t count = 0;
    for (size_t i = 0; i < sight->part_count; i++) {
        rcity_beam_part part = sight->parts[i];
        const int32_t *passed = sight->passed + part.passed_first;
        int32_t last = last_with_receivers(world, frame, limits, passed, &part);
        if (last < 0) {
            continue;
        }
        if (last < part.passed_count) {
            part.wall = passed[last];
            part.passed_count = last;
        }
        if (count > 0 && goes_on(sight, &sight->parts[count - 1], &part)) {
            sight->parts[count - 1].left = part.left;
        } else {
            sight->parts[count++] = part;
        }
    }
    sight->part_count = count;
}

/* May rays that a wall reflects come to a receiver? */
static bool may_reflect(const rcity_beams_world *world, const rcity_beam_frame *frame, const rcity_beam_limits *limits,
                        const rcity_beam_sight *sight, const rcity_beam_hit *hit)
{
    const rcity_mirror *wall = &world->facets->mirrors[hit->wall];
    if (wall->normal.x * frame->x + wall->normal.y * frame->y <= wall->offset) {
        return false; /* seen from behind */
    }
    double far_m = rcity_beam_frame_far_m(frame, plane_of(frame, wall), hit->right, hit->left);
    double most_m = rcity_beam_heights_most_m(&limits->heights, far_m, wall->top);
    double least_m = rcity_beam_trim_least_m(world, frame, limits, sight->passed + hit->passed_first, hit->passed_count,
                                             hit->right, hit->left);
    return !(least_m > most_m || least_m > limits->reach_m);
}

/* May a hit end at an edge? The beam itself may be divided at a corner. */
static bool ends_at_edge(const rcity_beams_world *world, const rcity_beam_hit *hit)
{
    const int32_t *edges;
    return hit->right <= 0.0 || hit->left >= 1.0 ||
           (hit->right_end >= 0 && rcity_beams_world_edges(world, hit->wall, hit->right_end, &edges) > 0) ||
           (hit->left_end >= 0 && rcity_beams_world_edges(world, hit->wall, hit->left_end, &edges) > 0);
}

static void name_passed(int32_t first, int32_t count, int32_t *named)
{
    named[first] = count > named[first] ? count : named[first];
}

/* Keep only those of the passed walls that parts and hits still name. */
static rcity_status move_passed(rcity_context *context, rcity_beam_sight *sight)
{
    RCITY_TRY(rcity_reserve(context, sight->passed_count + 1, sizeof *sight->moved, &sight->moved_capacity,
                            "the walls that a beam passes", &sight->moved));
    int32_t *moved = sight->moved; /* first how many walls are named from a place on */
    memset(moved, 0, (sight->passed_count + 1) * sizeof *moved);
    for (size_t i = 0; i < sight->part_count; i++) {
        name_passed(sight->parts[i].passed_first, sight->parts[i].passed_count, moved);
    }
    for (size_t i = 0; i < sight->hit_count; i++) {
        name_passed(sight->hits[i].passed_first, sight->hits[i].passed_count, moved);
    }
    int32_t kept = 0;
    for (size_t first = 0; first < sight->passed_count; first++) {
        int32_t count = moved[first];
        memmove(sight->passed + kept, sight->passed + first, (size_t)count * sizeof *sight->passed);
        moved[first] = kept;
        kept += count;
    }
    moved[sight->passed_count] = kept;
    for (size_t i = 0; i < sight->part_count; i++) {
        sight->parts[i].passed_first = moved[sight->parts[i].passed_first];
    }
    for (size_t i = 0; i < sight->hit_count; i++) {
        sight->hits[i].passed_first = moved[sight->hits[i].passed_first];
    }
    sight->passed_count = (size_t)kept;
    return RCITY_OK;
}

rcity_status rcity_beam_trim(rcity_context *context, const rcity_beams_world *world, const rcity_beam_frame *frame,
                             const rcity_beam_limits *limits, const rcity_beam_heights *reflected, bool meets_edges,
                             rcity_beam_sight *sight)
{
    trim_parts(world, frame, limits, sight);
    size_t hit_count = 0;
    rcity_beam_limits next = *limits;
    next.heights = reflected != NULL ? *reflected : limits->heights;
    for (size_t i = 0; i < sight->hit_count; i++) {
        rcity_beam_hit hit = sight->hits[i];
        if ((reflected != NULL && may_reflect(world, frame, &next, sight, &hit)) ||
            (meets_edges && ends_at_edge(world, &hit))) {
            sight->hits[hit_count++] = hit;
        }
    }
    sight->hit_count = hit_count;
    return move_passed(context, sight);
}
