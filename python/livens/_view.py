"""Pictures: what is drawn of a model, and where it is."""
import numpy as np

from . import _abi
from ._library import lib, text
from ._record import Record


def _where(item, numbers):
    """Where an item is, by its kind."""
    kind = item.kind
    if kind == _abi.LV_VIEW_FRAME:
        return {"position": numbers[:3], "quaternion": numbers[3:7]}
    if kind == _abi.LV_VIEW_JOINT:
        return {"position": numbers[:3], "axis": numbers[3:6]}
    if kind == _abi.LV_VIEW_POINT:
        return {"position": numbers}
    shape = (item.rows, item.columns, 3) if kind == _abi.LV_VIEW_SURFACE else (-1, 3)
    return {"points": numbers.reshape(shape)}


def view_of(model_address, fill):
    """The items of a model's view; fill writes the numbers of a frame to an array."""
    view = _abi.lv_view.from_address(lib.lv_model_view(model_address))
    numbers = np.empty(view.number_count)
    fill(numbers)
    items = []
    for item in (view.items[k] for k in range(view.item_count)):
        own = np.array(item.still[:item.count]) if item.first < 0 else numbers[item.first:item.first + item.count]
        items.append(Record(kind=text(lib.lv_view_kind_name(item.kind)), name=text(item.name), section=text(item.section),
                            shape=text(item.shape), sizes=list(item.sizes[:item.size_count]) if item.size_count else [],
                            **_where(item, own)))
    return items
