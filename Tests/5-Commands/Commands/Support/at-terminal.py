"""Runs a command on a terminal of its own and types answers: at-terminal.py ANSWER... -- COMMAND...

Each answer is typed as soon as the command has printed something that ends like a prompt; where it asks for a passphrase
and would show it, that is noted. What the terminal shows
goes to standard output; the command's exit status becomes this one's. The window is wide: sentences stay on one line.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

split = sys.argv.index("--")
answers, command = sys.argv[1:split], sys.argv[split + 1 :]
process, terminal = pty.fork()
if process == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 400, 0, 0))
    os.execv(command[0], command)

shown = b""
seen = 0
deadline = time.monotonic() + 120
while time.monotonic() < deadline:
    readable, _, _ = select.select([terminal], [], [], 0.2)
    if readable:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    # What is read to the end of input is asked for on a line of its own.
    toEnd = shown[seen:].endswith(b"Control-D:\r\n")
    # A pager clears the rest of the line after its prompt.
    prompt = shown[seen:].removesuffix(b"\x1b[K").rstrip(b" ")
    if answers and (toEnd or prompt.endswith((b":", b")"))):
        if b"assphrase" in shown[seen:].split(b"\n")[-1] and termios.tcgetattr(terminal)[3] & termios.ECHO:
            shown += b"[echo is on]"
        seen = len(shown)
        os.write(terminal, answers.pop(0).encode() + b"\n" + (b"\x04" if toEnd else b""))
else:
    # It waits for an answer that is not there.
    os.kill(process, signal.SIGKILL)
_, status = os.waitpid(process, 0)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
