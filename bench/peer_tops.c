/* Who follows the heavy top beside livens: a program written by hand, and SUNDIALS where it is found (PEER_SUNDIALS). */
#include "peer_motion.h"

#include <stddef.h>

const peer_motion peer_tops[] = {{"by hand", true, bound_top},
#ifdef PEER_SUNDIALS
                                 {"SUNDIALS ERK", false, peer_sundials_top_erk},
                                 {"SUNDIALS IDA", false, peer_sundials_top_ida},
#endif
                                 {NULL, false, NULL}};
