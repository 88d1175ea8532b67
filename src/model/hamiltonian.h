/* Models given by a Hamiltonian become models given by a Lagrangian, here and nowhere else: what
 * comes after knows kinetic and potential energies and Lagrangians only (theory 1.8).
 *
 * Formulas are read with momenta as inputs M. Then
 *
 *   1. coupling.c   finds the blocks of coordinates whose momenta H couples, and joins blocks that
 *                   come from the same instances of the same terms into clusters;
 *   2. join.c       finds clusters that look alike, so that a family stays one kernel;
 *   3. hamiltonian.c transforms each kind of cluster once (expr/legendre.h) and replaces momenta in
 *                   forces, constraints and outputs;
 *   4. momentum_start.c turns momenta at the start into velocities. */
#ifndef LV_MODEL_HAMILTONIAN_H
#define LV_MODEL_HAMILTONIAN_H

#include "model/model.h"

/* The first formula of a Hamiltonian, NULL: the model has none. */
const lv_entry *lv_hamiltonian_first(const lv_declarations *declarations);

/* Fails if there are kinetic energies, Lagrangians or potentials beside a Hamiltonian; those of
 * springs may be: they are added to it. */
lv_status lv_hamiltonian_refuse_mixture(const lv_model *model, lv_error *err);

/* Replaces the kernels of Hamiltonians and all momenta; sets start velocities where momenta are
 * given. Nothing happens to models without a Hamiltonian. */
lv_status lv_hamiltonian_convert(lv_model *model, lv_error *err);

#endif
