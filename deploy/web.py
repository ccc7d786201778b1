"""The web process: uvicorn on a socket that its parent opened, so that the port stays ours while it restarts.

    python -m deploy.web --fd N

Run by hand or by systemd, `uvicorn deploy.asgi:application` with the options of deploy/systemd does the same.
"""

import argparse
import socket

import uvicorn

from deploy import children

GRACEFUL_SECONDS = 5


class Server(uvicorn.Server):
    """Says when it accepts connections."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            children.tell_ready()


def main() -> None:
    parser = argparse.ArgumentParser(prog="deploy.web", description="The web process of demo and serve.")
    parser.add_argument("--fd", type=int, required=True, help="a listening socket")
    listening = socket.socket(fileno=parser.parse_args().fd)
    config = uvicorn.Config(
        "deploy.asgi:application",
        lifespan="off",
        ws_per_message_deflate=False,  # compressed lengths would tell what private frames hold
        ws_max_size=64 * 1024,
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        log_config=None,
        access_log=False,
        server_header=False,
    )
    Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
