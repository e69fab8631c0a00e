import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseContentStore
import ValiseFailures
import ValiseFiles
import ValiseMounting
import ValiseSecrets

/// The tree of what is mounted.
struct MountedTree: Sendable {
    let tree: any FileTree

    /// Opens it, and asks for what it needs.
    init(_ source: MountSource, _ cacheSize: Int64, in context: OperationContext) async throws {
        tree =
            switch source {
            case .store(let input): try await Self.tree(input, cacheSize, context)
            case .repository(let input): try await Self.tree(input, context)
            case .archive(let path, let passphrase): try await Self.tree(path, passphrase, context)
            }
    }

    private static func tree(
        _ input: StoreInput, _ cacheSize: Int64, _ context: OperationContext
    ) async throws -> any FileTree {
        let store = try await input.open(in: context)
        return try await context.blocking { _ in
            let folder = context.folders.temporary ?? context.folders.state ?? "/tmp"
            let cache = try BlockCache(
                in: folder.appending("valise-mounts-\(ProcessIdentity.user)"), capacity: cacheSize)
            return StoreTree(StoredFiles(store), cache: cache)
        }
    }

    /// The repository stays locked, with others that read, for as long as the tree lives.
    private static func tree(
        _ input: RepositoryInput, _ context: OperationContext
    ) async throws -> any FileTree {
        let opened = try await input.opened(in: context)
        context.tell(opened.entryFailures)
        return RepositoryTree(
            opened.repository, opened.snapshots, at: input.place.text, lock: opened.lock)
    }

    private static func tree(
        _ path: FilePath, _ passphrase: PassphraseSource, _ context: OperationContext
    ) async throws -> any FileTree {
        let archive = try await context.blocking { _ in try ArchiveStorage(path) }
        let key = try await key(path, AccountReader(archive), passphrase, context)
        return try await context.blocking { _ in
            try ArchiveTree(archive, passphrase: key?.bytes.duplicate())
        }
    }

    /// Nil where media are shown as they are.
    private static func key(
        _ path: FilePath, _ reader: AccountReader, _ passphrase: PassphraseSource,
        _ context: OperationContext
    ) async throws -> SharedSecret? {
        // Any zip can be mounted.
        let stored = try await context.blocking { _ in try reader.find(.chat) }
        guard let stored else { return nil }
        guard stored.asksForPassphrase else { return SharedSecret(try SecretBytes.empty()) }
        if let given = try await passphrase.read() { return given }
        return try await context.asking(to: "decrypt its media", orElse: "show them encrypted")
            .askedPassphrase(of: path.string, opening: reader, [.chat], isOptional: true)
    }
}
