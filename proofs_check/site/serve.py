"""A local server of the site, reachable from this machine only."""

from __future__ import annotations

import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import typer

from ropeproof.theory.errors import InvalidArgument

__all__ = ["serve", "server"]


_ERROR_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%(code)d: %(message)s - ropeproof</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif;
  color: CanvasText; background: Canvas; }
a { color: inherit; }
input, button { font: inherit; padding: 0.3rem 0.6rem; }
</style>
</head>
<body>
<main>
<h1>%(code)d: %(message)s</h1>
<p>%(explain)s.</p>
<ul>
<li><a href="/index.html">First page</a></li>
<li><a href="/overview.html">All claims</a></li>
<li><a href="/genindex.html">Index of names</a></li>
</ul>
<form action="/search.html">
<label for="q">Search this site</label>
<input id="q" name="q" type="search">
<button>Search</button>
</form>
</main>
</body>
</html>
"""
"""The error page, in which the standard handler fills in code, message and explanation."""


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of a folder's files, reachable from this machine only; port 0 takes a free port.

    Raises `InvalidArgument` if the port is taken.
    """
    handler: Any = partial(_Quiet, directory=str(folder))
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise InvalidArgument("port", port, f"a free port ({error.strerror})") from error


class _Quiet(SimpleHTTPRequestHandler):
    """The standard handler without a line per request, and with a page for missing addresses."""

    error_message_format = _ERROR_PAGE

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


def serve(folder: Path, port: int, show: bool) -> None:
    """Serve a folder until Ctrl-C, and open it in a browser if `show` is set.

    Raises the errors of `server`.
    """
    with server(folder, port) as running:
        address = f"http://127.0.0.1:{running.server_address[1]}/"
        typer.echo(f"Serving {address} until Ctrl-C")
        if show:
            webbrowser.open(address)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            typer.echo("Stopped")
