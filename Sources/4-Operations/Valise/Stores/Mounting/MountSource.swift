package import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// What can be shown as a tree of files.
package enum MountSource: Sendable {
    case store(StoreInput)
    case repository(RepositoryInput)
    /// Its media are shown decrypted where the passphrase is known.
    case archive(FilePath, PassphraseSource)

    /// The kinds of them.
    package enum Kind: String, Sendable, CaseIterable {
        case store
        case backup
        case archive
    }

    /// What is at an address, as far as it or the folder there tells.
    ///
    /// - Returns: nil where it may be a store or a repository.
    /// - Throws: `FileError`; ``OperationError``: `notFound` where nothing is there.
    package static func kind(of address: String) throws -> Kind? {
        if address.hasPrefix("sftp:") || address.hasPrefix("rest:") { return .backup }
        if address.hasPrefix("seaweedfs") { return .store }
        if address.hasPrefix("s3:") { return nil }
        let path = FilePath(address)
        if try AccountPlace.isArchive(path) { return .archive }
        guard try FileSystem().isDirectory(path) else {
            throw OperationError(.notFound, "nothing is there that can be mounted", subject: address)
        }
        // What every repository has, and no store.
        let isRepository = try ["config", "keys", "snapshots"].allSatisfy {
            try FileSystem().exists(path.appending($0))
        }
        return isRepository ? .backup : .store
    }
}
