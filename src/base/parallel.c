/* Loops over the host's threads, through OpenMP where the build has it. */
#include "base/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static int current_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

void rcity_parallel(rcity_context *context, int64_t item_count, int64_t piece, rcity_parallel_function function,
                    void *user)
{
    int64_t piece_count = item_count / piece + (item_count % piece != 0);
    int thread_count = rcity_context_thread_count(context);
    (void)thread_count; /* without OpenMP there is one thread */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(thread_count) if (piece_count > 1)
#endif
    for (int64_t index = 0; index < piece_count; index++) {
        int64_t begin = index * piece;
        int64_t end = begin + piece < item_count ? begin + piece : item_count;
        function(user, begin, end, current_thread());
    }
}
