/* Which peers follow the chain: PEER_MUJOCO and PEER_SIMBODY are defined where they are found. */
#include "peer_motion.h"

#include <stddef.h>

const peer_motion peer_chains[] = {
#ifdef PEER_MUJOCO
    {"MuJoCo RK4", true, peer_mujoco},
#endif
#ifdef PEER_SIMBODY
    {"Simbody", false, peer_simbody},
#endif
    {NULL, false, NULL}};
