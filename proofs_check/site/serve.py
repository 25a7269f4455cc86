"""A server of the site for this machine alone."""

from __future__ import annotations

import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import typer

from ropeproof.theory.errors import InvalidArgument

__all__ = ["serve", "server"]


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of a folder's files for this machine alone; port 0 takes a free one.

    Raises `InvalidArgument` if the port is taken.
    """
    handler: Any = partial(_Quiet, directory=str(folder))
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise InvalidArgument("port", port, f"a free port ({error.strerror})") from error


class _Quiet(SimpleHTTPRequestHandler):
    """The standard handler without a line per request."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def serve(folder: Path, port: int, show: bool) -> None:
    """Serve a folder until Ctrl-C, opened in a browser if asked. Errors as `server`."""
    with server(folder, port) as running:
        address = f"http://127.0.0.1:{running.server_address[1]}/"
        typer.echo(f"Serving {address} until Ctrl-C")
        if show:
            webbrowser.open(address)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            typer.echo("Stopped")
