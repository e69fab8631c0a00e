import Synchronization
import ValiseEncoding
import ValiseFailures

/// A repository in a bucket of S3, with the layout that restic has there. There are no folders: a prefix is a part of a name.
package final class S3Store: BlobStore {
    private let bucket: S3Bucket
    /// Whether the server may know `If-None-Match`: true until it says that it does not.
    private let knowsConditions = Atomic(true)

    /// - Parameters:
    ///   - settings: which bucket, where, and with which keys.
    ///   - connection: how the server is reached, without a user.
    ///   - now: the time of the signatures, in seconds since 1970.
    ///   - checkpoint: is asked often while a request runs; throw to stop.
    /// - Throws: ``StorageError``: `invalid` for the name of a bucket.
    package init(
        _ settings: Settings, _ connection: HTTPTransfer.Settings = HTTPTransfer.Settings(),
        now: @escaping @Sendable () -> Int64 = UTCTime.clock,
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) throws(StorageError) {
        bucket = try S3Bucket(settings, connection, now: now, checkpoint: checkpoint)
    }

    package var location: String { bucket.location }

    /// Makes nothing: buckets are made by those who pay for them.
    package func create() throws { _ = try bucket.page(of: "", [("max-keys", "1")], location) }

    // MARK: Reading

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        let subject = name.description
        guard let range else {
            return try bucket.whole(name.path, mostBytes: name.mostBytes, subject).wholeContent(subject)
        }
        return try bucket.part(name.path, range, subject).content
    }

    package func size(of name: StoredName) throws -> Int64 {
        let subject = name.description
        guard let response = try bucket.head(name.path, subject) else { throw S3Bucket.missing(subject) }
        return try response.size(of: subject)
    }

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        try bucket.forEachPage(of: "\(kind.rawValue)/", kind.rawValue) { page in
            for file in page.files {
                guard let id = ContentID(text: String(file.key.suffix(ContentID.size * 2))),
                    file.key == bucket.prefix + StoredName.file(kind, id).path
                else { continue }
                guard let size = file.size, size >= 0 else { throw S3Bucket.invalidList(kind.rawValue) }
                try body(id, size)
            }
            return true
        }
    }

    // MARK: Writing

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        if name == .config, try isStored(name, content) { return }
        var response = try send(name, content, isConditional: knowsConditions.load(ordering: .relaxed))
        if response.status == 501, knowsConditions.exchange(false, ordering: .relaxed) {
            response = try send(name, content, isConditional: false)
        }
        if response.isSuccess { return }
        if response.status == 412, try isStored(name, content) { return }
        throw bucket.failure(response, name.description)
    }

    private func send(_ name: StoredName, _ content: [UInt8], isConditional: Bool) throws -> HTTPResponse {
        let condition = isConditional ? [(name: "If-None-Match", value: "*")] : []
        // A name is the digest already, and the server compares what it gets with it.
        var payload: String?
        if case .file(_, let id) = name { payload = id.text }
        return try bucket.send(.put, key: name.path, headers: condition, body: content, payload: payload)
    }

    /// Whether a file of this name has the content. A digest for a name says enough, together with the size.
    /// - Throws: ``StorageError``: `alreadyExists` for another content.
    private func isStored(_ name: StoredName, _ content: [UInt8]) throws -> Bool {
        do {
            let isSame =
                name == .config ? try get(name) == content : try size(of: name) == Int64(content.count)
            guard isSame else { throw StorageError.otherContent(name.description) }
            return true
        } catch let error as StorageError where error.code == .notFound {
            return false
        }
    }

    package func remove(_ name: StoredName) throws { try bucket.remove(name.path, name.description) }
}
