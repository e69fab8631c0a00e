import ValiseFailures

extension S3Store {
    /// A page has a thousand files at most.
    private static let mostPageBytes = 16 << 20
    /// No server has more; one without an end is not followed for ever.
    private static let mostPages = 1_000_000

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        let folder = "\(prefix)\(kind.rawValue)/"
        var continuation: String?
        for _ in 0..<Self.mostPages {
            let page = try page(prefix: folder, after: continuation)
            for file in page.files {
                guard let id = ContentID(text: String(file.key.suffix(ContentID.size * 2))),
                    file.key == prefix + StoredName.file(kind, id).path
                else { continue }
                guard let size = file.size, size >= 0 else { throw Self.invalidList(kind.rawValue) }
                try body(id, size)
            }
            guard page.isTruncated else { return }
            guard let next = page.continuation, !next.isEmpty, next != continuation else { break }
            continuation = next
        }
        throw Self.invalidList(kind.rawValue)
    }

    private static func invalidList(_ subject: String) -> StorageError {
        StorageError(.answer, .failed, "the server's list is invalid", subject)
    }

    /// - Parameters:
    ///   - continuation: what the page before says; nil for the first one.
    ///   - most: how many files; nil for as many as the server likes.
    func page(prefix: String, after continuation: String?, most: Int? = nil) throws -> S3Document.Page {
        var query = [(name: "list-type", value: "2"), (name: "prefix", value: prefix)]
        if let continuation { query.append((name: "continuation-token", value: continuation)) }
        if let most { query.append((name: "max-keys", value: "\(most)")) }
        let response = try send(.get, key: nil, query: query, mostBytes: Self.mostPageBytes)
        guard response.status == 200 else { throw failure(response, location) }
        guard !response.isCut, let page = try? S3Document.page(response.body) else {
            throw Self.invalidList(location)
        }
        return page
    }
}
