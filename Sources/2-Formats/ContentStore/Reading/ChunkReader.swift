import ValiseCryptography
import ValiseFailures
import ValiseStorage

/// Reads the chunks of one file: what is stored is verified before it is decrypted.
struct ChunkReader: Sendable {
    let store: ContentStore
    /// What messages call it.
    let subject: String
    let file: FileManifest
    /// Nil for a file that is not encrypted.
    private let sealing: ChunkSealing?

    /// - Throws: ``ContentStoreError``: `noKey`, `wrongKey`, `damaged`; `SecretsError`.
    init(_ store: ContentStore, _ file: FileManifest, _ subject: String) throws {
        self.store = store
        self.subject = subject
        self.file = file
        sealing = try store.sealing(of: file, subject)
    }

    /// What a stored chunk has more than its content, in bytes.
    var overhead: Int64 { sealing == nil ? 0 : Int64(ChunkSealing.overhead) }

    /// The content of a chunk.
    ///
    /// - Parameter most: bytes of the stored chunk.
    /// - Throws: ``ContentStoreError``: `missing`, `damaged`; ``LargerChunk``; `StorageError`.
    func content(_ number: Int, most: Int) throws -> [UInt8] {
        var bytes = try store.storedChunk(file.chunks[number], of: subject, most: most)
        try sealing?.openInPlace(&bytes, index: number, subject)
        return bytes
    }

    /// The content of a chunk of the size that the store says.
    /// - Throws: ``ContentStoreError``: `missing`, `damaged`; `StorageError`.
    func content(_ number: Int) throws -> [UInt8] {
        let size = try storedSize(number)
        do {
            return try content(number, most: size)
        } catch is LargerChunk {
            throw ContentStoreError(.damaged, "a chunk is larger than the store says", subject)
        }
    }

    /// How large a stored chunk is, in bytes; from memory where it is known.
    /// - Throws: ``ContentStoreError``: `missing`, `damaged` for one that is larger than any; `StorageError`.
    func storedSize(_ number: Int) throws -> Int {
        try store.storedSize(file.chunks[number], of: subject)
    }
}

/// A chunk is larger than the reader expected.
struct LargerChunk: Error {}

extension ChunkSealing {
    /// Decrypts a chunk where it is: a second copy of the largest chunks would be half of all memory.
    /// - Throws: ``ContentStoreError``: `damaged`, `wrongKey`; what is in the object is worth nothing then.
    fileprivate func openInPlace(_ object: inout [UInt8], index: Int, _ subject: String) throws {
        guard object.count >= Self.overhead else {
            throw ContentStoreError(.damaged, "encrypted chunk \(index) is too short", subject)
        }
        let nonce = XChaCha20Poly1305.nonceByteCount
        let size = object.count - Self.overhead
        do {
            try unsafe object.withUnsafeMutableBytes { memory in
                let chunk = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[nonce..<nonce + size])
                try unsafe open(UnsafeRawBufferPointer(memory), index: index, into: chunk)
            }
        } catch let error as ContentStoreError {
            throw error.naming(subject)
        }
        object.removeLast(Self.overhead - nonce)
        object.removeFirst(nonce)
    }
}

extension ContentStore {
    /// What decrypts the chunks of a file; nil for a file that is not encrypted.
    /// - Throws: ``ContentStoreError``: `noKey`, `wrongKey`, `damaged`; `SecretsError`.
    func sealing(of file: FileManifest, _ subject: String) throws -> ChunkSealing? {
        do {
            return try keys.key(of: file).map { ChunkSealing(key: $0, file: file.content) }
        } catch let error as ContentStoreError {
            throw error.naming(subject)
        }
    }
}

extension ContentStore {
    /// A stored chunk, whose digest is its name.
    func storedChunk(_ name: ObjectName, of subject: String, most: Int) throws -> [UInt8] {
        // What seems to be damaged is read once more: it may be the answer of a server that was cut off.
        if let bytes = try fetchChunk(name, of: subject, most: most)
            ?? fetchChunk(name, of: subject, most: most)
        {
            sizes.note(name, Int64(bytes.count))
            return bytes
        }
        throw ContentStoreError(
            .damaged, "the content of chunk \(name) does not have the digest that is its name", subject)
    }

    /// Nil where it is not what its name says.
    private func fetchChunk(_ name: ObjectName, of subject: String, most: Int) throws -> [UInt8]? {
        let key = try layout.chunk(name)
        let bytes: [UInt8]
        do {
            bytes = try objects.get(key, nil, mostBytes: most).content
        } catch let error as StorageError where error.code == .notFound {
            throw ContentStoreError(.missing, "chunk \(name) is missing", subject, cause: error)
        } catch let error as StorageError where error.code == .damaged {
            guard let size = try objects.attributes(of: key)?.size, size > Int64(most) else { throw error }
            sizes.note(name, size)
            throw LargerChunk()
        }
        return try ContentDigest(of: bytes) == name.digest ? bytes : nil
    }

    func storedSize(_ name: ObjectName, of subject: String) throws -> Int {
        if let size = sizes[name] { return try checked(size, name, subject) }
        guard let size = try objects.attributes(of: layout.chunk(name))?.size else {
            throw ContentStoreError(.missing, "chunk \(name) is missing", subject)
        }
        sizes.note(name, size)
        return try checked(size, name, subject)
    }

    private func checked(_ size: Int64, _ name: ObjectName, _ subject: String) throws -> Int {
        guard size >= 0, size <= Int64(StoreRules.largestChunk) else {
            throw ContentStoreError(.damaged, "chunk \(name) is larger than any chunk may be", subject)
        }
        return Int(size)
    }
}
