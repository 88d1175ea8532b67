/* Functions of bodies and of directions in space. The axes of a body are its members e1,
 * e2 and, in space, e3. */
#ifndef LV_EXPR_SPACE_H
#define LV_EXPR_SPACE_H

#include "expr/function.h"

/* point(B, s) = B + s1 B.e1 + s2 B.e2 + s3 B.e3; direction(B, s) the same without B;
 * local(B, v) = [dot(v, B.e1), dot(v, B.e2), dot(v, B.e3)] */
lv_status lv_apply_point(const lv_function *self, lv_elaboration *e, lv_value *value,
                         const lv_value *arguments, const lv_syntax *call, lv_error *err);
lv_status lv_apply_direction(const lv_function *self, lv_elaboration *e, lv_value *value,
                             const lv_value *arguments, const lv_syntax *call,
                             lv_error *err);
lv_status lv_apply_local(const lv_function *self, lv_elaboration *e, lv_value *value,
                         const lv_value *arguments, const lv_syntax *call, lv_error *err);

/* normal(v): a unit vector perpendicular to v. rotate(r, u): u rotated by the rotation
 * vector r, or in the plane by the angle r. */
lv_status lv_apply_normal(const lv_function *self, lv_elaboration *e, lv_value *value,
                          const lv_value *arguments, const lv_syntax *call,
                          lv_error *err);
lv_status lv_apply_rotate(const lv_function *self, lv_elaboration *e, lv_value *value,
                          const lv_value *arguments, const lv_syntax *call,
                          lv_error *err);

#endif
