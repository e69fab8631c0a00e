package import SystemPackage
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
import ValiseSecrets
package import ValiseTLS
package import ValiseXFTPWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder of a relay: its settings, its keys and certificates, its log and counters, with the official names.
///
/// All of it is readable by the owner alone: folders have the mode 0700, files 0600.
package struct RelayFolder: Sendable {
    /// A file that the folder has.
    package enum Name: String, Sendable, CaseIterable {
        case settings = "file-server.ini"
        /// Signs online certificates. Needed for nothing else, and better kept elsewhere.
        case authorityKey = "ca.key"
        case authorityCertificate = "ca.crt"
        case key = "server.key"
        case certificate = "server.crt"
        /// base64url and a line break.
        case fingerprint
        case log = "file-server-store.log"
        case statistics = "file-server-stats.log"
        case dailyStatistics = "file-server-stats.daily.log"
        case metrics = "xftp-server-metrics.txt"
        /// Where the operator asks a running relay.
        case control
        /// The folder of bodies, unless the settings say another.
        case files
        /// Stands there until all else is written.
        case unfinished = "init.unfinished"
    }

    package let path: FilePath
    let fileSystem: FileSystem
    /// The number of the user who runs the relay.
    var user = geteuid()

    package init(_ path: FilePath, fileSystem: FileSystem = FileSystem()) {
        self.path = path
        self.fileSystem = fileSystem
    }

    package func path(of name: Name) -> FilePath { path.appending(name.rawValue) }

    // MARK: Opening

    /// A relay as its folder has it.
    package struct Contents: Sendable {
        package let settings: RelaySettings
        /// The online certificate with its key, then the identity's certificate.
        package let identity: TLSIdentity
        /// SHA-256 of the identity's certificate.
        package let fingerprint: [UInt8]
        package let webIdentity: TLSIdentity?
        /// Whether the key of the identity is still here, where it is not needed.
        package let keepsAuthorityKey: Bool

        /// What clients connect to.
        package var address: XFTPAddress {
            XFTPAddress(
                fingerprint: fingerprint, hosts: settings.hosts,
                port: settings.port == XFTPAddress.defaultPort ? nil : settings.port)
        }
    }

    /// Reads and proves what the folder has.
    /// - Throws: ``XFTPRelayError``: `notFound` where no relay is, `damaged` when its parts do not belong together;
    ///   failures of files and certificates.
    package func contents() throws -> Contents {
        guard try fileSystem.exists(path(of: .settings)), try !fileSystem.exists(path(of: .unfinished)) else {
            throw XFTPRelayError(
                .notFound, "no relay in this folder", subject: path.string, remedy: .setUpRelay(path))
        }
        try checkOwner()
        let settings = try settings()
        let (identity, fingerprint) = try identityFolder(settings).identity()
        let web = try settings.web.map {
            // Whoever gets such certificates keeps the newest behind links.
            try checkedIdentity(
                certificates(fileSystem.resolve($0.certificate)), key(fileSystem.resolve($0.key)),
                at: $0.certificate)
        }
        return Contents(
            settings: settings, identity: identity, fingerprint: fingerprint, webIdentity: web,
            keepsAuthorityKey: try fileSystem.exists(path(of: .authorityKey)))
    }

    /// Where the certificates and the online key are: several processes that are one relay have one folder of them.
    func identityFolder(_ settings: RelaySettings) -> RelayFolder {
        var folder = RelayFolder(settings.identity ?? path, fileSystem: fileSystem)
        folder.user = user
        return folder
    }

    /// The online certificate below that of the identity, and the fingerprint of that, proved.
    private func identity() throws -> (TLSIdentity, fingerprint: [UInt8]) {
        try finishRenewal()
        let authority = try certificates(path(of: .authorityCertificate))[0]
        let written = String(
            decoding: try fileSystem.contents(of: path(of: .fingerprint), limit: 1000), as: UTF8.self)
        guard Base64URL.decode(written.prefix { !$0.isWhitespace }) == authority.fingerprint else {
            throw XFTPRelayError(
                .damaged,
                "the fingerprint does not match the CA certificate: one of the two was replaced",
                subject: path(of: .fingerprint).string)
        }
        let certificate = try certificates(path(of: .certificate))[0]
        let identity = try checkedIdentity(
            [certificate, authority], key(path(of: .key)), at: path(of: .certificate))
        try CertificateChain(identity.chain).validate(
            fingerprint: authority.fingerprint, at: UTCTime.clock())
        return (identity, authority.fingerprint)
    }

    /// Sees to it that nobody leaves files here that the relay's own user cannot open, root neither.
    func checkOwner() throws {
        guard let owner = try fileSystem.attributes(of: fileSystem.resolve(path))?.owner, owner != user else {
            return
        }
        throw XFTPRelayError(
            .denied,
            "this folder belongs to user ID \(owner), and you are user ID \(user). Nothing was changed.",
            subject: path.string, remedy: .runAsOwner)
    }

    private func settings() throws -> RelaySettings {
        let file = path(of: .settings)
        let text = String(decoding: try fileSystem.contents(of: file, limit: 1 << 20), as: UTF8.self)
        do throws(XFTPRelayError) {
            return try RelaySettings(text, folder: path)
        } catch {
            throw XFTPRelayError(error.code, error.message, subject: file.string, remedy: error.remedy)
        }
    }

    /// Where the relay keeps its chunks.
    package func storeSettings(_ settings: RelaySettings) -> ChunkStoreSettings {
        ChunkStoreSettings(
            folder: settings.files, log: settings.keepsLog ? path(of: .log) : nil, quota: settings.quota,
            lifetime: Int64(settings.lifetime) * 3600, mostNames: settings.mostNames,
            statistics: path(of: .statistics))
    }

    // MARK: Keys and certificates

    private func checkedIdentity(
        _ chain: [Certificate], _ key: SigningKey, at path: FilePath
    ) throws(XFTPRelayError) -> TLSIdentity {
        do throws(TLSError) {
            return try TLSIdentity(chain: chain, key: key)
        } catch {
            throw XFTPRelayError(
                .damaged, "the certificate and its key do not match: one of the two was replaced",
                subject: path.string)
        }
    }

    /// - Returns: at least one.
    func certificates(_ path: FilePath) throws -> [Certificate] {
        let pem = try fileSystem.contents(of: path, limit: Certificate.fileSizeLimit)
        do throws(CertificateError) {
            return try Certificate.chain(pem: pem)
        } catch {
            throw XFTPRelayError(error.code, error.message, subject: path.string, cause: error.cause)
        }
    }

    func key(_ path: FilePath) throws -> SigningKey {
        let file = try fileSystem.openForReading(path)
        let size = try file.size()
        guard size <= Int64(SigningKey.sizeLimit) else {
            throw XFTPRelayError(.damaged, "too large for a key", subject: path.string)
        }
        let pem = try unsafe SecretBytes(capacity: max(1, Int(size))) {
            try unsafe file.read(into: $0, at: 0)
        }
        do {
            return try SigningKey(pem: pem)
        } catch {
            throw XFTPRelayError(
                error.code, error.message, subject: path.string, cause: error.cause, remedy: error.remedy)
        }
    }
}
