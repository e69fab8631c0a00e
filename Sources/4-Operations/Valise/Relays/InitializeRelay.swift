public import SystemPackage
public import ValiseCryptography
import ValiseEncoding
import ValiseFiles
import ValiseRelay
public import ValiseXFTPWire

/// Sets up a relay in a folder: its identity, its certificates, its settings.
public struct InitializeRelay: Operation {
    /// An absolute path, as those below: a relay is started from elsewhere.
    public var folder: FilePath
    /// What clients connect to. At least one.
    public var hosts: [XFTPAddress.Host]
    public var port = XFTPAddress.defaultPort
    /// The address of this machine to listen on, as numbers. Nil for all, or for this machine's own where the hosts are.
    public var listen: String?
    /// The most that is kept, in bytes; nil for all that the disk takes.
    public var quota: Int64?
    /// Where the chunks go; nil for in the folder.
    public var files: FilePath?
    /// Of the keys. Official relays have Ed448.
    public var algorithm = SigningAlgorithm.ed448
    /// The file whose first line clients need to send files; nil for nothing.
    public var passwordFile: FilePath?
    public var acceptsNewFiles = true

    public init(in folder: FilePath, hosts: [XFTPAddress.Host]) {
        self.folder = folder
        self.hosts = hosts
    }

    public func run(in context: OperationContext) async throws -> InitializedRelay {
        try await context.blocking { _ in
            let folder = RelayFolder(folder)
            var settings = RelaySettings(
                hosts: hosts, listen: listen, port: port, files: files ?? folder.path(of: .files),
                quota: quota)
            settings.acceptsNewFiles = acceptsNewFiles
            settings.password = try passwordFile.map(Self.password)
            try folder.initialize(
                settings, algorithm, now: UTCTime.clock() - CertificateAuthority.clockTolerance)
            return InitializedRelay(folder, try folder.contents())
        }
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
    public let type = "relayInitialized"
    public let folder: String
    /// What clients need.
    public let address: String
    /// Of the identity, in base64url.
    public let fingerprint: String
    /// The file of the settings.
    public let settings: String
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

/// Gives a relay a new online key and certificate. Its address stays the same; one that runs uses them when it is started
/// again.
public struct RenewRelay: Operation {
    public var folder: FilePath
    /// Where the key of the identity is; nil for in the folder.
    public var authorityKey: FilePath?
    /// Of the new key; nil for that of the previous one.
    public var algorithm: SigningAlgorithm?
    /// What the certificate names; nil for what the previous one does.
    public var name: String?

    public init(in folder: FilePath) { self.folder = folder }

    public func run(in context: OperationContext) async throws -> RelayChange {
        try await context.blocking { _ in
            try RelayFolder(folder).renewCertificate(
                authorityKey: authorityKey, algorithm: algorithm, commonName: name,
                now: UTCTime.clock() - CertificateAuthority.clockTolerance)
            return RelayChange(type: "relayRenewed")
        }
    }
}
