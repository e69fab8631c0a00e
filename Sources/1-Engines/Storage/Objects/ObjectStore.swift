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
    ///   - mostBytes: of a whole object; a larger one is refused before it is in memory.
    /// - Throws: ``StorageError``: `notFound`; `damaged` where the object ends before the range does, or is larger than wanted.
    func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject

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
    /// - Throws: ``StorageError``: of kind `changed` where the condition is not met.
    @discardableResult
    func put(_ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition) throws -> ObjectVersion

    /// Removes an object. What is not there counts as removed.
    /// - Throws: ``StorageError``
    func remove(_ key: ObjectKey) throws

    /// Objects whose keys begin with a prefix, in the order of their keys' bytes, some pages of them in memory at a time.
    ///
    /// - Parameters:
    ///   - prefix: of the text of keys; empty for all.
    ///   - isDelimited: whether keys that go on with a slash behind the prefix are given once, as ``ListedObject/folder(_:)``.
    ///   - after: only what comes behind this text.
    ///   - body: returns false to end.
    /// - Throws: ``StorageError``; whatever the body throws.
    func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws
}

/// The name of an object: UTF-8 text of at most 1,024 bytes, in which slashes separate components.
///
/// No component is empty, `.` or `..`, and there are no control characters: so a key can be a path in a folder.
package struct ObjectKey: Hashable, Comparable, Sendable {
    package let text: String

    /// - Throws: ``StorageError``: `invalid`.
    package init(_ text: String) throws(StorageError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isValid =
            text.utf8.count <= 1024 && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isValid else { throw StorageError(.general, .invalid, "not a name of an object", text) }
        self.text = text
    }

    package static func < (left: ObjectKey, right: ObjectKey) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// What tells two contents of an object apart: its ETag, or what takes its place.
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
}
