import ValiseFailures

extension IndexEntry {
    /// The most bytes of an entry.
    package static let mostBytes = 64 << 10

    /// Reads an entry of any era: lines of text, or JSON of the versions 2 to 4.
    ///
    /// - Throws: ``ContentStoreError``: `damaged`; `newer` for a version behind 4; `unsupported` for more than 64 KiB.
    package init(parsing bytes: [UInt8]) throws(ContentStoreError) {
        let isDocument = bytes.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "{")
        self = isDocument ? try Self.document(bytes) : .committed(try IndexedItem(text: bytes))
    }

    private static func document(_ bytes: [UInt8]) throws(ContentStoreError) -> IndexEntry {
        let fields = try DocumentFields(parsing: bytes, "index entry", mostBytes: mostBytes)
        let version: UInt32 = try fields.number("version")
        guard version <= 4 else {
            throw ContentStoreError(
                .newer, "index entries of version \(version) are newer than this program",
                remedy: .updateProgram)
        }
        let entry = try Self.entry(fields)
        guard version == entry.version || version == 3 && entry.version == 2 else {
            throw fields.invalid("version")
        }
        return entry
    }

    private static func entry(_ fields: DocumentFields) throws(ContentStoreError) -> IndexEntry {
        let state = try fields.text("state")
        let current = try fields.optionalFields("current").map { (item) throws(ContentStoreError) in
            try IndexedItem(item)
        }
        let pending = try fields.optionalFields("pending").map { (item) throws(ContentStoreError) in
            try PendingItem(item)
        }
        switch (state, current, pending) {
        case ("committed", let current?, nil): return .committed(current)
        case ("preparing", let current, let pending?): return .preparing(current: current, pending: pending)
        case ("deleted", nil, nil):
            guard let evidence = try fields.optionalFields("deletion_evidence") else { return .deleted(nil) }
            return .deleted(try SafetyCopy(evidence))
        default: throw fields.invalid("state")
        }
    }

    /// The version of the document that is written: 4 for a tombstone, 3 where a symbolic link is involved, else 2.
    var version: UInt32 {
        switch self {
        case .committed(let item): item.target == nil ? 2 : 3
        case .preparing(let current, let pending):
            current?.target == nil && pending.item.target == nil ? 2 : 3
        case .deleted: 4
        }
    }
}

extension IndexedItem {
    /// An entry of three lines in any order. Sizes that are missing are zero.
    init(text bytes: [UInt8]) throws(ContentStoreError) {
        guard bytes.count <= IndexEntry.mostBytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw ContentStoreError(.damaged, "the index entry is not text")
        }
        var values: [Substring: Substring] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[line[..<equals]] = line[line.index(after: equals)...]
        }
        guard let manifest = values["manifest_hash"].flatMap({ ObjectName(String($0)) }),
            let size = Int64(values["size"] ?? "0"), size >= 0, let chunks = Int(values["chunks"] ?? "0"),
            chunks >= 0
        else {
            throw ContentStoreError(.damaged, "the index entry names no manifest, or has an invalid size")
        }
        self.init(manifest: manifest, size: size, chunks: chunks)
    }

    init(_ fields: DocumentFields) throws(ContentStoreError) {
        guard let manifest = ObjectName(try fields.text("manifest_hash")) else {
            throw fields.invalid("manifest_hash")
        }
        let size: Int64 = try fields.number("size")
        let chunks: Int = try fields.number("chunks")
        guard size >= 0, chunks >= 0 else { throw fields.invalid("size") }
        let target = try fields.optionalText("symlink_target")
        switch try fields.optionalText("kind") ?? "regular_file" {
        case "regular_file": guard target == nil else { throw fields.invalid("symlink_target") }
        case "symlink": guard target != nil else { throw fields.invalid("symlink_target") }
        default: throw fields.invalid("kind")
        }
        self.init(manifest: manifest, size: size, chunks: chunks, target: target)
    }
}

extension PendingItem {
    init(_ fields: DocumentFields) throws(ContentStoreError) {
        self.init(try IndexedItem(fields), stagedKey: try fields.text("staged_manifest_key"))
    }
}

extension SafetyCopy {
    init(_ fields: DocumentFields) throws(ContentStoreError) {
        self.init(
            key: try fields.text("safety_copy_key"), digest: try fields.text("safety_copy_blake3"))
    }
}
