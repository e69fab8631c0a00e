import Synchronization
import ValiseEncoding
import ValiseFailures

/// Objects in a bucket of S3, below the prefix of the settings.
///
/// Source: the API reference of Amazon S3 (`GetObject`, `HeadObject`, `PutObject` with `If-Match` and `If-None-Match`,
/// `ListObjectsV2`). A version is the ETag.
package final class S3ObjectStore: ObjectStore {
    /// Of one object, while others write it, too.
    private static let mostWrites = 8

    let bucket: S3Bucket
    private let probePrefix: String
    private let hasConditions = Mutex<Bool?>(nil)
    /// Whether an answer has said that there is a bucket: one about an object without a body does not.
    private let isBucketSeen = Atomic(false)

    /// - Parameters:
    ///   - settings: which bucket, where, and with which keys.
    ///   - connection: how the server is reached, without a user.
    ///   - probePrefix: what the key of a probe begins with, see ``hasConditionalWrites()``: empty, or with a slash at its end.
    ///   - now: the time of the signatures, in seconds since 1970.
    ///   - checkpoint: is asked often while a request runs; throw to stop.
    /// - Throws: ``StorageError``: `invalid` for the name of a bucket.
    package init(
        _ settings: S3Store.Settings, _ connection: HTTPTransfer.Settings = HTTPTransfer.Settings(),
        probePrefix: String = "", now: @escaping @Sendable () -> Int64 = UTCTime.clock,
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) throws(StorageError) {
        bucket = try S3Bucket(settings, connection, now: now, checkpoint: checkpoint)
        self.probePrefix = probePrefix
    }

    package var location: String { bucket.location }

    package func hasConditionalWrites() throws -> Bool {
        // Whoever comes second waits for the answer.
        try hasConditions.withLock { known in
            if let known { return known }
            let found = try ConditionalWriteProbe(self, prefix: probePrefix).run()
            known = found
            return found
        }
    }

    // MARK: Reading

    package func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        if let range {
            let (content, response) = try bucket.part(key.text, range, key.text)
            return StoredObject(content: content, version: try response.version(of: key))
        }
        let response = try bucket.whole(key.text, mostBytes: mostBytes, key.text)
        guard !response.isCut, response.body.count <= mostBytes else { throw StorageError.tooLarge(key.text) }
        return StoredObject(content: response.body, version: try response.version(of: key))
    }

    @discardableResult
    package func read(
        _ key: ObjectKey, _ range: Range<Int64>,
        _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
    ) throws -> Int64 {
        var version: ObjectVersion?
        return try unsafe withoutActuallyEscaping(take) { take in
            try unsafe bucket.read(key.text, range, key.text) { piece, head in
                let known = try version ?? head.version(of: key)
                version = known
                try unsafe take(piece, known)
            }
        }
    }

    package func attributes(of key: ObjectKey) throws -> ObjectAttributes? {
        guard let response = try bucket.head(key.text, key.text) else {
            try checkBucket(asking: key)
            return nil
        }
        isBucketSeen.store(true, ordering: .relaxed)
        guard let modified = response["last-modified"].flatMap(HTTPDate.decode) else {
            throw StorageError(.answer, .failed, "the server does not say the time of the object", key.text)
        }
        return ObjectAttributes(
            size: try response.size(of: key.text), version: try response.version(of: key),
            modified: modified.seconds)
    }

    /// Tells a missing bucket from a missing object, once.
    private func checkBucket(asking key: ObjectKey) throws {
        if isBucketSeen.load(ordering: .relaxed) { return }
        let response = try bucket.explanation(key.text)
        if bucket.isBucketMissing(response) { throw bucket.failure(response, key.text) }
        if response.isSuccess || response.status == 404 { isBucketSeen.store(true, ordering: .relaxed) }
    }

    // MARK: Writing

    @discardableResult
    package func put(
        _ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition
    ) throws -> ObjectVersion {
        try put(key, if: condition) {
            try bucket.send(.put, key: key.text, headers: condition.headers, body: content)
        }
    }

    /// The digest is signed and sent with the request: the server stores nothing else.
    @discardableResult
    package func put(
        _ key: ObjectKey, _ source: ObjectSource, if condition: WriteCondition
    ) throws -> ObjectVersion {
        try put(key, if: condition) {
            try ObjectSource.reading {
                try bucket.send(.put, key: key.text, headers: condition.headers, source: source)
            }
        }
    }

    private func put(
        _ key: ObjectKey, if condition: WriteCondition, _ send: () throws -> HTTPResponse
    ) throws -> ObjectVersion {
        let response = try sent(key, send)
        if response.isSuccess { return try response.version(of: key) }
        let failure = bucket.failure(response, key.text)
        guard condition != .always else { throw failure }
        switch response.status {
        case 412: throw StorageError.changed(key, condition)
        // What should have been unchanged was removed.
        case 404 where condition != .isAbsent && !bucket.isBucketMissing(response):
            throw StorageError.changed(key, condition)
        // Servers that know no conditions have their own words for that.
        case 400, 501:
            guard failure.kind == .general, [.failed, .unsupported].contains(failure.code) else {
                throw failure
            }
            throw StorageError(
                .general, .unsupported,
                "the server has no conditional writes, or not this one. Nothing was written.", key.text,
                cause: failure)
        default: throw failure
        }
    }

    /// OpenStack Swift answers 202 where another writer's object has a later time than this one, and keeps that. What is sent
    /// again is the later one.
    private func sent(_ key: ObjectKey, _ send: () throws -> HTTPResponse) throws -> HTTPResponse {
        for _ in 0..<Self.mostWrites {
            let response = try send()
            guard response.status == 202 else { return response }
        }
        throw StorageError(.busy, .failed, "others write the object at the same time", key.text)
    }

    package func remove(_ key: ObjectKey) throws { try bucket.remove(key.text, key.text) }

    // MARK: Lists

    package func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        let after = after?.isEmpty == true ? nil : after
        var previous: String?
        try bucket.forEachPage(of: prefix, isDelimited: isDelimited, after: after, location) { page in
            for listed in try bucket.objects(of: page, below: prefix, isDelimited: isDelimited) {
                let text = listed.text
                if let previous, !previous.comesBefore(text) {
                    // A folder may go on in the next page.
                    if previous.hasSameBytes(as: text), case .folder = listed { continue }
                    throw StorageError(
                        .general, .unsupported,
                        "the server does not list objects in the order of their names",
                        location)
                }
                previous = text
                // A folder may begin before the place where the list does.
                guard after.map({ $0.comesBefore(text) }) ?? true else { continue }
                guard try body(listed) else { return false }
            }
            return true
        }
    }
}
