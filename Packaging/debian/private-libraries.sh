#!/bin/sh
# Where SQLCipher is no package of this system, as on Debian 12, the one that the program is linked with goes into
# /usr/lib/PACKAGE: private-libraries.sh PACKAGE
#
# In any case the search path of the build is removed from the program.
set -eu
package=$1
program=debian/$package/usr/bin/$package
private=/usr/lib/$package

library=$(ldd "$program" | sed -n 's/^[[:space:]]*libsqlcipher\.so[^ ]* => \(\/[^ ]*\).*/\1/p')
[ -n "$library" ] || { echo "$program: SQLCipher is not found by the loader" >&2; exit 1; }
patchelf --remove-rpath "$program"
if dpkg -S "$library" > /dev/null 2>&1 || dpkg -S "$(realpath "$library")" > /dev/null 2>&1; then
    exit 0                             # dh_shlibdeps declares its package
fi
install -d "debian/$package$private"
install -m 644 "$library" "debian/$package$private/$(basename "$library")"
strip --strip-unneeded "debian/$package$private/$(basename "$library")"
patchelf --set-rpath "$private" "$program"
# SQLCipher is SQLite with another pager. No package of this system could stand in for it.
install -d "debian/$package/usr/share/lintian/overrides"
echo "$package: embedded-library *sqlite* [usr/lib/$package/*]" >> "debian/$package/usr/share/lintian/overrides/$package"
