/* Receivers weighed a block at a time on the host. */
#ifndef RCITY_METHOD_SHADOW_BLOCK_H
#define RCITY_METHOD_SHADOW_BLOCK_H

#include "method/shadow/shadow_weigh.h"

/* Weighs receivers [begin, end) with weights whose source is that of the paths. `chains` are the losses of the chains
   of corners. The bits are those of rcity_shadow_weigh_receiver(). */
void rcity_shadow_weigh_blocks(const rcity_shadow_paths *paths, const rcity_shadow_weights *weights,
                               const float *pattern, const rcity_shadow_chain_loss *chains, size_t begin, size_t end,
                               const rcity_shadow_bands *bands);

#endif
