package import SystemPackage
import ValiseFiles
import ValiseStorage

/// Where a repository is, as restic writes it: the path of a folder, `rest:https://host/path`, `sftp:user@host:path`, or
/// `s3:https://host/bucket/prefix`.
package struct RepositoryPlace: Sendable, Hashable {
    private enum Form: Hashable {
        case folder(FilePath)
        case rest(HTTPAddress)
        case sftp(SFTPLocation)
        case s3(HTTPAddress, bucket: String, prefix: String)
    }

    private let form: Form
    /// As the user wrote it.
    package let text: String

    /// - Throws: `StorageError`: `invalid`.
    package init(_ text: String) throws {
        self.text = text
        if let rest = Self.rest(of: text, after: "rest:") {
            form = .rest(try HTTPAddress(rest))
        } else if text.hasPrefix("sftp:") {
            form = .sftp(try SFTPLocation(text))
        } else if let rest = Self.rest(of: text, after: "s3:") {
            form = try Self.s3(rest)
        } else if text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\/.*/) != nil {
            throw StorageError(
                .general, .invalid, "repositories are folders, or begin with sftp:, rest: or s3:", text)
        } else {
            form = .folder(FilePath(text))
        }
    }

    /// The same from any folder.
    package var absoluteText: String {
        guard let folder, let resolved = try? FileSystem().resolve(folder) else { return text }
        return resolved.string
    }

    /// The folder, where it is one of this machine.
    package var folder: FilePath? {
        guard case .folder(let path) = form else { return nil }
        return path
    }

    private static func rest(of text: String, after scheme: String) -> String? {
        text.hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : nil
    }

    private static func s3(_ text: String) throws -> Form {
        let address = try HTTPAddress(text.contains("://") ? text : "https://\(text)")
        let parts = address.path.split(separator: "/").map(String.init)
        guard let bucket = parts.first else {
            throw StorageError(.general, .invalid, "the address has no bucket: s3:https://host/bucket/prefix")
        }
        return .s3(address, bucket: bucket, prefix: parts.dropFirst().joined(separator: "/"))
    }

    /// What reads and writes there.
    ///
    /// - Parameters:
    ///   - access: names and passwords for servers.
    ///   - limits: bytes a second.
    ///   - context: of the operation, which is told of retries and may stop them.
    /// - Throws: `StorageError`.
    func store(
        _ access: StorageAccess, _ limits: TransferLimits, in context: OperationContext
    ) throws -> any BlobStore {
        let checkpoint: @Sendable () throws -> Void = { if context.isStopped { throw Interruption() } }
        let store: any BlobStore
        switch form {
        case .folder(let path): return FolderStore(path)
        case .rest(let address):
            var settings = HTTPTransfer.Settings()
            settings.user = address.user ?? access.restUser
            settings.password = access.restPassword
            settings.authorities = access.authorities
            store = RESTStore(address, settings, checkpoint: checkpoint)
        case .sftp(let location): store = SFTPStore(location, checkpoint: checkpoint)
        case .s3(let address, let bucket, let prefix):
            guard let accessKey = access.accessKey, let secret = access.secretKey else {
                throw StorageError(
                    .credentials, .denied, "the access key of the S3 server is not known", address.authority,
                    remedy: .setStorageKeys)
            }
            var settings = S3Store.Settings(
                endpoint: try HTTPAddress(address.origin), bucket: bucket, prefix: prefix,
                region: access.region ?? Self.usualRegion, accessKey: accessKey, secret: secret)
            settings.sessionToken = access.sessionToken
            var connection = HTTPTransfer.Settings()
            connection.authorities = access.authorities
            store = try S3Store(settings, connection, checkpoint: checkpoint)
        }
        let limited = BandwidthLimitedStore(
            store, upload: limits.upload, download: limits.download, checkpoint: checkpoint)
        return RetryingStore(limited, checkpoint: checkpoint) { retry in
            context.note(StorageNote.retrying(retry.error, after: retry.pause))
        }
    }

    private static let usualRegion = "us-east-1"
}
