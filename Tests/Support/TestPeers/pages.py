"""A server of pages for the tests: what each path does is its name. The first line that it prints is its port."""

import base64
import http.server
import sys
import threading
import time

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
PAGE = """<!DOCTYPE html><html><head><title>A &amp; B</title>
<meta property="og:description" content="What it says"><meta property="og:image" content="%s"></head></html>"""


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: object) -> None:
        pass

    def give(self, body: bytes, kind: str = "text/html; charset=utf-8", status: int = 200, **fields: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        try:
            self.answer(self.path.split("?")[0].rstrip("/").rpartition("/")[2])
        except OSError:
            pass

    def answer(self, name: str) -> None:
        if name == "page":
            self.give((PAGE % "/picture").encode())
        elif name == "picture":
            self.give(PICTURE, "image/png")
        elif name == "broken-picture":
            self.give((PAGE % "/pdf").encode())
        elif name == "large-picture":
            self.give((PAGE % "/endless").encode())
        elif name == "foreign-picture":
            self.give((PAGE % "http://localhost/secret").encode())
        elif name == "latin":
            self.give("<title>Caf\u00e9</title>".encode("latin-1"), "text/html; charset=iso-8859-1")
        elif name == "pdf":
            self.give(b"%PDF-1.7", "application/pdf")
        elif name == "untyped":
            self.give(b"<title>x</title>", "")
        elif name == "empty":
            self.give(b"<html></html>")
        elif name == "gone":
            self.give(b"<title>gone</title>", status=404)
        elif name == "redirect":
            self.give(b"", status=302, Location="page")
        elif name == "loop":
            self.give(b"", status=301, Location="/loop")
        elif name == "to-file":
            self.give(b"", status=302, Location="file:///etc/passwd")
        elif name == "to-local":
            self.give(b"", status=302, Location="http://router.lan/")
        elif name == "slow":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            for _ in range(100):
                self.wfile.write(b"<!-- -->")
                time.sleep(0.2)
        elif name == "endless":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(b"<title>Long</title>")
            for _ in range(4000):
                self.wfile.write(b"<p>" + b"x" * 65_000)
        else:
            self.give(b"", status=500)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
