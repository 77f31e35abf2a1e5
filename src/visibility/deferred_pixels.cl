/* Put what the host found for deferred pixels in their place: elements of `words` words. */
__kernel void rcity_deferred_pixels_put(long words, long item_begin, long item_count, __global const uint *list,
                                        __global const uint *found, __global uint *elements)
{
    long i = get_global_id(0);
    if (i < item_count) {
        long item = item_begin + i;
        for (long k = 0; k < words; k++) {
            elements[list[1 + item] * words + k] = found[item * words + k];
        }
    }
}
