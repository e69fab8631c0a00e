import ValiseFailures

/// Why ssh could not log in although the server was reached. It ends with the same status as where there is no server, and says
/// the reason in words that are the same in all languages: those of OpenSSH 6 to 10 are known.
enum SSHRefusal {
    /// The server takes none of the keys and passwords, or not this user.
    case login
    /// The server is another one than before, or not known yet.
    case hostKey
    /// The server lets the user in, but has no SFTP.
    case noSFTP

    /// Nil for anything else, such as a host that does not answer.
    /// - Parameter messages: of ssh, to its standard error.
    init?(_ messages: String) {
        // Servers may show texts of their own before; ssh's own words come last, and begin their line.
        let lines = messages.split(whereSeparator: \.isNewline).suffix(4)
        func isSaid(_ isReason: (Substring) -> Bool) -> Bool { lines.contains(where: isReason) }
        if isSaid({ $0.hasPrefix("Host key verification failed") }) {
            self = .hostKey
        } else if isSaid({ $0.contains(": Permission denied (") && $0.hasSuffix(").") })
            || isSaid({ $0.contains("Too many authentication failures") })
        {
            self = .login
        } else if isSaid({ $0.hasPrefix("subsystem request failed") }) {
            self = .noSFTP
        } else {
            return nil
        }
    }

    /// What is told of it. None is tried again by itself: the answer would be the same, and servers lock out who tries often.
    func failure(_ location: String) -> StorageError {
        switch self {
        case .login:
            StorageError(
                .credentials, .denied, "the server refused the login", location, remedy: .checkServerPassword)
        case .hostKey:
            StorageError(
                .credentials, .denied,
                "the server's host key is unknown or has changed. Nothing was sent to the server.", location)
        case .noSFTP: StorageError(.general, .unsupported, "the server does not offer SFTP", location)
        }
    }
}
