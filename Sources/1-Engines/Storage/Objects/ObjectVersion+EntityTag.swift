import ValiseFailures

/// Versions as HTTP has them (RFC 9110, section 8.8.3): `"33a64df5"`, and with `W/` before it for one that says little.
extension ObjectVersion {
    /// In bytes; those of S3 have 34, and some more for objects that came in parts.
    private static let mostBytes = 256

    /// Lists and answers of some servers differ by the quotes, which are left away.
    /// - Returns: nil for what is none.
    init?(entityTag text: String) {
        let isWeak = text.hasPrefix("W/")
        var tag = Array(text.utf8.dropFirst(isWeak ? 2 : 0))
        let quote = UInt8(ascii: "\"")
        if tag.count >= 2, tag.first == quote, tag.last == quote { tag = Array(tag.dropFirst().dropLast()) }
        guard (1...Self.mostBytes).contains(tag.count),
            tag.allSatisfy({ (33..<127).contains($0) && $0 != quote })
        else { return nil }
        self.init((isWeak ? "W/" : "") + String(decoding: tag, as: UTF8.self))
    }

    /// As a header has it.
    var entityTag: String {
        text.hasPrefix("W/") ? "W/\"\(text.dropFirst(2))\"" : "\"\(text)\""
    }
}

extension WriteCondition {
    /// What asks for it.
    var headers: [(name: String, value: String)] {
        switch self {
        case .always: []
        case .isAbsent: [("If-None-Match", "*")]
        case .isUnchanged(let version): [("If-Match", version.entityTag)]
        }
    }
}

extension HTTPResponse {
    /// - Throws: ``StorageError``: `answer` where the server does not say it.
    func version(of key: ObjectKey) throws(StorageError) -> ObjectVersion {
        guard let version = self["etag"].flatMap({ ObjectVersion(entityTag: $0) }) else {
            throw StorageError(
                .answer, .failed, "the server does not say the version of the object", key.text)
        }
        return version
    }
}
