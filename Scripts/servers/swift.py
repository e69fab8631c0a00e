"""OpenStack Swift with s3api on the loopback, for serve.py: one device, one copy, no memcached, no root.

It is the one server here that verifies signatures. get-s3-servers.sh gets it from PyPI; any other Python that has it, in
the PATH or named by VALISE_SWIFT_PYTHON, does as well. The folder has to be on a file system with extended attributes.
"""

import datetime
import hashlib
import hmac
import os
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

# Each server reads where its settings are from a constant, which is changed before it looks.
RUN = """
import sys
import swift.common.utils as utils
modules = [utils]
try:
    import swift.common.utils.config as config
    modules.append(config)
except ImportError:
    pass
for module in modules:
    if hasattr(module, "SWIFT_CONF_FILE"):
        module.SWIFT_CONF_FILE = sys.argv[2]
utils.HASH_PATH_PREFIX, utils.HASH_PATH_SUFFIX = b"valise", b"valise"
for module in modules:
    for name in ("HASH_PATH_PREFIX", "HASH_PATH_SUFFIX"):
        if hasattr(module, name):
            setattr(module, name, b"valise")
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(sys.argv[3], sys.argv[1]))
"""

RINGS = """
import sys
from swift.common.ring import RingBuilder
for line in sys.argv[2:]:
    name, port = line.split("=")
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({"region": 1, "zone": 1, "ip": "127.0.0.1", "port": int(port), "device": "d1", "weight": 1})
    builder.rebalance()
    builder.get_ring().save(f"{sys.argv[1]}/{name}.ring.gz")
"""

COMMON = "[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = {port}\nuser = {user}\nswift_dir = {folder}\nworkers = 0\n"
STORING = COMMON + "devices = {folder}/nodes\nmount_check = false\n[pipeline:main]\npipeline = {kind}-server\n" \
    "[app:{kind}-server]\nuse = egg:swift#{kind}\n"
PROXY = COMMON + """[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
# Nothing listens there: what is not cached is asked for again.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = {region}
# As AWS has it: five minutes.
allowable_clock_skew = 300
[filter:tempauth]
use = egg:swift#tempauth
user_valise_tester = {secret} .admin
"""


def python(usual):
    places = [os.environ.get("VALISE_SWIFT_PYTHON"), usual, sys.executable, "python3", "/usr/bin/python3"]
    for place in filter(None, places):
        try:
            # This file has the same name: it is looked for elsewhere.
            asked = subprocess.run([place, "-c", "import swift.common.middleware.s3api"], stderr=subprocess.DEVNULL, cwd="/")
        except OSError:
            continue
        if asked.returncode == 0:
            return place
    return None


def ask(served, method, path, body=b""):
    """A request that is signed by code of our own: the client that is tested makes none."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    scope, digest = f"{now[:8]}/{served['region']}/s3/aws4_request", hashlib.sha256(body).hexdigest()
    headers = {"host": served["address"].split("://")[1], "x-amz-content-sha256": digest, "x-amz-date": now}
    names = ";".join(headers)
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    asked = hashlib.sha256(f"{method}\n{path}\n\n{lines}\n{names}\n{digest}".encode()).hexdigest()
    key = b"AWS4" + served["secretKey"].encode()
    for part in (*scope.split("/"), f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{asked}"):
        key = hmac.digest(key, part.encode(), "sha256")
    headers["Authorization"] = \
        f"AWS4-HMAC-SHA256 Credential={served['accessKey']}/{scope},SignedHeaders={names},Signature={key.hex()}"
    # Else moto takes it for a form.
    headers["Content-Type"] = "application/octet-stream"
    handlers = [urllib.request.ProxyHandler({})]
    if "authorities" in served:
        handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=served["authorities"])))
    request = urllib.request.Request(served["address"] + path, data=body or None, method=method, headers=headers)
    with urllib.request.build_opener(*handlers).open(request) as answer:
        return answer.read()


def make_bucket(served):
    for attempt in range(20):
        try:
            return ask(served, "PUT", f"/{served['bucket']}")
        except urllib.error.HTTPError as error:
            # The other servers have just begun to listen.
            if error.code < 500 or attempt == 19:
                raise
            time.sleep(0.5)


def serve(folder, start, wait_for, free_port, missing, usual, tls=None):
    import getpass
    interpreter = python(usual)
    if interpreter is None:
        raise missing("swift of PyPI")
    if folder is None:
        return None
    ports = {kind: free_port() for kind in ("account", "container", "object", "proxy")}
    settings = {"folder": folder, "user": getpass.getuser(), "region": "us-east-1", "secret": "testing"}
    (folder / "nodes/d1").mkdir(parents=True, exist_ok=True)
    (folder / "swift.conf").write_text(
        "[swift-hash]\nswift_hash_path_prefix = valise\nswift_hash_path_suffix = valise\n"
        "[storage-policy:0]\nname = one\ndefault = yes\n")
    rings = [f"{kind}={ports[kind]}" for kind in ("account", "container", "object")]
    subprocess.run([interpreter, "-c", RINGS, str(folder), *rings], check=True, cwd="/", stderr=subprocess.DEVNULL)
    processes = []
    for kind, port in ports.items():
        text = (PROXY if kind == "proxy" else STORING).format(kind=kind, port=port, **settings)
        if kind == "proxy" and tls:
            text = text.replace("[pipeline:main]", "key_file = {}\ncert_file = {}\n[pipeline:main]".format(*tls))
        file = folder / f"{kind}-server.conf"
        file.write_text(text)
        log = open(folder / f"{kind}.log", "wb")
        processes.append(start(interpreter, "-c", RUN, f"{kind}-server", folder / "swift.conf", file,
                               stdout=log, stderr=log, cwd="/"))
    for process, port in zip(processes, ports.values()):
        wait_for(port, process)
    served = {"address": f"http{'s' if tls else ''}://127.0.0.1:{ports['proxy']}", "region": settings["region"],
              "accessKey": "valise:tester", "secretKey": settings["secret"], "bucket": "bucket"}
    if tls:
        served["authorities"] = str(tls[1])
    make_bucket(served)
    return processes, served
