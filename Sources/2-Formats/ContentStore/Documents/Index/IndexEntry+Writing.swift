extension IndexEntry {
    /// The entry as JSON, which versions since 0.12.1 write.
    package func encoded() -> [UInt8] {
        var writer = StoreDocumentWriter()
        writer.object { writer in
            writer.member("version", version)
            writer.member("state", state)
            writer.key("current")
            if let current { current.write(to: &writer) } else { writer.null() }
            writer.key("pending")
            if case .preparing(_, let pending) = self { pending.write(to: &writer) } else { writer.null() }
            if case .deleted(let copy?) = self { copy.write(to: &writer) }
        }
        return writer.bytes
    }

    private var state: String {
        switch self {
        case .committed: "committed"
        case .preparing: "preparing"
        case .deleted: "deleted"
        }
    }
}

extension IndexedItem {
    /// The entry as lines of text, which all versions read; nil for a symbolic link, which it cannot say.
    package var encodedText: [UInt8]? {
        guard target == nil else { return nil }
        return Array("manifest_hash=\(manifest.text)\nsize=\(size)\nchunks=\(chunks)\n".utf8)
    }

    fileprivate func write(
        to writer: inout StoreDocumentWriter, and body: (inout StoreDocumentWriter) -> Void = { _ in }
    ) {
        writer.object { writer in
            writer.member("manifest_hash", manifest.text)
            writer.member("size", size)
            writer.member("chunks", chunks)
            if let target {
                writer.member("kind", "symlink")
                writer.member("symlink_target", target)
            }
            body(&writer)
        }
    }
}

extension PendingItem {
    fileprivate func write(to writer: inout StoreDocumentWriter) {
        item.write(to: &writer) { $0.member("staged_manifest_key", stagedKey) }
    }
}

extension SafetyCopy {
    fileprivate func write(to writer: inout StoreDocumentWriter) {
        writer.key("deletion_evidence")
        writer.object { writer in
            writer.member("safety_copy_key", key)
            writer.member("safety_copy_blake3", digest)
        }
    }
}
