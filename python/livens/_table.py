"""Rows with names."""
import difflib
import re

import numpy as np


class Table:
    """Numbers by rows; columns have names.

    table["E"] is a column, table["a"] all columns a[1], a[2], ... of a vector side by side, and table["q"] of a family
    q_1, q_2, ... has the members in its second place. Arrays are read-only views where that is possible."""

    def __init__(self, names, values):
        self.names, self.values = list(names), values
        self._index = {name: k for k, name in enumerate(self.names)}

    def __len__(self):
        return len(self.values)

    def __contains__(self, name):
        return name in self._index or self._find(name) is not None

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError(f"columns have names, such as {self.names[-1]!r}; all numbers are in table.values")
        if name in self._index:
            return self.values[:, self._index[name]]
        found = self._find(name)
        if found is None:
            raise KeyError(self._unknown(name))
        columns, shape = found
        first, count = columns[0], len(columns)
        if columns == list(range(first, first + count)):
            block = self.values[:, first:first + count]
        else:
            block = self.values[:, columns]
        return block.reshape((len(self.values), *shape))

    def _find(self, name):
        """Columns of a vector or a family, and the shape of one row of them."""
        vector = re.compile(rf"{re.escape(name)}\[\d+\]$")
        columns = [k for k, column in enumerate(self.names) if vector.match(column)]
        if columns:
            return columns, (len(columns),)
        head, prime = (name[:-1], "'") if name.endswith("'") else (name, "")
        family = re.compile(rf"{re.escape(head)}_(\d+){prime}(\[\d+\])?$")
        matches = [(k, family.match(column)) for k, column in enumerate(self.names)]
        members = [(k, match[1]) for k, match in matches if match]
        count = len({number for _, number in members})
        if not members or len(members) % count:
            return None
        length = len(members) // count
        is_vector = any(match and match[2] for _, match in matches)
        return [k for k, _ in members], (count, length) if is_vector else (count,)

    def _unknown(self, name):
        known = list(dict.fromkeys(re.sub(r"\[\d+\]$", "", column) for column in self.names))
        near = difflib.get_close_matches(str(name), known, 1)
        hint = f"did you mean '{near[0]}'?" if near else "there are: " + ", ".join(known[:30])
        return f"there is no column '{name}'; {hint}"

    def to_dataframe(self, index=None):
        """A pandas DataFrame; index is the name of the column that becomes its index."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_dataframe needs pandas (Debian: python3-pandas)") from None
        frame = pandas.DataFrame(np.array(self.values), columns=self.names)
        return frame.set_index(index) if index else frame


class Group:
    """Columns whose names begin alike, by the rest: momentum["L_z"] is the column "J.L_z"."""

    def __init__(self, table, prefix):
        self._table, self._prefix = table, prefix

    def __getitem__(self, name):
        if self._prefix + name not in self._table:
            names = list(self)
            raise KeyError(f"there is no '{name}'; there are: {', '.join(names)}" if names
                           else f"there is no '{name}': there are none")
        return self._table[self._prefix + name]

    def __iter__(self):
        seen = (re.sub(r"\[\d+\]$", "", name[len(self._prefix):]) for name in self._table.names
                if name.startswith(self._prefix))
        return iter(dict.fromkeys(seen))

    def __len__(self):
        return sum(1 for _ in self)

    def __contains__(self, name):
        return self._prefix + name in self._table

    def keys(self):
        """The names."""
        return list(self)

    def __repr__(self):
        return "{" + ", ".join(self) + "}"
