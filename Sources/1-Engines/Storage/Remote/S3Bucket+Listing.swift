import ValiseFailures

extension S3Bucket {
    /// A page has a thousand objects at most.
    private static let mostPageBytes = 16 << 20
    /// No server has more; one without an end is not followed for ever.
    private static let mostPages = 1_000_000

    /// Goes through the pages of a list (`ListObjectsV2`), of which one is in memory at a time.
    ///
    /// - Parameters:
    ///   - keys: what they begin with, below the prefix of the bucket.
    ///   - isDelimited: whether keys that go on with a slash are given once, as a prefix.
    ///   - after: only keys that come behind this one, below the prefix of the bucket.
    ///   - subject: what failures call it.
    ///   - body: gets keys as they are in the bucket; returns false to end.
    /// - Throws: ``StorageError``: `answer`; whatever the body throws.
    func forEachPage(
        of keys: String, isDelimited: Bool = false, after: String? = nil, _ subject: String,
        _ body: (S3Document.Page) throws -> Bool
    ) throws {
        var query = [(name: String, value: String)]()
        if isDelimited { query.append((name: "delimiter", value: "/")) }
        var place = after.map { (name: "start-after", value: prefix + $0) }
        for _ in 0..<Self.mostPages {
            let page = try page(of: keys, query + (place.map { [$0] } ?? []), subject)
            guard try body(page), page.isTruncated else { return }
            guard let next = page.continuation, !next.isEmpty, next != place?.value else { break }
            place = ("continuation-token", next)
        }
        throw Self.invalidList(subject)
    }

    static func invalidList(_ subject: String) -> StorageError {
        StorageError(.answer, .failed, "the server's list is invalid", subject)
    }

    /// - Parameter query: beside what is in each.
    func page(
        of keys: String, _ query: [(name: String, value: String)], _ subject: String
    ) throws -> S3Document.Page {
        let query = [(name: "list-type", value: "2"), (name: "prefix", value: prefix + keys)] + query
        let response = try send(.get, key: nil, query: query, mostBytes: Self.mostPageBytes)
        guard response.status == 200 else { throw failure(response, location) }
        guard !response.isCut, let page = try? S3Document.page(response.body) else {
            throw Self.invalidList(subject)
        }
        return page
    }
}
