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
            guard let response = try head(key, subject) else { throw Self.missing(subject) }
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
