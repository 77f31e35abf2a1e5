/* Pairs of walls that meet: seams where two prisms share a wall, knots and tangles where a prism touches itself. Two
   walls that meet anywhere are entered in a common cell, so cells are searched one by one. */
#include <stdlib.h>

#include "visibility/sight/sight_data.h"

static int64_t dot(rcity_grid_point origin, rcity_grid_point a, rcity_grid_point b)
{
    return ((int64_t)a.x - origin.x) * ((int64_t)b.x - origin.x) +
           ((int64_t)a.y - origin.y) * ((int64_t)b.y - origin.y);
}

/* Ends of a pair of walls. */
typedef struct wall_pair {
    int32_t e, f;
    rcity_grid_point ep, eq, fp, fq;
} wall_pair;

/* The stretch of wall e that wall f covers, both on the same line. @return true when it has a length. */
static bool find_overlap(const wall_pair *pair, rcity_sight_seam *seam)
{
    int64_t whole = dot(pair->ep, pair->eq, pair->eq);
    int64_t begin = dot(pair->ep, pair->fq, pair->eq);
    int64_t end = dot(pair->ep, pair->fp, pair->eq);
    seam->wall = pair->e;
    seam->begin = begin > 0 ? begin : 0;
    seam->end = end < whole ? end : whole;
    seam->from = begin > 0 ? pair->fq : pair->ep;
    seam->to = end < whole ? pair->fp : pair->eq;
    return seam->begin < seam->end;
}

static rcity_status add_seam(rcity_sight_work *work, const wall_pair *pair)
{
    const rcity_prism *prisms = work->shapes->prisms;
    int32_t e_roof = prisms[work->notes[pair->e].prism].roof;
    int32_t f_roof = prisms[work->notes[pair->f].prism].roof;
    rcity_sight_seam seam;
    if (!find_overlap(pair, &seam)) {
        return RCITY_OK;
    }
    seam.height = e_roof < f_roof ? e_roof : f_roof;
    RCITY_TRY(rcity_reserve(work->context, work->seam_count + 1, sizeof seam, &work->seam_capacity,
                            "the sight structure", &work->seams));
    work->seams[work->seam_count++] = seam;
    return RCITY_OK;
}

/* Walls of two prisms. Only two walls on one line with opposite directions share a stretch with solids on both
   sides. */
static rcity_status note_neighbours(rcity_sight_work *work, const wall_pair *pair)
{
    int64_t ex = (int64_t)pair->eq.x - pair->ep.x;
    int64_t ey = (int64_t)pair->eq.y - pair->ep.y;
    int64_t fx = (int64_t)pair->fq.x - pair->fp.x;
    int64_t fy = (int64_t)pair->fq.y - pair->fp.y;
    if (ex * fy - ey * fx != 0 || ex * fx + ey * fy > 0 || rcity_orient(pair->ep, pair->eq, pair->fp) != 0) {
        return RCITY_OK;
    }
    wall_pair swapped = {pair->f, pair->e, pair->fp, pair->fq, pair->ep, pair->eq};
    RCITY_TRY(add_seam(work, pair));
    return add_seam(work, &swapped);
}

/* Do two closed stretches share a point? */
static bool do_meet(const wall_pair *pair)
{
    int64_t e_side_p = rcity_orient(pair->fp, pair->fq, pair->ep);
    int64_t e_side_q = rcity_orient(pair->fp, pair->fq, pair->eq);
    int64_t f_side_p = rcity_orient(pair->ep, pair->eq, pair->fp);
    int64_t f_side_q = rcity_orient(pair->ep, pair->eq, pair->fq);
    bool is_apart = (e_side_p > 0 && e_side_q > 0) || (e_side_p < 0 && e_side_q < 0) ||
                    (f_side_p > 0 && f_side_q > 0) || (f_side_p < 0 && f_side_q < 0);
    return !is_apart && rcity_plan_boxes_meet(rcity_edge_box(pair->ep, pair->eq), rcity_edge_box(pair->fp, pair->fq));
}

/* Consecutive walls of one prism meet in their common corner and turn there, at any angle. Others should not meet.
   Meeting in a common corner makes a knot; meeting anywhere else tangles the prism. */
static void note_own(rcity_sight_work *work, const wall_pair *pair)
{
    const rcity_sight_note *e = &work->notes[pair->e];
    const rcity_sight_note *f = &work->notes[pair->f];
    if (!do_meet(pair)) {
        return;
    }
    bool is_followed = e->next == pair->f || f->next == pair->e;
    rcity_grid_point common = e->next == pair->f ? pair->eq : pair->ep;
    rcity_grid_point e_other = e->next == pair->f ? pair->ep : pair->eq;
    rcity_grid_point f_other = e->next == pair->f ? pair->fq : pair->fp;
    if (is_followed) {
        bool is_back = rcity_orient(e_other, common, f_other) == 0 && dot(common, e_other, f_other) > 0;
        work->is_tangled[e->prism] =
            work->is_tangled[e->prism] || is_back || (e->next == pair->f && f->next == pair->e);
        return;
    }
    int32_t e_corner =
        rcity_grid_point_equal(pair->ep, pair->fp) || rcity_grid_point_equal(pair->ep, pair->fq) ? pair->e : e->next;
    int32_t f_corner =
        rcity_grid_point_equal(pair->fp, pair->ep) || rcity_grid_point_equal(pair->fp, pair->eq) ? pair->f : f->next;
    const rcity_grid_point *points = work->shapes->points;
    rcity_grid_point e_far = e_corner == pair->e ? pair->eq : pair->ep;
    rcity_grid_point f_far = f_corner == pair->f ? pair->fq : pair->fp;
    rcity_grid_point at = points[e_corner];
    bool is_overlap = rcity_orient(at, e_far, f_far) == 0 && dot(at, e_far, f_far) > 0;
    if (!rcity_grid_point_equal(at, points[f_corner]) || is_overlap) {
        work->is_tangled[e->prism] = true;
        return;
    }
    work->notes[e_corner].turn = RCITY_SIGHT_TURN_KNOT;
    work->notes[f_corner].turn = RCITY_SIGHT_TURN_KNOT;
}

/* Test all pairs of walls in a cell: of one prism, or of two that are not tangled (what is on the left of a tangled
   prism's wall need not be solid). */
static rcity_status note_pairs(rcity_sight_work *work, int64_t cell, bool is_own)
{
    const rcity_grid_point *points = work->shapes->points;
    for (uint32_t i = work->entry_first[cell]; i < work->entry_first[cell + 1]; i++) {
        int32_t e = work->entry_wall[i];
        const rcity_sight_note *e_note = &work->notes[e];
        for (uint32_t j = i + 1; j < work->entry_first[cell + 1]; j++) {
            int32_t f = work->entry_wall[j];
            const rcity_sight_note *f_note = &work->notes[f];
            wall_pair pair = {e, f, points[e], points[e_note->next], points[f], points[f_note->next]};
            if (is_own && e_note->prism == f_note->prism) {
                note_own(work, &pair);
            }
            if (!is_own && e_note->prism != f_note->prism && !work->is_tangled[e_note->prism] &&
                !work->is_tangled[f_note->prism]) {
                RCITY_TRY(note_neighbours(work, &pair));
            }
        }
    }
    return RCITY_OK;
}

static int compare_seams(const void *left, const void *right)
{
    const rcity_sight_seam *a = left;
    const rcity_sight_seam *b = right;
    if (a->wall != b->wall) {
        return a->wall < b->wall ? -1 : 1;
    }
    if (a->begin != b->begin) {
        return a->begin < b->begin ? -1 : 1;
    }
    if (a->end != b->end) {
        return a->end < b->end ? -1 : 1;
    }
    return (a->height > b->height) - (a->height < b->height);
}

rcity_status rcity_sight_find_seams(rcity_sight_work *work)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t cell = 0; cell < work->sight->cell_count; cell++) {
            RCITY_TRY(note_pairs(work, cell, pass == 0));
        }
    }
    if (work->seam_count > 0) {
        qsort(work->seams, work->seam_count, sizeof *work->seams, compare_seams);
    }
    size_t kept = 0; /* a pair comes up once for each common cell */
    for (size_t i = 0; i < work->seam_count; i++) {
        if (kept == 0 || compare_seams(&work->seams[kept - 1], &work->seams[i]) != 0) {
            work->seams[kept++] = work->seams[i];
        }
    }
    work->seam_count = kept;
    for (size_t i = 0; i < kept; i++) {
        rcity_sight_note *note = &work->notes[work->seams[i].wall];
        note->seam_first = note->seam_count == 0 ? (int32_t)i : note->seam_first;
        note->seam_count++;
    }
    return RCITY_OK;
}
