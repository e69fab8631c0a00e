package import ValiseCryptography

extension FileManifest {
    /// The document, byte for byte as tcfs writes it: its name is made of these bytes.
    package func encoded() -> [UInt8] {
        var writer = StoreDocumentWriter()
        writer.object { writer in
            writer.member("version", version)
            writer.member("file_hash", content.text)
            writer.member("file_size", size)
            writer.key("chunks")
            writer.array(chunks) { $0.text($1.text) }
            writer.key("vclock")
            clock.write(to: &writer)
            writer.member("written_by", device)
            writer.member("written_at", written)
            writer.member("rel_path", path)
            if let mode { writer.member("mode", mode) }
            if let modified { modified.write(to: &writer) }
            if let wrappedKey { writer.member("encrypted_file_key", wrappedKey) }
            if !deviceKeys.isEmpty {
                writer.key("wrapped_file_keys")
                writer.array(deviceKeys) { $1.write(to: &$0) }
            }
        }
        return writer.bytes
    }
}

extension ModificationTime {
    fileprivate func write(to writer: inout StoreDocumentWriter) {
        writer.key("mtime")
        writer.array([seconds, Int64(nanoseconds)]) { $0.number($1) }
    }
}

extension DeviceKey {
    fileprivate func write(to writer: inout StoreDocumentWriter) {
        writer.object { writer in
            writer.member("recipient_device_id", device)
            writer.member("recipient", recipient)
            writer.member("algorithm", algorithm)
            writer.member("wrapped_key", wrapped)
        }
    }
}

extension LinkManifest {
    /// The document, byte for byte as tcfs writes it.
    package func encoded() -> [UInt8] {
        var writer = StoreDocumentWriter()
        writer.object { writer in
            writer.member("version", 3)
            writer.member("kind", "symlink")
            writer.member("symlink_target", target)
            writer.key("vclock")
            clock.write(to: &writer)
            writer.member("written_by", device)
            writer.member("written_at", written)
            writer.member("rel_path", path)
        }
        return writer.bytes
    }

    /// What stands for the link where a file has the digest of its content.
    /// - Throws: `CryptographyError` where libblake3 cannot be loaded.
    package func identity() throws(CryptographyError) -> ContentDigest {
        try DigestLabel.symbolicLink.digest(of: Array(target.utf8))
    }
}

extension StoreManifest {
    /// The document. Manifests of chunks alone are read only: their lines, for tests.
    package func encoded() -> [UInt8] {
        switch self {
        case .file(let file): file.encoded()
        case .link(let link): link.encoded()
        case .chunks(let chunks): chunks.flatMap { Array("\($0.text)\n".utf8) }
        }
    }
}
