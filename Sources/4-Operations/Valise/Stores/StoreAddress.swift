package import SystemPackage
import ValiseContentStore
import ValiseFiles
import ValiseStorage

/// Where a store of tcfs is: the path of a folder, `s3:https://host/bucket/prefix`, or as tcfs itself writes it
/// `seaweedfs://host:port/bucket/prefix`, with `seaweedfs+https` for an encrypted line.
///
/// tcfs takes the name of the bucket for the prefix where none is given: so do its own addresses. In the others all is said.
package struct StoreAddress: Sendable, Hashable {
    private enum Form: Hashable {
        case folder(FilePath)
        case s3(HTTPAddress, bucket: String, prefix: String)
    }

    private let form: Form
    /// As the user wrote it.
    package let text: String

    /// The schemes of tcfs, and what they stand for.
    private static let schemes = [
        "seaweedfs://": "http://", "seaweedfs+http://": "http://", "seaweedfs+https://": "https://",
    ]

    /// - Throws: `StorageError`: `invalid`.
    package init(_ text: String) throws {
        self.text = text
        if let rest = Self.rest(of: text, after: "s3:") {
            form = try Self.s3(rest.contains("://") ? rest : "https://\(rest)", usualPrefix: { _ in "" })
        } else if let (scheme, plain) = Self.schemes.first(where: { text.hasPrefix($0.key) }) {
            form = try Self.s3(plain + text.dropFirst(scheme.count), usualPrefix: { $0 })
        } else if text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\/.*/) != nil {
            throw StorageError(
                .general, .invalid, "stores are folders, or begin with s3: or seaweedfs:", text)
        } else {
            form = .folder(FilePath(text))
        }
    }

    private static func rest(of text: String, after scheme: String) -> String? {
        text.hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : nil
    }

    private static func s3(_ text: String, usualPrefix: (String) -> String) throws -> Form {
        let address = try HTTPAddress(text)
        let parts = address.path.split(separator: "/").map(String.init)
        guard let bucket = parts.first else {
            throw StorageError(
                .general, .invalid, "the address has no bucket: https://host/bucket/prefix", text)
        }
        let prefix = parts.count > 1 ? parts.dropFirst().joined(separator: "/") : usualPrefix(bucket)
        return .s3(address, bucket: bucket, prefix: prefix)
    }

    /// The same from any folder.
    package var absoluteText: String {
        guard let folder, let resolved = try? FileSystem().resolve(folder) else { return text }
        return resolved.string
    }

    /// The same for all addresses of one store, as far as they show it: the name that is remembered.
    var canonicalText: String {
        guard case .s3(let address, let bucket, let prefix) = form else { return absoluteText }
        let port = address.port.flatMap { $0 == Self.usualPorts[address.scheme] ? nil : ":\($0)" } ?? ""
        return "s3:\(address.scheme)://\(address.host.lowercased())\(port)/\(bucket)/\(prefix)"
    }

    private static let usualPorts = ["http": 80, "https": 443]

    /// The folder, where it is one of this machine.
    package var folder: FilePath? {
        guard case .folder(let path) = form else { return nil }
        return path
    }

    /// The prefix of its keys.
    var layout: StoreLayout {
        switch form {
        case .folder: StoreLayout(prefix: "")
        case .s3(_, _, let prefix): StoreLayout(prefix: prefix)
        }
    }
}

extension StoreAddress {
    private static let usualRegion = "us-east-1"

    /// What reads and writes there, for an operation, which is told of retries and may stop them.
    /// - Throws: `StorageError`.
    func objects(
        _ access: StorageAccess, _ limits: TransferLimits, in context: OperationContext
    ) throws -> any ObjectStore {
        try objects(access, limits) {
            if context.isStopped { throw Interruption() }
        } observer: { retry in
            context.note(StorageNote.retrying(retry.error, after: retry.pause))
        }
    }

    /// What reads and writes there.
    ///
    /// - Parameters:
    ///   - access: names and passwords for servers.
    ///   - limits: bytes a second.
    ///   - checkpoint: is asked often; throw to stop.
    ///   - observer: gets each failure that is followed by another attempt.
    /// - Throws: `StorageError`.
    func objects(
        _ access: StorageAccess, _ limits: TransferLimits,
        checkpoint: @escaping @Sendable () throws -> Void = {},
        observer: @escaping @Sendable (RetryingStore.Retry) -> Void = { _ in }
    ) throws -> any ObjectStore {
        switch form {
        case .folder(let path): return FolderObjectStore(path)
        case .s3(let address, let bucket, _):
            let store = try S3ObjectStore(
                settings(address, bucket, access), connection(access), probePrefix: layout.probes,
                checkpoint: checkpoint)
            let limited = BandwidthLimitedObjectStore(
                store, upload: limits.upload, download: limits.download, checkpoint: checkpoint)
            return RetryingObjectStore(limited, checkpoint: checkpoint, observer: observer)
        }
    }

    /// The prefix is a part of the keys, and of no settings.
    private func settings(
        _ address: HTTPAddress, _ bucket: String, _ access: StorageAccess
    ) throws -> S3Store.Settings {
        guard let accessKey = access.accessKey, let secret = access.secretKey else {
            throw StorageError(
                .credentials, .denied, "the access key of the S3 server is not known", address.authority,
                remedy: .setStorageKeys)
        }
        var settings = S3Store.Settings(
            endpoint: try HTTPAddress(address.origin), bucket: bucket, prefix: "",
            region: access.region ?? Self.usualRegion, accessKey: accessKey, secret: secret)
        settings.sessionToken = access.sessionToken
        return settings
    }

    private func connection(_ access: StorageAccess) -> HTTPTransfer.Settings {
        var connection = HTTPTransfer.Settings()
        connection.authorities = access.authorities
        return connection
    }
}
