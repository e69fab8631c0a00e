import ValiseFailures

/// A file that stands for one that was not fetched yet: `NAME.tc`, some lines of text.
package struct PlaceholderFile: Hashable, Sendable {
    package let chunks: Int
    /// Whether the content is compressed, which tcfs never does.
    package let isCompressed: Bool
    /// Whether the content is here.
    package let isFetched: Bool
    /// The digest of the content.
    package let content: ContentDigest
    /// The store, such as `seaweedfs://host:8333/bucket/prefix`.
    package let origin: String
    /// In bytes.
    package let size: Int64

    /// The end of its name.
    package static let suffix = ".tc"
    private static let version = "https://tummycrypt.io/tcfs/v1"
    private static let digestKey = "oid"
    private static let digestMark = "blake3:"
    private static let mostBytes = 16 << 10

    package init(
        chunks: Int, content: ContentDigest, origin: String, size: Int64, isCompressed: Bool = false,
        isFetched: Bool = false
    ) {
        self.chunks = chunks
        self.content = content
        self.origin = origin
        self.size = size
        self.isCompressed = isCompressed
        self.isFetched = isFetched
    }

    /// The version first, then a line for each field, sorted by its name.
    package func encoded() -> [UInt8] {
        let lines = [
            "version \(Self.version)", "chunks \(chunks)", "compressed \(isCompressed ? 1 : 0)",
            "fetched \(isFetched ? 1 : 0)", "\(Self.digestKey) \(Self.digestMark)\(content.text)",
            "origin \(origin)",
            "size \(size)",
        ]
        return lines.flatMap { Array("\($0)\n".utf8) }
    }

    /// - Throws: ``ContentStoreError``: `damaged`; `newer` for another version.
    package init(parsing bytes: [UInt8]) throws(ContentStoreError) {
        guard bytes.count <= Self.mostBytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw Self.damaged
        }
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let space = line.firstIndex(of: " "),
                values.updateValue(String(line[line.index(after: space)...]), forKey: String(line[..<space]))
                    == nil
            else { throw Self.damaged }
        }
        guard let version = values["version"] else { throw Self.damaged }
        guard version == Self.version else {
            throw ContentStoreError(
                .newer, "the placeholder file was made by another version", remedy: .updateProgram)
        }
        guard let chunks = values["chunks"].flatMap({ Int($0) }), chunks >= 0,
            let size = values["size"].flatMap({ Int64($0) }), size >= 0, let id = values[Self.digestKey],
            id.hasPrefix(Self.digestMark),
            let content = ContentDigest(text: String(id.dropFirst(Self.digestMark.count))),
            let origin = values["origin"], let isCompressed = Self.flag(values["compressed"]),
            let isFetched = Self.flag(values["fetched"])
        else { throw Self.damaged }
        self.init(
            chunks: chunks, content: content, origin: origin, size: size, isCompressed: isCompressed,
            isFetched: isFetched)
    }

    private static func flag(_ text: String?) -> Bool? {
        switch text {
        case "0": false
        case "1": true
        default: nil
        }
    }

    private static var damaged: ContentStoreError {
        ContentStoreError(.damaged, "the placeholder file is damaged")
    }
}
