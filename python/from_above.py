"""What pip calls in the directory above: the same, one directory below."""
import os
import pathlib

from setuptools import build_meta


def _below(name):
    def hook(*arguments, **named):
        os.chdir(pathlib.Path(__file__).resolve().parent)
        return getattr(build_meta, name)(*arguments, **named)
    return hook


build_wheel = _below("build_wheel")
build_sdist = _below("build_sdist")
get_requires_for_build_wheel = _below("get_requires_for_build_wheel")
prepare_metadata_for_build_wheel = _below("prepare_metadata_for_build_wheel")
