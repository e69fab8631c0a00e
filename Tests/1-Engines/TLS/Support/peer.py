"""TLS by Python's ssl as the other side: peer.py server CERT KEY [KEYLOG] | peer.py client PORT CA [SNI] [ALPN,...]

Prints what was agreed on as one line of JSON. A server prints its port before, and sends back what it gets; a client
sends a text and prints what comes back.
"""

import json
import socket
import ssl
import sys


def agreed(connection):
    # For TLS 1.3 too this is the Finished message of the client.
    binding = connection.get_channel_binding("tls-unique")
    return {
        "alpn": connection.selected_alpn_protocol(),
        "version": connection.version(),
        "suite": connection.cipher()[0],
        "session": binding.hex() if binding else None,
    }


def serve(certificate, key, log=None):
    names = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2", "xftp/1"])
    if log:
        context.keylog_filename = log
    context.sni_callback = lambda connection, name, _: names.append(name)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    connection, _ = listener.accept()
    connection.settimeout(30)
    with context.wrap_socket(connection, server_side=True) as tls:
        while piece := tls.recv(65536):
            tls.sendall(piece)
        print(json.dumps({**agreed(tls), "names": names}), flush=True)
        # Python has answered the client's word with its own; this one is a no-op or an end.
        try:
            tls.unwrap()
        except (OSError, ssl.SSLError):
            pass


def ask(port, anchor, name=None, protocols="xftp/1"):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(anchor)
    if protocols:
        context.set_alpn_protocols(protocols.split(","))
    connection = socket.create_connection(("127.0.0.1", int(port)), timeout=30)
    text = b"from Python " * 20000
    with context.wrap_socket(connection, server_hostname=name or None) as tls:
        tls.sendall(text)
        answer = b""
        while len(answer) < len(text) and (piece := tls.recv(65536)):
            answer += piece
        result = agreed(tls)
        result["echoed"] = answer == text
        result["subject"] = dict(pair[0] for pair in tls.getpeercert()["subject"]).get("commonName")
        tls.unwrap()
        print(json.dumps(result), flush=True)


{"server": serve, "client": ask}[sys.argv[1]](*sys.argv[2:])
