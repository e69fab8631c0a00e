package import SystemPackage
package import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseXFTPWire

extension RelayFolder {
    /// What a relay that is not set up to the end may have left.
    private static let made: [Name] = [
        .settings, .authorityKey, .authorityCertificate, .key, .certificate, .fingerprint,
    ]

    /// Sets a relay up: a new identity, an online certificate, settings, and the folder of bodies.
    ///
    /// A run that was killed leaves a mark, and the next one begins again. Nothing else is ever replaced.
    ///
    /// - Parameters:
    ///   - settings: the folder of bodies is made.
    ///   - algorithm: of both keys. Official relays have Ed448.
    ///   - now: from when on the certificates are valid, in seconds since 1970.
    /// - Throws: ``XFTPRelayError``: `alreadyExists` where anything is; `inUse` when another run sets it up; failures of
    ///   files and certificates.
    package func initialize(_ settings: RelaySettings, _ algorithm: SigningAlgorithm, now: Int64) throws {
        try fileSystem.makeDirectories(path)
        try checkOwner()
        guard let lock = try DirectoryLock.take(path, .exclusive, patience: .milliseconds(500)) else {
            throw XFTPRelayError(
                .inUse,
                "this folder is in use by another run or by a relay. Nothing was changed.",
                subject: path.string)
        }
        defer { withExtendedLifetime(lock) {} }
        try prepare()
        let authority = try CertificateAuthority.make(algorithm, now: now)
        try write(authority.key.pem(), .authorityKey)
        try write(authority.certificate.pem(), .authorityCertificate)
        try write(Array((Base64URL.encode(authority.certificate.fingerprint) + "\n").utf8), .fingerprint)
        let key = try SigningKey.generate(algorithm)
        let name = Self.commonName(settings)
        try write(key.pem(), .key)
        try write(authority.issue(commonName: name, for: key, now: now).pem(), .certificate)
        try fileSystem.makeDirectories(settings.files)
        try write(Array(settings.text.utf8), .settings)
        try fileSystem.synchronizeDirectory(path)
        try fileSystem.remove(path(of: .unfinished))
        try fileSystem.synchronizeDirectory(path)
    }

    /// What ``initialize(_:_:now:)`` would make where nothing is yet, or where a killed run left it. Nothing changes.
    ///
    /// - Parameter bodies: the folder of bodies.
    /// - Throws: ``XFTPRelayError``: `alreadyExists` where anything else is; `FileError`.
    package func plannedPaths(bodies: FilePath) throws -> [FilePath] {
        if try fileSystem.exists(path) {
            try checkOwner()
            let wasUnfinished = try fileSystem.exists(path(of: .unfinished))
            try checkIsNew(but: wasUnfinished ? Self.made + [.unfinished, .files] : [])
        }
        return try [path, bodies].filter { try !fileSystem.exists($0) } + Self.made.map { path(of: $0) }
    }

    /// Sees to it that nothing is here but the mark.
    private func prepare() throws {
        let wasUnfinished = try fileSystem.exists(path(of: .unfinished))
        if wasUnfinished {
            for name in Self.made where try fileSystem.exists(path(of: name)) {
                try fileSystem.remove(path(of: name))
            }
        }
        try checkIsNew(but: wasUnfinished ? [.unfinished, .files] : [])
        try fileSystem.setPermissions(.ownerReadWriteExecute, of: path)
        if !wasUnfinished {
            try write([], .unfinished)
            try fileSystem.synchronizeDirectory(path)
        }
    }

    private func checkIsNew(but expected: [Name]) throws {
        for entry in try fileSystem.list(path) {
            guard let name = entry.name.flatMap(Name.init(rawValue:)), expected.contains(name) else {
                throw XFTPRelayError(
                    .alreadyExists,
                    try fileSystem.exists(path(of: .settings))
                        ? "this folder already has a relay. Nothing was changed."
                        : "this folder is not empty. Nothing was changed.",
                    subject: path.string, remedy: .chooseAnotherFolder)
            }
        }
    }

    static func commonName(_ settings: RelaySettings) -> String {
        let name = settings.hosts.first.map(\.text) ?? ""
        return (1...64).contains(name.unicodeScalars.count) ? name : "relay"
    }

    private func write(_ bytes: [UInt8], _ name: Name) throws {
        var file = try fileSystem.create(path(of: name))
        try file.write(bytes)
        try file.synchronize()
        try file.close()
    }

    private func write(_ secret: borrowing SecretBytes, _ name: Name) throws {
        try writeNew(secret, path(of: name))
    }

    func writeNew(_ secret: borrowing SecretBytes, _ path: FilePath) throws {
        var file = try fileSystem.create(path)
        try unsafe secret.withBytes { try unsafe file.write($0) }
        try file.synchronize()
        try file.close()
    }
}
