public import SystemPackage
package import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseRelay
package import ValiseXFTPWire

/// Sets up a relay in a folder: its identity, its certificates, its settings.
public struct InitializeRelay: Operation {
    /// An absolute path, as those below: a relay is started from elsewhere.
    package var folder: FilePath
    /// What clients connect to. At least one.
    package var hosts: [XFTPAddress.Host]
    package var port = XFTPAddress.defaultPort
    /// The address of this machine to listen on, as numbers. Nil for all, or for this machine's own where the hosts are.
    package var listen: String?
    /// The most that is kept, in bytes; nil for all that the disk takes.
    package var quota: Int64?
    /// Where the chunks go; nil for in the folder.
    package var files: FilePath?
    /// Of the keys. Official relays have Ed448.
    package var algorithm = SigningAlgorithm.ed448
    /// The file whose first line clients need to send files; nil for nothing.
    package var passwordFile: FilePath?
    package var acceptsNewFiles = true

    package init(in folder: FilePath, hosts: [XFTPAddress.Host]) {
        self.folder = folder
        self.hosts = hosts
    }

    /// - Parameters:
    ///   - folder: an absolute path, as those below: a relay is started from elsewhere.
    ///   - names: the domains, IP addresses or onion hosts that clients connect to. At least one.
    ///   - port: the port that clients connect to.
    ///   - quota: the most that is kept, in bytes; nil for all that the disk takes.
    ///   - files: where the chunks go; nil for in the folder.
    ///   - passwordFile: the file whose first line clients need to send files; nil for nothing.
    /// - Throws: a `Failure` with `invalid` for a name that is no host, or no name.
    public init(
        in folder: FilePath, hostNames names: [String], port: UInt16 = 443, quota: Int64? = nil,
        files: FilePath? = nil, passwordFile: FilePath? = nil
    ) throws {
        guard !names.isEmpty else { throw OperationError(.invalid, "a relay needs at least one host") }
        let parsed: [XFTPAddress.Host] = try names.map { name in try XFTPAddress.Host(name) }
        self.init(in: folder, hosts: parsed)
        self.port = port
        self.quota = quota
        self.files = files
        self.passwordFile = passwordFile
    }

    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await context.blocking { _ in
            let folder = RelayFolder(folder)
            let settings = try settings(folder)
            var plan = PlannedFiles()
            try plan.write(folder.plannedPaths(bodies: settings.files))
            try plan.lookAtSpace(for: settings.files)
            return plan
        }
    }

    public func run(in context: OperationContext) async throws -> InitializedRelay {
        try await context.blocking { _ in
            let folder = RelayFolder(folder)
            try folder.initialize(
                settings(folder), algorithm, now: UTCTime.clock() - CertificateAuthority.clockTolerance)
            return InitializedRelay(folder, try folder.contents())
        }
    }

    private func settings(_ folder: RelayFolder) throws -> RelaySettings {
        var settings = RelaySettings(
            hosts: hosts, listen: listen, port: port, files: files ?? folder.path(of: .files), quota: quota)
        settings.acceptsNewFiles = acceptsNewFiles
        settings.password = try passwordFile.map(Self.password)
        return settings
    }

    private static func password(_ file: FilePath) throws -> RelayPassword {
        let bytes = try FileSystem().contents(of: file, limit: 4096)
        let line = String(
            decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        return try RelayPassword(checking: line)
    }
}

/// A relay that was set up.
public struct InitializedRelay: OperationReport {
    package let type = "relayInitialized"
    package let folder: String
    /// What clients need.
    public let address: String
    /// Of the identity, in base64url.
    public let fingerprint: String
    /// The file of the settings.
    package let settings: String
    /// The file of the identity's key: whoever has it can pose as this relay.
    public let authorityKey: String

    fileprivate init(_ folder: RelayFolder, _ contents: RelayFolder.Contents) {
        self.folder = folder.path.string
        address = contents.address.text
        fingerprint = Base64URL.encode(contents.fingerprint)
        settings = folder.path(of: .settings).string
        authorityKey = folder.path(of: .authorityKey).string
    }
}

/// Gives a relay a new online key and certificate. Its address stays the same; one that runs uses them when it reads them anew
/// (``OperateRelay/Request/reload``).
public struct RenewRelay: Operation {
    package var folder: FilePath
    /// Where the key of the identity is; nil for in the folder.
    package var authorityKey: FilePath?
    /// Of the new key; nil for that of the previous one.
    package var algorithm: SigningAlgorithm?
    /// What the certificate names; nil for what the previous one does.
    package var name: String?

    /// - Parameters:
    ///   - folder: of the relay.
    ///   - authorityKey: where the key of the identity is; nil for in the folder.
    ///   - name: what the certificate names; nil for what the previous one does.
    public init(in folder: FilePath, authorityKey: FilePath? = nil, name: String? = nil) {
        self.folder = folder
        self.authorityKey = authorityKey
        self.name = name
    }

    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await context.blocking { _ in
            var plan = PlannedFiles()
            try plan.write(RelayFolder(folder).plannedRenewal(authorityKey: authorityKey))
            return plan
        }
    }

    public func run(in context: OperationContext) async throws -> RelayChange {
        try await context.blocking { _ in
            try RelayFolder(folder).renewCertificate(
                authorityKey: authorityKey, algorithm: algorithm, commonName: name,
                now: UTCTime.clock() - CertificateAuthority.clockTolerance)
            return RelayChange(type: "relayRenewed")
        }
    }
}
