/* Which peers follow point masses: PEER_SUNDIALS, PEER_MUJOCO and PEER_SIMBODY are defined where they are found. */
#include "peer.h"

#include <stddef.h>

const peer peers[] = {
#ifdef PEER_SUNDIALS
    {"SUNDIALS IDA", peer_sundials_ida},
    {"SUNDIALS ERK", peer_sundials_erk},
#endif
#ifdef PEER_MUJOCO
    {"MuJoCo RK4", peer_mujoco_points},
#endif
#ifdef PEER_SIMBODY
    {"Simbody", peer_simbody_points},
#endif
    {NULL, NULL}};
