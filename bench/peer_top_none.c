#include "peer_motion.h"

#include <stddef.h>

const peer_motion peer_tops[] = {{NULL, false, NULL}};
