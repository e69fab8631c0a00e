import ValiseFailures

/// A store of objects under free names, as S3 has them: a bucket, a folder, memory.
///
/// Where ``BlobStore`` holds files that never change, these do, and so a write can be bound to what was read before. All calls
/// block, may come from several threads at once, and end early with `Interruption` where the store was made with a checkpoint
/// that throws. One suite of tests asks the contract of each implementation.
package protocol ObjectStore: Sendable {
    /// How messages name it, without a password.
    var location: String { get }

    /// Whether ``put(_:_:if:)`` holds its conditions where several write at the same time.
    ///
    /// Nothing is believed: two writers race for a probe, which is removed afterwards. The answer is kept.
    /// - Throws: ``StorageError``.
    func hasConditionalWrites() throws -> Bool

    /// An object with its version.
    /// - Parameters:
    ///   - key: see ``ObjectKey``.
    ///   - range: nil for all. It lies within the object.
    ///   - mostBytes: of a whole object; a larger one is refused before all of it is in memory.
    /// - Throws: ``StorageError``: `notFound`; `damaged` where the object ends before the range does, or is larger than wanted.
    func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject

    /// Reads a part of an object piece by piece, as it comes, with one request where there is a server. Nothing of it is kept.
    ///
    /// - Parameters:
    ///   - key: see ``ObjectKey``.
    ///   - range: of bytes that are wanted.
    ///   - take: gets pieces in their order, together all of the range, each with the version of the object, which is the same for all
    ///     of them. A piece has at least one byte and lasts for the call only.
    /// - Returns: the size of the whole object, in bytes.
    /// - Throws: ``StorageError``: `notFound`, of the kind `noStore` where it is not the object that is missing; `damaged` where the
    ///   object ends before the range does; of the kind `changed` where another was written meanwhile; whatever `take` throws.
    @discardableResult
    func read(
        _ key: ObjectKey, _ range: Range<Int64>,
        _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
    ) throws -> Int64

    /// Size, version and time of an object; nil where there is none.
    /// - Throws: ``StorageError``
    func attributes(of key: ObjectKey) throws -> ObjectAttributes?

    /// Stores an object, whole and durable when this returns. Until then nobody sees a part of it.
    ///
    /// - Parameters:
    ///   - key: see ``ObjectKey``.
    ///   - content: all of its bytes.
    ///   - condition: what has to be true for it.
    /// - Returns: what it is now.
    /// - Throws: ``StorageError``: of kind `changed` where the condition is not met; `unsupported` where the server refuses
    ///   conditions. One that ignores them does not say so: see ``hasConditionalWrites()``.
    @discardableResult
    func put(_ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition) throws -> ObjectVersion

    /// The same for bytes that are not in memory, and are not brought there at once. Nothing is stored where they do not have their
    /// digest, which is compared where they are stored.
    /// - Throws: ``StorageError``, also where the bytes cannot be read or do not have their digest.
    @discardableResult
    func put(_ key: ObjectKey, _ source: ObjectSource, if condition: WriteCondition) throws -> ObjectVersion

    /// Removes an object. What is not there counts as removed.
    /// - Throws: ``StorageError``
    func remove(_ key: ObjectKey) throws

    /// Objects whose keys begin with a prefix, in the order of the bytes of ``ListedObject/text``, each once, some pages of them
    /// in memory at a time. What others have put there under names that are no ``ObjectKey`` is left out. What is written or
    /// removed meanwhile may come or not.
    ///
    /// - Parameters:
    ///   - prefix: of the text of keys, in bytes; empty for all.
    ///   - isDelimited: whether keys that go on with a slash behind the prefix are given once, as ``ListedObject/folder(_:)``.
    ///   - after: only what has a ``ListedObject/text`` behind this one, such as the last one of an earlier list.
    ///   - body: returns false to end.
    /// - Throws: ``StorageError``: `unsupported` for a server that has another order; whatever the body throws.
    func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws

    /// The same without attributes, which some stores have to look up for each object.
    func listKeys(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedKey) throws -> Bool
    ) throws
}

extension ObjectStore {
    package func listKeys(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedKey) throws -> Bool
    ) throws {
        try list(prefix, isDelimited: isDelimited, after: after) { try body($0.key) }
    }
}

/// What tells two contents of an object apart: its ETag, or what takes its place. The same content may have another version when
/// it is written again, and need not.
package struct ObjectVersion: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

/// What has to be true for a write.
package enum WriteCondition: Hashable, Sendable {
    case always
    /// `If-None-Match: *`
    case isAbsent
    /// `If-Match`
    case isUnchanged(ObjectVersion)
}

/// An object that was read.
package struct StoredObject: Sendable {
    package let content: [UInt8]
    package let version: ObjectVersion

    package init(content: [UInt8], version: ObjectVersion) {
        self.content = content
        self.version = version
    }
}

/// What is known of an object without its content.
package struct ObjectAttributes: Hashable, Sendable {
    /// In bytes.
    package let size: Int64
    package let version: ObjectVersion
    /// Seconds since 1970.
    package let modified: Int64

    package init(size: Int64, version: ObjectVersion, modified: Int64) {
        self.size = size
        self.version = version
        self.modified = modified
    }
}

/// What a listing gives.
package enum ListedObject: Hashable, Sendable {
    case object(ObjectKey, ObjectAttributes)
    /// A prefix that ends with a slash.
    case folder(String)

    /// Without what is known of the object.
    package var key: ListedKey {
        switch self {
        case .object(let key, _): .object(key)
        case .folder(let prefix): .folder(prefix)
        }
    }

    /// What it is listed by: the key, or the prefix.
    package var text: String { key.text }
}

/// What a listing without attributes gives.
package enum ListedKey: Hashable, Sendable {
    case object(ObjectKey)
    /// A prefix that ends with a slash.
    case folder(String)

    /// What it is listed by: the key, or the prefix.
    package var text: String {
        switch self {
        case .object(let key): key.text
        case .folder(let prefix): prefix
        }
    }
}
