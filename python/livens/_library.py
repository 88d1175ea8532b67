"""The shared library: where it is, how its functions are called, what its failures become."""
import ctypes
import ctypes.util
import difflib
import inspect
import os
import pathlib
import re
import threading

import numpy as np

from . import _abi


def _find():
    """LIVENS_LIBRARY, the library inside of the package, or the one of the system."""
    given = os.environ.get("LIVENS_LIBRARY")
    if given:
        return given
    for name in ("liblivens.so", "liblivens.dylib"):
        own = pathlib.Path(__file__).with_name(name)
        if own.exists():
            return str(own)
    found = ctypes.util.find_library("livens")
    if found:
        return found
    raise ImportError("livens: there is no liblivens beside the package nor on the system. 'make python' builds both "
                      "together, 'pip install .' installs them; LIVENS_LIBRARY=PATH names another one.")


def _load():
    path = _find()
    library = ctypes.CDLL(path)  # calls release the GIL
    for name, (arguments, result) in _abi.FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"livens: {path} has no {name}: library and package are of different versions") from None
        function.argtypes = arguments
        function.restype = result
    return library


lib = _load()


# ---- texts and numbers -------------------------------------------------------------------------------------------------

def text(value):
    """bytes of C as str; None stays None."""
    return None if value is None else value.decode("utf-8", "replace")


def encoded(value):
    """str or path as bytes for C; None stays None. C texts end at a zero byte, so that there must be none inside."""
    if value is None:
        return None
    raw = os.fsencode(value)
    if b"\0" in raw:
        raise ValueError("a text must not contain a zero byte")
    return raw


def suggestion(word, known):
    """What may have been meant, or all that there is."""
    near = difflib.get_close_matches(str(word), known, 1)
    more = ", ..." if len(known) > 30 else ""
    return f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(known[:30])}{more}"


def texts(values):
    """A sequence of str as an array for C, and its length; (None, 0) where there is none."""
    values = [encoded(value) for value in ([values] if isinstance(values, str) else values or ())]
    return ((ctypes.c_char_p * len(values))(*values) if values else None), len(values)


def address(array):
    return array.ctypes.data


class _Memory:
    """Numbers of the library that numpy looks at; keeps their owner alive."""

    def __init__(self, where, shape, owner):
        self.owner = owner
        self.__array_interface__ = {"data": (where, True), "shape": shape, "typestr": "<f8", "version": 3}


def view(pointer, shape, owner):
    """Numbers at an address as a read-only array, without a copy. The array keeps their owner alive."""
    where = ctypes.cast(pointer, ctypes.c_void_p).value if pointer else None
    if not where or 0 in shape:
        array = np.empty(shape)
        array.flags.writeable = False
        return array
    return np.asarray(_Memory(where, shape, owner))


# ---- objects of the library ----------------------------------------------------------------------------------------------

_lock = threading.RLock()


class Handle:
    """An object of the library. It is freed when neither Python nor a handle that needs it has it any more, whatever the
    order in which the garbage collector finds them."""

    __slots__ = ("address", "_free", "_needs", "_users", "__weakref__")

    def __init__(self, where, free, needs=None):
        self.address, self._free, self._needs, self._users = where, free, needs, 1
        if needs is not None:
            with _lock:
                needs._users += 1

    def lean_on(self, needs):
        """Keeps another handle alive from now on."""
        with _lock:
            self._needs = needs
            needs._users += 1

    def _release(self):
        with _lock:
            self._users -= 1
            last = self._users == 0
        if last:
            self._free(self.address)
            if self._needs is not None:
                self._needs._release()

    def __del__(self):
        if hasattr(self, "_users"):
            self._release()

    def __reduce__(self):
        raise TypeError("objects of the library cannot be pickled or copied this way: of models the source is, "
                        "simulations have copy and save, results arrays and to_dataframe")


# ---- failures ---------------------------------------------------------------------------------------------------------------

class Error(Exception):
    """What the library refuses or cannot do. str() is the message of the program: place, source line, note, hint.

    code: "model", "syntax", "numeric", ...; text: what is wrong; file, line, column, length: where in the model (lines
    and columns count from 1, 0: nowhere); source: that line; note, hint: a related fact, what to do; about, index, name:
    what it is about ("option", "constraint", ...); why: "diverged", "singular", ...; result: of runs that stopped early
    the Result until then, else None."""

    def __init__(self, message, **facts):
        super().__init__(message)
        self.code = self.text = self.file = self.source = self.note = self.hint = ""
        self.about = self.name = self.why = ""
        self.line = self.column = self.length = self.index = 0
        self.result = None
        self.__dict__.update(facts)


class ModelError(Error, ValueError):
    """A model, or a wish for a run, that makes no sense: syntax, names, values, schemes that do not fit."""


class NumericError(Error, ArithmeticError):
    """A computation that failed: no convergence, a singular configuration, a formula without a value."""


class UsageError(Error, ValueError):
    """A call with wrong arguments."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class LimitError(Error, MemoryError):
    """More memory than there is or than is allowed, or input larger than livens accepts."""


_CLASSES = {_abi.LV_ERR_SYNTAX: ModelError, _abi.LV_ERR_MODEL: ModelError, _abi.LV_ERR_DOMAIN: ModelError,
            _abi.LV_ERR_NUMERIC: NumericError, _abi.LV_ERR_USAGE: UsageError, _abi.LV_ERR_IO: FileError,
            _abi.LV_ERR_MEMORY: LimitError, _abi.LV_ERR_LIMIT: LimitError}


# The library's hints name what to type on a command line; here they name what to write in Python.
_SPOKEN = [(re.compile(pattern), words) for pattern, words in (
    (r"^lv_\w+: (?:request->)?", ""), (r"without options\.dense", "without dense=True"),
    (r"'livens list schemes' shows", "livens.schemes() shows"), (r"'livens list models' shows", "livens.shipped() shows"),
    (r"names are those in the first line of 'livens run --csv -'", "names are those in `columns` of a result"),
    (r"\[sweep\] members = 10, and in \[sweep.set\] what differs: livens help model",
     'model.sweep({"k": [1, 2, 3]}), or [sweep] and [sweep.set] in the model'),
    (r"--set (\w+)", r"parameter \1"),
    (r"--([a-z][a-z-]*) (?=[\w.+-])", lambda m: m[1].replace("-", "_") + "="),
    (r"(\b[a-z_]+=[\w.+-]+) (?=[a-z_]+=)", r"\1, "))]


def _in_python(said):
    for pattern, words in _SPOKEN:
        said = pattern.sub(words, said)
    return said


def failure(status, err):
    """The exception of a status and its explanation."""
    err.hint = _in_python(text(err.hint)).encode()[:399]
    err.text = _in_python(text(err.text)).encode()[:799]
    err.file = _in_python(text(err.file)).encode()[:199]
    code = text(lib.lv_status_name(status))
    if err.code != status:
        return _CLASSES[status](text(lib.lv_status_meaning(status)), code=code)
    size = lib.lv_error_write(ctypes.byref(err), None, 0) + 1
    buffer = ctypes.create_string_buffer(size)
    lib.lv_error_write(ctypes.byref(err), ctypes.addressof(buffer), size)
    facts = {name: text(getattr(err, name)) for name in ("text", "file", "source", "note", "hint", "name")}
    facts.update((name, getattr(err, name)) for name in ("line", "column", "length", "index"))
    message = text(buffer.value).rstrip("\n").removeprefix("error: ")
    return _CLASSES[status](message, code=code, about=text(lib.lv_subject_name(err.about)),
                            why=text(lib.lv_reason_name(err.why)), **facts)


def call(function, *arguments):
    """Calls a function that returns a status and takes an lv_error last; a failure is raised."""
    err = _abi.lv_error()
    status = function(*arguments, ctypes.byref(err))
    if status != _abi.LV_OK:
        raise failure(status, err)


def documented(*names):
    """Adds what the headers say of functions of the library to the text of a method."""
    def add(method):
        said = "\n\n".join(f"{name}: {_abi.DOC[name]}" for name in names if name in _abi.DOC)
        method.__doc__ = f"{inspect.cleandoc(method.__doc__ or '')}\n\nFrom the C interface:\n\n{said}"
        return method
    return add


class Guard:
    """Callbacks of the library into Python: an exception ends the computation in good order and is raised after it."""

    def __init__(self):
        self.raised = None

    def wrap(self, kind, function):
        def call_back(*arguments):
            try:
                return function(*arguments) is not False
            except BaseException as error:  # Ctrl-C is one of them
                self.raised = error
                return False
        return kind(call_back)

    def check(self):
        if self.raised is not None:
            raise self.raised
