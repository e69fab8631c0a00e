package import ValiseXFTPWire

/// A chunk as its sender announced it.
package struct NewStoredChunk: Equatable, Sendable {
    /// As its sender knows it.
    package var id: StoredID
    /// Proves that a request is the sender's.
    package var key: PublicKey
    /// In bytes.
    package var size: UInt32
    /// SHA-256 of the chunk.
    package var digest: [UInt8]
    /// Of its creation, since 1970.
    package var hour: UInt32
    package var status: ChunkStatus

    package init(
        id: StoredID, key: PublicKey, size: UInt32, digest: [UInt8], hour: UInt32,
        status: ChunkStatus = .active
    ) {
        self.id = id
        self.key = key
        self.size = size
        self.digest = digest
        self.hour = hour
        self.status = status
    }
}

/// A recipient of a chunk.
package struct NewStoredRecipient: Hashable, Sendable {
    package var id: StoredID
    /// Proves that a request is the recipient's.
    package var key: PublicKey

    package init(id: StoredID, key: PublicKey) {
        self.id = id
        self.key = key
    }
}

/// Whether a chunk may be used.
package enum ChunkStatus: Hashable, Sendable {
    case active
    /// By the operator: every command gets this answer.
    case blocked(BlockingInfo)
    /// Treated as unknown.
    case off
}

/// What a name stands for: enough to check who asks.
package struct StoredEntity: Hashable, Sendable {
    /// The key to verify with.
    package let key: PublicKey
    /// Nil unless the operator blocked the chunk.
    package let blocked: BlockingInfo?
    /// Of the chunk, in bytes.
    package let size: UInt32
    /// SHA-256 of the chunk, as its sender announced it.
    package let digest: [UInt8]
    package let isUploaded: Bool

    package init(key: PublicKey, blocked: BlockingInfo?, size: UInt32, digest: [UInt8], isUploaded: Bool) {
        self.key = key
        self.blocked = blocked
        self.size = size
        self.digest = digest
        self.isUploaded = isUploaded
    }
}

/// A body that is here, by its records.
package struct StoredBody: Hashable, Sendable {
    package let name: BodyName
    /// In bytes.
    package let size: UInt32

    package init(name: BodyName, size: UInt32) {
        self.name = name
        self.size = size
    }
}

/// Space for one upload, until a deadline.
package struct BodyReservation: Hashable, Sendable {
    package let chunk: StoredID
    /// Which of the chunk's uploads it is for: the number that the caller made.
    package let upload: UInt64
    /// Under which the body is to be kept.
    package let name: BodyName
    /// What the body has to have, in bytes.
    package let size: UInt32
    /// SHA-256 that the body has to have.
    package let digest: [UInt8]
    /// When its space may be given to others, in seconds since 1970.
    package let deadline: Int64

    package init(
        chunk: StoredID, upload: UInt64, name: BodyName, size: UInt32, digest: [UInt8], deadline: Int64
    ) {
        self.chunk = chunk
        self.upload = upload
        self.name = name
        self.size = size
        self.digest = digest
        self.deadline = deadline
    }
}

/// Which chunk is removed, and by whom.
package enum RemovalTarget: Hashable, Sendable {
    /// By its sender, who may not where it is blocked.
    case bySender(StoredID)
    /// By the operator, who knows a recipient of it and always may.
    case byOperator(recipient: StoredID)
}

/// What becomes of a chunk whose body is removed.
package enum ChunkRemoval: Hashable, Sendable {
    /// It is unknown from now on.
    case deleted
    /// Every command gets this answer from now on.
    case blocked(BlockingInfo)
}

/// All that records have of a chunk.
package struct ListedChunk: Equatable, Sendable {
    package var chunk: NewStoredChunk
    /// The first that came first.
    package var recipients: [NewStoredRecipient]
    /// Nil where it is not here.
    package var body: StoredBody?

    package init(chunk: NewStoredChunk, recipients: [NewStoredRecipient], body: StoredBody?) {
        self.chunk = chunk
        self.recipients = recipients
        self.body = body
    }
}

/// What a store keeps.
package struct StoreUsage: Hashable, Sendable, Codable {
    /// Chunks that were announced.
    package let chunks: Int
    /// Those of them whose bodies are here.
    package let uploaded: Int
    package let recipients: Int
    /// Of bodies, in bytes.
    package let usedSpace: Int64
    /// Of bodies that are coming in, in bytes.
    package let reservedSpace: Int64
    /// In bytes; nil for none.
    package let quota: Int64?

    package init(
        chunks: Int, uploaded: Int, recipients: Int, usedSpace: Int64, reservedSpace: Int64, quota: Int64?
    ) {
        self.chunks = chunks
        self.uploaded = uploaded
        self.recipients = recipients
        self.usedSpace = usedSpace
        self.reservedSpace = reservedSpace
        self.quota = quota
    }
}
