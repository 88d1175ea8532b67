/* livens: simulation of constrained mechanical systems that keeps what the physics keeps. */
#ifndef LIVENS_LIVENS_H
#define LIVENS_LIVENS_H

#include "build.h"
#include "format.h"
#include "inspect.h"
#include "mechanism.h"
#include "memory.h"
#include "model.h"
#include "option.h"
#include "report.h"
#include "run.h"
#include "scheme.h"
#include "sim.h"
#include "status.h"
#include "study.h"
#include "sweep.h"
#include "verify.h"
#include "version.h"
#include "view.h"

#endif
