"""Rows with names."""
import collections.abc
import csv
import re

import numpy as np

from ._library import suggestion


class Table:
    """Numbers by rows; columns have names. Runs, ensembles and what `livens.read` finds in a file are tables.

    table["E"] is a column, table["a"] all columns a[1], a[2], ... of a vector side by side, and table["q"] of a family
    q_1, q_2, ... has the members in its second place. Arrays are read-only views where that is possible. `columns` are all
    names, `values` all numbers as one array, `index` the column that tells rows apart ("t", "member"), or None."""

    def __init__(self, columns, values, index=None):
        self.columns, self.values, self.index = list(columns), values, index
        self._index = {name: k for k, name in enumerate(self.columns)}

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.columns)

    def keys(self):
        """Names of the columns."""
        return list(self.columns)

    def __contains__(self, name):
        return name in self._index or self._find(name) is not None

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError(f"columns have names, such as {self.columns[-1]!r}; all numbers are in `values`")
        if name in self._index:
            return self.values[:, self._index[name]]
        found = self._find(name)
        if found is None:
            raise KeyError(f"there is no column '{name}'; {suggestion(name, self._short_names())}")
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
        columns = [k for k, column in enumerate(self.columns) if vector.match(column)]
        if columns:
            return columns, (len(columns),)
        head, prime = (name[:-1], "'") if name.endswith("'") else (name, "")
        family = re.compile(rf"{re.escape(head)}_(\d+){prime}(\[\d+\])?$")
        matches = [(k, family.match(column)) for k, column in enumerate(self.columns)]
        members = [(k, match[1]) for k, match in matches if match]
        count = len({number for _, number in members})
        if not members or len(members) % count:
            return None
        length = len(members) // count
        is_vector = any(match and match[2] for _, match in matches)
        return [k for k, _ in members], (count, length) if is_vector else (count,)

    def _short_names(self):
        """Names of vectors instead of those of their components."""
        return list(dict.fromkeys(re.sub(r"\[\d+\]$", "", column) for column in self.columns))

    def _ipython_key_completions_(self):
        return list(dict.fromkeys([*self._short_names(), *self.columns]))

    def to_dataframe(self):
        """A pandas DataFrame; the column that tells rows apart, such as the time, is its index."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_dataframe needs pandas (Debian: python3-pandas)") from None
        frame = pandas.DataFrame(np.array(self.values), columns=self.columns)
        return frame.set_index(self.index) if self.index else frame

    def to_csv(self, path):
        """Writes the rows to a file: the bytes that `livens run --csv` writes."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(self.columns)
            file.writelines(",".join(f"{x:.17g}" for x in row) + "\n" for row in self.values.tolist())

    def __repr__(self):
        return f"<livens.Table of {len(self)} rows: {', '.join(self._short_names()[:12])}>"


class Group(collections.abc.Mapping):
    """Columns whose names begin alike, by the rest: momentum["L_z"] is the column "J.L_z"."""

    def __init__(self, table, prefix):
        self._table, self._prefix = table, prefix

    def __getitem__(self, name):
        if not isinstance(name, str) or self._prefix + name not in self._table:
            raise KeyError(f"there is no '{name}'; {suggestion(name, list(self))}" if len(self)
                           else f"there is no '{name}': there are none")
        return self._table[self._prefix + name]

    def __iter__(self):
        seen = (re.sub(r"\[\d+\]$", "", name[len(self._prefix):]) for name in self._table.columns
                if name.startswith(self._prefix))
        return iter(dict.fromkeys(seen))

    def __len__(self):
        return sum(1 for _ in self)

    def _ipython_key_completions_(self):
        return list(self)

    def __repr__(self):
        return "{" + ", ".join(self) + "}"
