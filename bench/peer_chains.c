/* Who follows the chain beside livens: programs written by hand, and peers: PEER_MUJOCO and PEER_SIMBODY are defined where they are found. */
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

const peer_motion peer_balls[] = {{"by hand", true, bound_links},
                                  {"by hand, order 4", true, bound_links_composed},
#ifdef PEER_MUJOCO
                                  {"MuJoCo, balls", true, peer_mujoco_balls},
#endif
#ifdef PEER_SIMBODY
                                  {"Simbody, balls", false, peer_simbody_balls},
#endif
                                  {NULL, false, NULL}};
