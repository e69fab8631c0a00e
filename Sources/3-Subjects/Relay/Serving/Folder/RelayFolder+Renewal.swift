package import SystemPackage
package import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseTLS

extension RelayFolder {
    private static let suffix = ".new"

    /// Gives the relay a new online key and certificate. Its address stays the same; connections that are open go on,
    /// and a running relay has to read them anew.
    ///
    /// Killed in between, the relay has the previous pair or the new one.
    ///
    /// - Parameters:
    ///   - authorityKey: where the key of the identity is; nil for in the folder.
    ///   - algorithm: nil for that of the previous one.
    ///   - commonName: nil for that of the previous one.
    ///   - now: from when on it is valid, in seconds since 1970.
    /// - Throws: ``XFTPRelayError``: `notFound` without the key of the identity; `invalid` when it is another one.
    package func renewCertificate(
        authorityKey: FilePath? = nil, algorithm: SigningAlgorithm? = nil, commonName: String? = nil,
        now: Int64
    ) throws {
        let contents = try contents()
        let authority = try authority(of: contents, authorityKey)
        let previous = contents.identity.chain[0]
        let key = try SigningKey.generate(algorithm ?? previous.publicKeyAlgorithm ?? .ed448)
        let name = commonName ?? previous.commonName ?? Self.commonName(contents.settings)
        let certificate = try authority.issue(commonName: name, for: key, now: now)
        try identityFolder(contents.settings).replacePair(key, certificate)
    }

    private func replacePair(_ key: SigningKey, _ certificate: Certificate) throws {
        for name in [Name.key, .certificate] {
            let beside = path(of: name).appendingSuffix(Self.suffix)
            if try fileSystem.exists(beside) { try fileSystem.remove(beside) }
        }
        // The certificate last: without it the new key is nothing.
        try writeNew(key.pem(), path(of: .key).appendingSuffix(Self.suffix))
        var file = try fileSystem.create(path(of: .certificate).appendingSuffix(Self.suffix))
        try file.write(certificate.pem())
        try file.synchronize()
        try file.close()
        try fileSystem.synchronizeDirectory(path)
        try replacePair()
    }

    /// The files that a renewal would replace, once it is proved that the key of the identity is there. Nothing changes,
    /// except that a renewal which was killed is completed.
    ///
    /// - Throws: as ``renewCertificate(authorityKey:algorithm:commonName:now:)``.
    package func plannedRenewal(authorityKey: FilePath? = nil) throws -> [FilePath] {
        let contents = try contents()
        _ = try authority(of: contents, authorityKey)
        let folder = identityFolder(contents.settings)
        return [folder.path(of: .key), folder.path(of: .certificate)]
    }

    private func authority(of contents: Contents, _ authorityKey: FilePath?) throws -> CertificateAuthority {
        let keyPath = authorityKey ?? path(of: .authorityKey)
        guard try fileSystem.exists(keyPath) else {
            throw XFTPRelayError(
                .notFound, "the identity key (ca.key) is missing", subject: keyPath.string,
                remedy: .giveAuthorityKey(keyPath))
        }
        return try authority(contents.identity.chain[1], keyPath)
    }

    private func authority(_ certificate: Certificate, _ keyPath: FilePath) throws -> CertificateAuthority {
        let key = try key(keyPath)
        guard certificate.belongs(to: key) else {
            throw XFTPRelayError(
                .invalid, "not the identity key (ca.key) of this relay. Nothing was changed.",
                subject: keyPath.string)
        }
        return try CertificateAuthority(certificate: certificate, key: key)
    }

    private func replacePair() throws {
        for name in [Name.key, .certificate] {
            let beside = path(of: name).appendingSuffix(Self.suffix)
            guard try fileSystem.exists(beside) else { continue }
            do throws(FileError) {
                try fileSystem.rename(beside, to: path(of: name))
            } catch {
                // Another process of the same relay may have done it.
                guard error.code == .notFound else { throw error }
            }
            // Before the next: after a power cut there must be no new certificate for the previous key.
            try fileSystem.synchronizeDirectory(path)
        }
    }

    /// Goes on where a renewal was killed: once its key has its name, its certificate gets it too.
    func finishRenewal() throws {
        let beside = path(of: .certificate).appendingSuffix(Self.suffix)
        guard try fileSystem.exists(beside), let next = try? certificates(beside)[0],
            next.belongs(to: try key(path(of: .key)))
        else { return }
        try replacePair()
    }
}
