import ValiseFailures

/// Where a repository's files are: a folder, a server, memory.
///
/// All calls block, may come from several threads at once, and end early with `Interruption` where the store was made with a
/// checkpoint that throws. One contract holds for all implementations, and one suite of tests asks it of each
/// (`BlobStoreContract` in Tests).
package protocol BlobStore: Sendable {
    /// How messages name it, without a password.
    var location: String { get }

    /// Whether ``putBehind(_:_:)`` returns while the content is still on its way.
    var writesBehind: Bool { get }

    /// Makes what a new repository needs, such as folders. What exists already stays as it is.
    /// - Throws: ``StorageError``
    func create() throws

    /// Stores a file. It is durable when this returns; until then nobody sees a part of it.
    ///
    /// To store the same content under its name again is no error, so that a request whose answer was lost can be repeated.
    ///
    /// - Throws: ``StorageError``, `alreadyExists` where ``StoredName/config`` exists with another content.
    func put(_ name: StoredName, _ content: [UInt8]) throws

    /// Takes a file over, to be stored: durable, and seen by others, once what is returned is settled. Until then the disk works
    /// while the caller does something else (write-behind), and nobody has to keep the content in memory.
    ///
    /// Whoever uses this store finds the file as if it were stored.
    ///
    /// - Returns: nil where the file is durable already.
    /// - Throws: ``StorageError``.
    func putBehind(_ name: StoredName, _ content: [UInt8]) throws -> (any UnsettledFile)?

    /// Bytes of a file.
    /// - Parameter range: nil for all. It lies within the file.
    /// - Returns: exactly these bytes.
    /// - Throws: ``StorageError``: `notFound`; `damaged` where the file ends before the range does.
    func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8]

    /// In bytes.
    /// - Throws: ``StorageError``: `notFound`.
    func size(of name: StoredName) throws -> Int64

    /// Names and sizes of the files of a folder, in any order. Names that are no digest, such as those of files that are being
    /// written, are left out. A folder that does not exist is empty.
    /// - Throws: ``StorageError``; whatever the body throws.
    func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws

    /// Removes a file. What is not there counts as removed.
    /// - Throws: ``StorageError``, `denied` where the server keeps everything (append-only).
    func remove(_ name: StoredName) throws
}

/// A file that a store took over, see ``BlobStore/putBehind(_:_:)``.
package protocol UnsettledFile: Sendable {
    /// Waits until the file is durable.
    /// - Throws: ``StorageError``, each time.
    func settle() throws

    /// Lets go of a file that nobody wants any more. What was settled stays.
    func abandon()
}

extension BlobStore {
    package var writesBehind: Bool { false }

    package func putBehind(_ name: StoredName, _ content: [UInt8]) throws -> (any UnsettledFile)? {
        try put(name, content)
        return nil
    }

    /// A whole file.
    /// - Throws: as ``get(_:_:)``.
    package func get(_ name: StoredName) throws -> [UInt8] { try get(name, nil) }

    /// Whether a file is there.
    /// - Throws: ``StorageError`` for anything but absence.
    package func has(_ name: StoredName) throws -> Bool {
        do {
            _ = try size(of: name)
            return true
        } catch let error as StorageError where error.code == .notFound {
            return false
        }
    }

    /// All files of a folder, sorted by their names.
    /// - Throws: ``StorageError``
    package func list(_ kind: StoredKind) throws -> [(id: ContentID, size: Int64)] {
        var files: [(id: ContentID, size: Int64)] = []
        try list(kind) { files.append(($0, $1)) }
        return files.sorted { $0.id < $1.id }
    }
}
