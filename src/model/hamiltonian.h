/* Converts models given by a Hamiltonian to models given by a Lagrangian. No code after
 * this step handles Hamiltonians (theory 1.8).
 *
 * Formulas are read with momenta as inputs M. Then
 *
 *   1. coupling.c   finds the blocks of coordinates whose momenta H couples, and joins blocks that
 *                   come from the same instances of the same terms into clusters;
 *   2. join.c       finds clusters of the same structure, so that a family stays one kernel;
 *   3. hamiltonian.c transforms each kind of cluster once (expr/legendre.h) and replaces momenta in
 *                   forces, constraints and outputs;
 *   4. momentum_start.c converts momenta at the start to velocities. */
#ifndef LV_MODEL_HAMILTONIAN_H
#define LV_MODEL_HAMILTONIAN_H

#include "model/model.h"

/* The first formula of a Hamiltonian; NULL: the model has none. */
const lv_entry *lv_hamiltonian_first(const lv_declarations *declarations);

/* Fails if there are kinetic energies, Lagrangians or potentials besides a Hamiltonian.
 * Potentials of springs are allowed: they are added to it. */
lv_status lv_hamiltonian_refuse_mixture(const lv_model *model, lv_error *err);

/* Replaces the kernels of Hamiltonians and all momenta, and sets start velocities where
 * momenta are given. Does nothing for models without a Hamiltonian. */
lv_status lv_hamiltonian_convert(lv_model *model, lv_error *err);

#endif
