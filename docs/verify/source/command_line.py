"""The verification as a whole, and the command line."""

from __future__ import annotations

import argparse
import os
import sys
import zipfile
import zlib

from .canonical import parse_hex, parse_json
from .checkpoints import check_checkpoints, order_events
from .clocks import check_dates
from .draws import check_draws
from .ed25519 import check_vectors
from .event_chain import read_streams
from .event_schemas import check_events
from .export_file import MAX_FILE_BYTES, Export, open_zip
from .games import check_games
from .official_acts import check_reveals, note_acts
from .rankings import check_rankings
from .report import FAILING, UNREADABLE, Report, Unusable
from .rounds import check_rounds, read_rounds
from .series_checks import SERIES_FORMAT, verify_series
from .table_rows import check_names, check_receipts, check_tables
from .teams import check_teams
from .witnesses import check_witness

UNWRITTEN = 2
INTERRUPTED = 130
"""The exit code of a shell for a program that Ctrl-C has ended."""


def verify(file, witness=None, keys=(), events=()):
    """Verify an export (a path or an open file). Raise Unusable if the file is no export.

    events: further files, of the championships of a series.
    """
    if read_format(file) != SERIES_FORMAT:
        if events:
            raise Unusable("several files are verified together only with the file of their series first")
        return verify_championship(file, witness, keys)[0]
    try:
        return verify_series(file, events, verify_championship, witness, keys)
    except UNREADABLE as error:
        raise Unusable("the file cannot be read: %r" % (error,)) from error


def read_format(file):
    """Return the format that a file names, None if it names none."""
    try:
        with open_zip(file) as archive, archive.open("manifest.json") as manifest:
            found = parse_json(manifest.read(MAX_FILE_BYTES))
            return found.get("format") if isinstance(found, dict) else None
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, *FAILING, RuntimeError):
        return None


def verify_championship(file, witness=None, keys=()):
    """Verify the export of a championship. Return the report, the export and the championship's stream."""
    report = Report()
    try:
        export = Export(file, report)
        export.check_manifest(keys)
        streams = read_streams(export)
        found = check_checkpoints(export, streams, keys)
        if witness is not None:
            check_witness(report, witness, found, export.championship)
        own = streams.get(export.championship)
        if (
            own is None
            or own.kind != "championship"
            or any(stream.kind == "championship" and stream is not own for stream in streams.values())
        ):
            raise Unusable("the championship's own stream is not in it, or another one's is")
        check_events(streams, report)
        order_events(streams, found)
        rounds = read_rounds(export, streams)
        for check in (
            lambda: check_rounds(export, streams, rounds),
            lambda: check_tables(export, streams, rounds, own.events),
            lambda: check_teams(export, rounds, own.events),
            lambda: check_games(streams, report),
            lambda: note_acts(export, streams, rounds, own.events),
            lambda: check_reveals(report, streams, rounds, own.events),
            lambda: check_rankings(export, streams, rounds, own.events),
            lambda: check_receipts(export, streams),
            lambda: check_dates(streams, found, report),
            lambda: check_names(export),
            lambda: check_draws(export, rounds, own.events),
        ):
            try:
                check()
            except UNREADABLE as error:
                report.add_difference("the record", "it cannot be followed: %r" % (error,))
    except UNREADABLE as error:
        raise Unusable("the file cannot be read: %r" % (error,)) from error
    return report, export, own


def parse_key(given):
    """Return a public key, from hex or from a file with it or with the platform's seal-key.json."""
    text = given
    if os.path.isfile(given):
        with open(given, "rb") as file:
            text = file.read(4096).decode("utf-8", "replace")
        if text.lstrip().startswith("{"):
            text = parse_json(text).get("key")
    try:
        return parse_hex(text.strip().lower(), 32).hex()
    except (Unusable, AttributeError):
        raise Unusable("%s holds no public key of 64 hex characters" % (given or "what was given",)) from None


def main(arguments=None):
    """Run the command line. Return the exit code, also if the output cannot be written or Ctrl-C ends it."""
    try:
        code = run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = UNWRITTEN
    except OSError as error:
        print("the result cannot be written: %s" % error.strerror, file=sys.stderr)
        code = UNWRITTEN
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left would fail at the exit
    return code


def run(arguments):
    """Verify as the command line says, and print the result. Return the exit code."""
    parser = argparse.ArgumentParser(description="Verify an exported championship of Puur.")
    parser.add_argument(
        "export", nargs="*", help="the .zip that was downloaded; of a series, also those of its evenings"
    )
    parser.add_argument(
        "--checkpoint", metavar="WORDS|FILE|QR-TEXT", help="what you have on paper or have saved"
    )
    parser.add_argument("--key", action="append", default=[], help="the platform's public key: hex or file")
    parser.add_argument("--self-test", action="store_true", help="only try the signatures of RFC 8032")
    given = parser.parse_args(arguments)
    check_vectors()
    if given.self_test:
        print("the vectors of RFC 8032 come out right")
        return 0
    if not given.export:
        parser.error("which file?")
    try:
        keys = [parse_key(key) for key in given.key]
        first, *others = sorted(given.export, key=lambda path: read_format(path) != SERIES_FORMAT)
        report = verify(first, given.checkpoint, keys, others)
    except Unusable as error:
        print("unusable: %s" % error, file=sys.stderr)
        return 2
    for line in report.checked:
        print("checked  %s" % line)
    for line in report.notes:
        print("note     %s" % line)
    for line in report.unproven:
        print("unproven %s" % line)
    for line in report.differences:
        print("DIFFERS  %s" % line)
    if report.differences:
        print("result   %d differences: this is not the record that was sealed" % len(report.differences))
        return 1
    if report.notes:
        print("         read the notes (%d): they say what officials did" % len(report.notes))
    if given.checkpoint is None:
        print("result   nothing differs. Compare the words with those on a sheet from the hall.")
    else:
        print("result   nothing differs, and this is the record of your sheet.")
    return 0
