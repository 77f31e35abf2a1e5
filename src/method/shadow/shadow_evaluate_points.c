#include "method/shadow/shadow_job.h"
rcity_status rcity_shadow_evaluate_points(const rcity_job *job, const void *kept, int tx_index, float *loss_db,
                                          float *received_dbm)
{
    (void)kept;
    (void)tx_index;
    (void)loss_db;
    (void)received_dbm;
    return rcity_fail(job->context, RCITY_ERR_UNSUPPORTED, "not yet");
}
