import ValiseCryptography

extension OpenBody {
    /// Goes through the content from its start to its end, and closes the body.
    /// - Parameters:
    ///   - size: of the body, in bytes.
    ///   - visit: gets pieces of at most 256 KiB.
    /// - Throws: ``XFTPStoreError``; whatever the closure throws.
    func forEachPiece(of size: UInt32, _ visit: (UnsafeRawBufferPointer) throws -> Void) throws {
        defer { close() }
        var buffer = [UInt8](repeating: 0, count: min(Int(size), 1 << 18))
        var offset: Int64 = 0
        while offset < Int64(size) {
            let count = Int(min(Int64(buffer.count), Int64(size) - offset))
            try unsafe buffer.withUnsafeMutableBytes { bytes in
                let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
                try unsafe fill(piece, at: offset)
                try unsafe visit(UnsafeRawBufferPointer(piece))
            }
            offset += Int64(count)
        }
    }
}

extension ChunkBytes {
    /// Whether a body is here with the digest that was announced.
    /// - Parameters:
    ///   - body: its name and size.
    ///   - digest: SHA-256.
    /// - Throws: ``XFTPStoreError`` where it cannot be read.
    func has(_ body: StoredBody, digest: [UInt8]) throws -> Bool {
        guard let found = try open(body.name, size: body.size) else { return false }
        var hash = SHA256()
        try unsafe found.forEachPiece(of: body.size) { unsafe hash.update($0) }
        return hash.finalize() == digest
    }

    /// Whether a body of this size is here.
    /// - Throws: ``XFTPStoreError``.
    func has(_ body: StoredBody) throws -> Bool {
        guard let found = try open(body.name, size: body.size) else { return false }
        found.close()
        return true
    }
}
