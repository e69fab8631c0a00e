import ValiseEncoding
package import ValiseSecrets

extension FileDescription {
    /// The description in YAML, byte for byte as the official programs write it (fact sheet, §7.1).
    ///
    /// - Throws: ``XFTPWireError``: `damaged` for one that contradicts itself, `unsupported` for chunks of a size that
    ///   relays do not take; `SecretsError` when no guarded memory is available.
    package func yaml() throws -> SecretBytes {
        try checkChunkSizes()
        return try yamlOfAnyChunkSize()
    }

    func yamlOfAnyChunkSize() throws -> SecretBytes {
        try checkConsistency()
        return try SecretText.make { write(to: &$0) }
    }

    private func write(to text: inout SecretText) {
        text.append("chunkSize: \(Self.plainOrQuoted(SizeText.encode(chunkSize)))\n")
        text.append("digest: ")
        text.appendBase64(digest)
        text.append("\nkey: ")
        text.appendBase64(key)
        text.append("\nnonce: ")
        text.append(Self.plainOrQuoted(Base64URL.encode(nonce)))
        text.append("\nparty: \(party.rawValue)\n")
        if let redirect {
            text.append("redirect:\n  digest: ")
            text.appendBase64(redirect.digest)
            text.append("\n  size: \(redirect.size)\n")
        }
        text.append("replicas:\n")
        for (server, lines) in linesByServer() {
            text.append("- chunks:\n")
            for line in lines { write(line, to: &text) }
            text.append("  server: \(server.text)\n")
        }
        text.append("size: \(Self.plainOrQuoted(SizeText.encode(size)))\n")
    }

    // MARK: Replicas

    private struct Line {
        let chunk: Chunk
        let replica: Replica
        let isFirst: Bool
    }

    /// Relays in their order; under each, chunks in theirs.
    private func linesByServer() -> [(XFTPAddress, [Line])] {
        var lines: [XFTPAddress: [Line]] = [:]
        for chunk in chunks {
            for (index, replica) in chunk.replicas.enumerated() {
                lines[replica.server, default: []].append(
                    Line(chunk: chunk, replica: replica, isFirst: index == 0))
            }
        }
        return lines.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The first replica of a chunk has its digest, and its size where that is not the default.
    private func write(_ line: Line, to text: inout SecretText) {
        text.append("  - \(line.chunk.number):")
        text.appendBase64(line.replica.id.bytes)
        text.append(":")
        text.appendPrivateKey(line.replica.key)
        if line.isFirst {
            text.append(":")
            text.appendBase64(line.chunk.digest)
            if line.chunk.size != chunkSize { text.append(":\(SizeText.encode(line.chunk.size))") }
        }
        text.append("\n")
    }

    // MARK: Scalars

    /// In quotes what a reader of YAML would take for a number or for a mark of the document; only a size without a unit
    /// and a rare nonce can be that.
    private static func plainOrQuoted(_ text: String) -> String {
        isNumber(text) || text.hasPrefix("---") ? "'\(text)'" : text
    }

    private static func isNumber(_ text: String) -> Bool {
        guard
            text.utf8.allSatisfy({
                !($0 == UInt8(ascii: "n") || $0 == UInt8(ascii: "i") || $0 == UInt8(ascii: "_"))
            })
        else { return false }
        return Double(text) != nil || text.hasPrefix("0o")
    }
}
