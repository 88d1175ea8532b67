/* Which peers follow the chain: PEER_MUJOCO and PEER_SIMBODY are defined where they are found. */
#include "peer_motion.h"

#include <stddef.h>

double peer_began;

const peer_motion peer_hinges[] = {
#ifdef PEER_MUJOCO
    {"MuJoCo, hinges", true, peer_mujoco_hinges},
#endif
#ifdef PEER_SIMBODY
    {"Simbody, pins", false, peer_simbody_hinges},
#endif
    {NULL, false, NULL}};

const peer_motion peer_balls[] = {
#ifdef PEER_MUJOCO
    {"MuJoCo, balls", true, peer_mujoco_balls},
#endif
#ifdef PEER_SIMBODY
    {"Simbody, balls", false, peer_simbody_balls},
#endif
    {NULL, false, NULL}};
