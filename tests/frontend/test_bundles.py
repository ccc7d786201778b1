"""The committed bundles equal the output of the TypeScript sources. Needs Node and `npm ci`; `.ci/run` has
both.
"""

import os
import shutil
import subprocess

import pytest

from tests.frontend.catalogues import ROOT

FRONTEND = ROOT / "frontend"


def tools() -> str:
    node = shutil.which("node")
    if node is None or not (FRONTEND / "node_modules" / "esbuild").exists():
        if os.environ.get("CI"):
            pytest.fail("node and frontend/node_modules are needed here")
        pytest.skip("scripts: no Node with `npm ci` done in frontend/")
    return node


def test_bundles_are_up_to_date() -> None:
    done = subprocess.run([tools(), "build.mjs", "--check"], cwd=FRONTEND, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr


def test_the_lockfile_names_no_registry() -> None:
    assert "resolved" not in (FRONTEND / "package-lock.json").read_text(encoding="utf-8")
