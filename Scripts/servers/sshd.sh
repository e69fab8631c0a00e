#!/bin/sh
# Runs OpenSSH's server on the loopback, for tests, with keys made for it:
#
#   sshd.sh FOLDER
#
# Everything is in FOLDER. Prints the port, then a configuration file for `ssh -F` that logs in as this user at the host
# `valise-test`; or `missing`. Ends with its standard input.
set -eu
folder=$(cd "$1" && pwd)
PATH=$PATH:/usr/sbin:/sbin
sshd=$(command -v sshd) || { echo missing; exit 0; }
sftp=
for place in /usr/lib/openssh /usr/libexec /usr/lib/ssh /usr/libexec/openssh; do
    [ ! -x "$place/sftp-server" ] || sftp=$place/sftp-server
done
[ -n "$sftp" ] || { echo missing; exit 0; }
# Its place for the part without privileges, which a service makes otherwise.
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -C valise-test -f "$folder/host"
ssh-keygen -q -t ed25519 -N '' -C valise-test -f "$folder/user"
cp "$folder/user.pub" "$folder/authorized"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > "$folder/sshd_config" << END
ListenAddress 127.0.0.1
Port $port
HostKey $folder/host
AuthorizedKeysFile $folder/authorized
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PidFile $folder/pid
Subsystem sftp $sftp
END
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$folder/host.pub")" > "$folder/known"
cat > "$folder/ssh_config" << END
Host valise-test
    HostName 127.0.0.1
    Port $port
    User $(id -un)
    IdentityFile $folder/user
    IdentitiesOnly yes
    UserKnownHostsFile $folder/known
    StrictHostKeyChecking yes
    BatchMode yes
END
"$sshd" -D -e -f "$folder/sshd_config" 2> "$folder/log" < /dev/null &
server=$!
trap 'kill $server 2> /dev/null || true' EXIT
for _ in $(seq 200); do
    if grep -q 'Server listening' "$folder/log"; then break; fi
    kill -0 $server 2> /dev/null || { echo missing; exit 0; }
    sleep 0.05
done
echo "$port"
echo "$folder/ssh_config"
cat > /dev/null
