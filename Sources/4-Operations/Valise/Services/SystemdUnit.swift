/// What unit files of systemd have in common.
enum SystemdUnit {
    /// The lines of a service that may do no more than this program needs: files of its user, connections, and the keyring.
    static let confinement = """
        UMask=0077
        LimitCORE=0
        NoNewPrivileges=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        SystemCallArchitectures=native
        SystemCallFilter=@system-service @keyring
        SystemCallErrorNumber=EPERM
        """
}

/// Words of a unit file.
enum SystemdWord {
    /// One with special characters escaped.
    static func quoted(_ word: String, isValue: Bool = false) -> String {
        var text = ""
        for character in word {
            switch character {
            case "\\", "\"": text += "\\\(character)"
            case "%": text += "%%"
            case "$" where !isValue: text += "$$"
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
        let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "/._-=".contains($0) }
        return isPlain ? text : "\"\(text)\""
    }
}
