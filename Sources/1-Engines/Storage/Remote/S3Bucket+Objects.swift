import ValiseFailures

/// Reading and removing objects, whatever they are. The subject is what failures call an object.
extension S3Bucket {
    /// An error has a document of its own, which is longer than many an object.
    private static let mostErrorBytes = 1 << 16

    /// A whole object; one that is longer than wanted is cut, or comes with some bytes more.
    /// - Throws: ``StorageError``: `notFound`.
    func whole(_ key: String, mostBytes: Int, _ subject: String) throws -> HTTPResponse {
        let response = try send(.get, key: key, mostBytes: max(mostBytes, Self.mostErrorBytes))
        guard response.status == 200 else { throw failure(response, subject) }
        return response
    }

    /// A part of an object, with the answer that it came in.
    /// - Throws: ``StorageError``: `notFound`; `damaged` where the object ends before the range does.
    func part(
        _ key: String, _ range: Range<Int64>, _ subject: String
    ) throws -> (content: [UInt8], response: HTTPResponse) {
        if range.isEmpty {
            guard let response = try head(key, subject) else {
                let explained = try explanation(key)
                throw explained.status == 404 ? absence(explained, subject) : Self.missing(subject)
            }
            guard try range.lowerBound >= 0 && range.upperBound <= response.size(of: subject) else {
                throw StorageError.tooShort(subject)
            }
            return ([], response)
        }
        let header = try range.header(subject)
        let response = try send(
            .get, key: key, headers: [header], mostBytes: max(range.count, Self.mostErrorBytes))
        guard response.isSuccess || response.status == 416 else { throw failure(response, subject) }
        return (try response.content(of: range, subject), response)
    }

    /// A reader has all that it wants.
    private struct Enough: Error {}

    /// Reads a part of an object as it comes.
    /// - Parameter take: gets pieces, each with the head of the answer.
    /// - Returns: the size of the whole object, in bytes.
    /// - Throws: ``StorageError``: `notFound`; `damaged` where the object ends before the range does; whatever `take` throws.
    func read(
        _ key: String, _ range: Range<Int64>, _ subject: String,
        _ take: @escaping (_ piece: UnsafeRawBufferPointer, _ head: HTTPResponse) throws -> Void
    ) throws -> Int64 {
        if range.isEmpty { return try part(key, range, subject).response.size(of: subject) }
        let header = try range.header(subject)
        var begun: HTTPResponse?
        var left = range.count
        do {
            let receiver = unsafe HTTPReceiver { piece, head in
                if begun == nil { try head.checkBegin(of: range, subject) }
                begun = head
                let count = min(piece.count, left)
                left -= count
                if count > 0 { try unsafe take(UnsafeRawBufferPointer(rebasing: piece[..<count]), head) }
                guard count < piece.count else { return }
                // A server may not know ranges.
                if head.status == 200 { throw Enough() } else { throw StorageError.surplus(subject) }
            }
            let response = try send(
                .get, key: key, headers: [header], mostBytes: Self.mostErrorBytes, to: receiver)
            guard response.isSuccess else { throw absence(response, subject) }
        } catch is Enough {}
        let size = try begun?.wholeSize(of: subject) ?? 0
        guard left == 0 else {
            if begun != nil, size < range.upperBound { throw StorageError.tooShort(subject) }
            throw StorageError(.answer, .failed, "the server sent less than it was asked for", subject)
        }
        return size
    }

    /// That an object is missing, or is shorter, only the server of the bucket knows, and says it in words. What is between here
    /// and there may have the same status for anything, for a moment.
    private func absence(_ response: HTTPResponse, _ subject: String) -> StorageError {
        guard response.status == 404 || response.status == 416 else { return failure(response, subject) }
        guard S3Document.refusal(response.body) != nil else {
            return StorageError(.answer, .failed, "the server does not say what is missing", subject)
        }
        return response.status == 416 ? .tooShort(subject) : failure(response, subject)
    }

    static func missing(_ subject: String) -> StorageError {
        StorageError(.general, .notFound, "missing on the server", subject)
    }

    /// What the server says of an object; nil where there is none, or no bucket.
    /// - Throws: ``StorageError``
    func head(_ key: String, _ subject: String) throws -> HTTPResponse? {
        let response = try send(.head, key: key)
        if response.isSuccess { return response }
        if response.status == 404 { return nil }
        let explained = try explanation(key)
        throw failure(explained.isSuccess ? response : explained, subject)
    }

    /// An answer without a body gives no reason. The same question with one does.
    func explanation(_ key: String) throws -> HTTPResponse {
        try send(.get, key: key, headers: [("Range", "bytes=0-0")], mostBytes: Self.mostErrorBytes)
    }

    /// Removes an object that may be missing.
    /// - Throws: ``StorageError``: of the kind `appendOnly` where the keys may not remove.
    func remove(_ key: String, _ subject: String) throws {
        let response = try send(.delete, key: key)
        if response.isSuccess || response.status == 404 && !isBucketMissing(response) { return }
        let error = failure(response, subject)
        // The keys are valid: what they may not do is to remove.
        let isRefused = ["AccessDenied", "MethodNotAllowed", "InvalidRequest", "ObjectLocked"]
            .contains(S3Document.refusal(response.body)?.code ?? "-")
        throw isRefused ? StorageError.keepsEverything(subject) : error
    }

    /// Whether an answer says that there is no bucket of this name, which has the same status as a missing object.
    func isBucketMissing(_ response: HTTPResponse) -> Bool {
        S3Document.refusal(response.body)?.code == "NoSuchBucket"
    }
}
