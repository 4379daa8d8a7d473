"""A receiver with the standard library: WAYBILL_SECRET=whsec_... PORT=4100 python3 examples/receiver.py"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Set

from waybill import WebhookVerificationError, events, verify_webhook

SECRET = os.environ["WAYBILL_SECRET"]
# What was done already. Keep it where you keep what you do: a delivery can come more than once.
done: Set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        # The signature covers the bytes as they came, so they are verified before they are parsed.
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            event = verify_webhook(self.headers, body, SECRET)
        except WebhookVerificationError as error:
            print(f"refused: {error}", flush=True)
            return self.send_error(401, str(error))
        if event.id not in done and isinstance(event, events.PackageCreated):
            print(f"package {event.data['number']} is created", flush=True)
        done.add(event.id)
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4100"))), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}/webhooks", flush=True)
    server.serve_forever()
