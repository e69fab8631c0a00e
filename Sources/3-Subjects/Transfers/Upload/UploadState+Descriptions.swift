import ValiseXFTPWire

/// What an upload's state comes to once all chunks of a file are stored.
extension UploadState {
    /// - Parameter recipient: counted from 0; nil for the sender.
    /// - Throws: ``FileTransferError``: `damaged` where the journal lacks something.
    func description(ofFile file: Int, for recipient: Int?) throws -> FileDescription {
        guard files.indices.contains(file), let digest = digests[file] else { throw RecordInput.damage }
        var found: [FileDescription.Chunk] = []
        while let chunk = chunks[ChunkPlace(file: file, chunk: found.count)] {
            found.append(
                FileDescription.Chunk(
                    number: found.count + 1, size: chunk.size, digest: chunk.digest,
                    replicas: [try chunk.replica(for: recipient)]))
        }
        guard let first = found.first else { throw RecordInput.damage }
        return FileDescription(
            party: recipient == nil ? .sender : .recipient, size: found.reduce(0) { $0 + $1.size },
            digest: digest, key: files[file].key, nonce: files[file].nonce, chunkSize: first.size,
            chunks: found)
    }

    /// The file of the redirect for a recipient of a part; nil where there is none yet.
    func redirectFile(part: Int, recipient: Int) -> Int? {
        files.firstIndex { $0.content == .redirect(part: part, recipient: recipient) }
    }

    /// The places of parts among the files.
    var partFiles: [Int] {
        files.indices.filter { if case .part = files[$0].content { true } else { false } }
    }
}

extension SentChunk {
    fileprivate func replica(for recipient: Int?) throws -> FileDescription.Replica {
        guard let recipient else { return FileDescription.Replica(server: relay, id: sender, key: key) }
        guard recipients.indices.contains(recipient) else { throw RecordInput.damage }
        return FileDescription.Replica(
            server: relay, id: recipients[recipient].id, key: recipients[recipient].key)
    }
}
