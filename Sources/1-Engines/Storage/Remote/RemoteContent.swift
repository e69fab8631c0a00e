import ValiseFailures

extension StorageError {
    /// A part that is longer than was asked for.
    static func surplus(_ subject: String) -> StorageError {
        StorageError(.answer, .failed, "the server sent more bytes than it was asked for", subject)
    }

    /// The answer to a removal.
    static func keepsEverything(_ subject: String) -> StorageError {
        StorageError(
            .appendOnly, .denied, "the server does not allow files to be removed (append-only)", subject)
    }
}

extension StoredName {
    /// Below the folder or prefix of a repository, with the folders of two digits that packs have.
    var path: String {
        switch self {
        case .config: "config"
        case .file(.data, let id): "data/\(id.text.prefix(2))/\(id.text)"
        case .file(let kind, let id): "\(kind.rawValue)/\(id.text)"
        }
    }

    /// The longest file that is read as one piece. A pack's own length has 32 bits; all others are small.
    var mostBytes: Int {
        switch self {
        case .config: 1 << 20
        case .file(.data, _): 1 << 32
        case .file: 1 << 30
        }
    }
}

extension Range<Int64> {
    /// The header that asks for these bytes, of which there is at least one.
    /// - Throws: ``StorageError``: `invalid` for numbers below zero.
    func header(_ subject: String) throws(StorageError) -> (name: String, value: String) {
        guard lowerBound >= 0, !isEmpty else {
            throw StorageError(.general, .invalid, "no such range of bytes", subject)
        }
        return ("Range", "bytes=\(lowerBound)-\(upperBound - 1)")
    }
}

extension HTTPResponse {
    /// The body as all of a file.
    func wholeContent(_ subject: String) throws(StorageError) -> [UInt8] {
        guard !isCut else {
            throw StorageError(.general, .unsupported, "file is too long to be read", subject)
        }
        return body
    }

    /// The body as these bytes of a file: the status is 206, or 416, or 200 where a server has ignored the range.
    /// - Throws: ``StorageError``: `damaged` where the file ends before the range does; `answer`.
    func content(of range: Range<Int64>, _ subject: String) throws(StorageError) -> [UInt8] {
        if status == 416 { throw .tooShort(subject) }
        try checkBegin(of: range, subject)
        if body.count < range.count { throw .tooShort(subject) }
        guard status == 200 || body.count == range.count && !isCut else { throw .surplus(subject) }
        return Array(body.prefix(range.count))
    }

    /// Checks that the body begins where these bytes do.
    /// - Throws: ``StorageError``: `answer`.
    func checkBegin(of range: Range<Int64>, _ subject: String) throws(StorageError) {
        guard status == 206 ? isPart(range) : status == 200 && range.lowerBound == 0 else {
            throw StorageError(
                .answer, .failed, "the server sent other bytes than it was asked for", subject)
        }
    }

    /// The size of the whole file that the head of an answer with a part tells, or with all of it.
    /// - Throws: ``StorageError``: `answer` where it does not.
    func wholeSize(of subject: String) throws(StorageError) -> Int64 {
        guard status == 206 else { return try size(of: subject) }
        let text = self["content-range"]?.split(separator: "/", omittingEmptySubsequences: false).last
        guard let text, let size = Int64(text), size >= 0 else {
            throw StorageError(.answer, .failed, "the server does not say the size of the file", subject)
        }
        return size
    }

    /// The size of the file that the head of an answer tells.
    /// - Throws: ``StorageError``: `answer` where it does not.
    func size(of subject: String) throws(StorageError) -> Int64 {
        guard let contentLength else {
            throw StorageError(.answer, .failed, "the server does not say the size of the file", subject)
        }
        return contentLength
    }

    /// Whether the part begins where it should, as far as the server says. One that has no such bytes may end before its begin.
    private func isPart(_ range: Range<Int64>) -> Bool {
        guard let text = self["content-range"] else { return true }
        guard text.lowercased().hasPrefix("bytes ") else { return false }
        let first = text.dropFirst(6).drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
        return Int64(first) == range.lowerBound
    }
}
