import ValiseSecrets
import ValiseXFTPWire

/// One encrypted file of an upload: the source, a part of it, or the description behind a redirect.
struct UploadFile: Sendable {
    enum Content: Sendable, Equatable {
        /// A stretch of the source, in bytes.
        case part(offset: Int64, size: Int64)
        /// The description of one recipient, counted from 0.
        case redirect(part: Int, recipient: Int)
    }

    let content: Content
    let name: String
    /// What the header holds beside the name.
    let extra: String?
    let key: SecretSeed
    /// 24 bytes.
    let nonce: [UInt8]
}

/// A chunk that a relay knows.
struct SentChunk: Sendable {
    struct Recipient: Sendable {
        let id: EntityID
        let key: SecretSeed
    }

    let relay: XFTPAddress
    /// In bytes.
    let size: Int64
    /// SHA-256.
    let digest: [UInt8]
    let sender: EntityID
    let key: SecretSeed
    var recipients: [Recipient]
    /// Whether the relay acknowledged its content.
    var isStored = false
}

/// Where a chunk belongs.
struct ChunkPlace: Hashable, Sendable {
    /// Which file of the upload, counted from 0.
    let file: Int
    /// Which chunk of it, counted from 0.
    let chunk: Int
}

/// All that is known of an upload: what its journal says.
struct UploadState: Sendable {
    /// Nil where the journal was not finished when a run was killed; nothing was sent then.
    private(set) var request: UploadRequest?
    private(set) var files: [UploadFile] = []
    private(set) var chunks: [ChunkPlace: SentChunk] = [:]
    /// What was ever told to a relay of a chunk: under one key, no other content may follow.
    private(set) var toldDigests: [ChunkPlace: [UInt8]] = [:]
    /// SHA-512 of the files that are complete.
    private(set) var digests: [Int: [UInt8]] = [:]
    /// Chunks that were abandoned for others; to be removed from their relays.
    private(set) var abandoned: [SentChunk] = []
    /// Whether everything is on the relays.
    private(set) var isComplete = false

    mutating func apply(_ record: UploadRecord) {
        switch record {
        case .request(let request): self.request = request
        case .file(let file): files.append(file)
        case .created(let place, let chunk):
            abandon(place)
            chunks[place] = chunk
            toldDigests[place] = chunk.digest
        case .recipients(let place, let recipients): chunks[place]?.recipients += recipients
        case .stored(let place): chunks[place]?.isStored = true
        case .abandoned(let place): abandon(place)
        case .finished(let file, let digest): digests[file] = digest
        case .complete: isComplete = true
        }
    }

    private mutating func abandon(_ place: ChunkPlace) {
        if let previous = chunks.removeValue(forKey: place) { abandoned.append(previous) }
    }

    /// All chunks that relays may know.
    var known: [SentChunk] { abandoned + chunks.values }

    /// How many chunks relays have acknowledged.
    var storedCount: Int { chunks.values.count { $0.isStored } }

    /// The same without those of descriptions behind short links.
    var storedPartChunkCount: Int {
        let parts = Set(partFiles)
        return chunks.count { parts.contains($0.key.file) && $0.value.isStored }
    }
}
