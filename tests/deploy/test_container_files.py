"""The files of deploy/container: what each container may do, and that their variables and files exist."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy import environment
from deploy.environment import BASE_DIR

FOLDER = BASE_DIR / "deploy" / "container"
FILES = ("compose.small.yaml", "compose.full.yaml")
CONTAINERFILE = (FOLDER / "Containerfile").read_text()


def services(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text())["services"]
    return found


def ours(name: str) -> dict[str, Any]:
    return {key: service for key, service in services(name).items() if service["image"] == "puur"}


@pytest.mark.parametrize("name", FILES)
def test_no_container_has_more_rights_than_it_needs(name: str) -> None:
    for key, service in services(name).items():
        assert service["read_only"] is True, key
        assert service["cap_drop"] == ["ALL"], key
        assert "no-new-privileges:true" in service["security_opt"], key
        assert {"mem_limit", "pids_limit", "logging", "tmpfs"} <= service.keys(), key
        assert not service.get("privileged"), key
    for key, service in ours(name).items():
        assert "cap_add" not in service, key
        assert "user" not in service, "the image says so"


@pytest.mark.parametrize("name", FILES)
def test_variables_are_known_and_secrets_are_files(name: str) -> None:
    whole = yaml.safe_load((FOLDER / name).read_text())
    others = (
        "ALLOWED_HOSTS",
        "TMPDIR",
        *(f"{secret}_FILE" for secret in environment.SECRETS),
        *environment.SECRETS,
    )
    for key, service in ours(name).items():
        for variable, value in service["environment"].items():
            assert variable in (*environment.VARIABLES, *others), (key, variable)
            if str(value).startswith("/run/secrets/"):
                assert value.removeprefix("/run/secrets/") in service["secrets"], (key, variable)
        assert not {"SECRET_KEY", "PUUR_PASSWORD", "DATABASE_URL"} & service["environment"].keys(), key
        assert set(service["secrets"]) <= whole["secrets"].keys(), key
    ignored = (BASE_DIR / ".gitignore").read_text().split()
    for secret in whole["secrets"].values():
        folder = (FOLDER / secret["file"]).resolve().relative_to(BASE_DIR)
        assert any(f"/{folder}".startswith(line.rstrip("/")) for line in ignored), folder


def test_only_the_proxy_and_the_small_container_have_ports() -> None:
    assert [key for key, service in services("compose.full.yaml").items() if "ports" in service] == ["proxy"]
    [port] = services("compose.small.yaml")["puur"]["ports"]
    assert port.startswith("127.0.0.1:"), "without TLS for this machine only"


def test_whoever_needs_the_tables_waits_for_the_upgrade() -> None:
    for key, service in ours("compose.full.yaml").items():
        if key != "upgrade":
            assert service["depends_on"]["upgrade"]["condition"] == "service_completed_successfully", key


def test_hadolint_finds_nothing_in_the_containerfile() -> None:
    checked = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), FOLDER / "Containerfile"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout) == (0, ""), checked.stdout + checked.stderr


def test_the_image_runs_as_nobody_of_the_host_with_the_present_version() -> None:
    assert re.search(r"^USER 10001:10001$", CONTAINERFILE, re.M)
    assert f"ARG VERSION={environment.VERSION}" in CONTAINERFILE
    assert "--require-hashes" in CONTAINERFILE
    copied = (
        CONTAINERFILE.index("COPY . ."),
        CONTAINERFILE.index("COPY requirements-uv.lock requirements.lock"),
    )
    assert copied[0] > copied[1], "dependencies before the source"


def test_the_image_has_all_that_runs_and_nothing_else() -> None:
    allowed = {
        line[1:] for line in (BASE_DIR / ".dockerignore").read_text().splitlines() if line.startswith("!")
    }
    assert {"deploy", "engine", "frontend", "games", "tournaments", "manage.py", "docs"} <= allowed
    assert not {"tests", "var", ".git", ".venv"} & allowed
    assert all((BASE_DIR / name).exists() for name in allowed)
