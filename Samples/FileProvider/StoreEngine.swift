import Foundation

/// What the extension needs of a store. Nothing in this file knows the framework FileProvider: it compiles everywhere, and a
/// test or a preview can have an engine of its own.
///
/// All calls block, and may come from several threads. A call with `isCancelled` ends with ``EngineError/cancelled`` soon after
/// that says true.
protocol StoreEngine: Sendable {
    /// One item; the top folder for the empty identifier.
    func item(_ identifier: String) throws -> EngineItem

    /// Some items of a folder, from a page that an earlier call named.
    func items(in folder: String, page: String?, limit: Int) throws -> EnginePage

    /// Fetches a file, verified as a whole, and replaces what has the name.
    /// - Parameter version: nil for any; else another content fails with ``EngineError/otherVersion``.
    func fetch(
        _ identifier: String, version: String?, to file: URL, progress: (Int64, Int64) -> Void,
        isCancelled: () -> Bool
    ) throws -> EngineItem

    /// Stores a file.
    /// - Parameter basis: the version that it goes back to; nil for a new file.
    func upload(
        _ file: URL, as identifier: String, basedOn basis: String?, progress: (Int64, Int64) -> Void,
        isCancelled: () -> Bool
    ) throws -> EngineItem

    /// Stores a symbolic link.
    func uploadLink(to target: String, as identifier: String, basedOn basis: String?) throws -> EngineItem

    func createFolder(_ identifier: String) throws -> EngineItem

    /// - Parameter basis: the version that was seen here; nil to delete any.
    func delete(_ identifier: String, basedOn basis: String?) throws

    /// What the store has now, for ``changes(since:limit:)``.
    func anchor() throws -> String

    /// What happened since. An anchor that is too old fails with ``EngineError/anchorExpired``.
    func changes(since anchor: String, limit: Int) throws -> EngineChanges
}

/// A file, a symbolic link or a folder of a store.
struct EngineItem: Sendable, Hashable {
    /// The path in the store, with slashes; empty for the top folder.
    let identifier: String
    let isFolder: Bool
    /// Nil for anything but a symbolic link.
    let linkTarget: String?
    /// In bytes.
    let size: Int64
    let modified: Date?
    /// Another text for each content; empty for a folder.
    let version: String

    var name: String { identifier.split(separator: "/").last.map(String.init) ?? "" }

    var parent: String { identifier.split(separator: "/").dropLast().joined(separator: "/") }
}

struct EnginePage: Sendable {
    let items: [EngineItem]
    /// Nil for the last page.
    let next: String?
}

struct EngineChanges: Sendable {
    let updated: [EngineItem]
    /// Identifiers.
    let deleted: [String]
    let anchor: String
    let hasMore: Bool

    /// Those of one folder only.
    func inside(_ folder: String) -> EngineChanges {
        func parent(_ path: String) -> String { path.split(separator: "/").dropLast().joined(separator: "/") }
        return EngineChanges(
            updated: updated.filter { $0.parent == folder }, deleted: deleted.filter { parent($0) == folder },
            anchor: anchor, hasMore: hasMore)
    }
}

/// Why a call failed, as far as the system has another answer to it.
enum EngineError: Error, Hashable {
    case notFound(String)
    case exists(String)
    /// The store has a version that was not seen here.
    case conflict(String)
    case otherVersion(String)
    case anchorExpired
    case notReached
    case notAuthorized
    /// Encrypted, and not for the key of this device.
    case locked
    case noSpace
    case cancelled
    case failed(String)
}
