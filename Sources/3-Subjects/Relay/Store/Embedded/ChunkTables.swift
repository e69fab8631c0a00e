import ValiseXFTPWire

/// All that a relay knows of its chunks, without files and without a clock.
struct ChunkTables: Sendable {
    typealias Slot = UInt32

    private(set) var chunks = IDTable<ChunkRecord>()
    private(set) var recipients = IDTable<RecipientRecord>()
    /// Bytes of bodies that are here.
    private(set) var usedSpace: Int64 = 0
    /// Chunks whose bodies are here.
    private(set) var uploadedCount = 0

    // Few have these.
    private var longSenderKeys: [StoredID: [UInt8]] = [:]
    private var longRecipientKeys: [StoredID: [UInt8]] = [:]
    private var otherDigests: [StoredID: [UInt8]] = [:]
    private var blockings: [StoredID: BlockingInfo] = [:]

    /// How many names there are, of senders and of recipients.
    var nameCount: Int { chunks.count + recipients.count }

    /// What they take of memory, in names: long keys and digests lie beside the records.
    var weight: Int {
        nameCount + (longSenderKeys.count + longRecipientKeys.count) * Self.longKeyWeight
            + otherDigests.count * Self.otherDigestWeight
    }

    private static let longKeyWeight = 2
    private static let otherDigestWeight = 4

    /// Of a name with its key, and of a digest where it is a chunk's.
    static func weight(of key: PublicKey, digest: [UInt8]? = nil) -> Int {
        let isUsual = digest.map { $0.count == StoredBytes.byteCount } ?? true
        return 1 + (key.bytes.count == StoredBytes.byteCount ? 0 : longKeyWeight)
            + (isUsual ? 0 : otherDigestWeight)
    }

    // MARK: Looking

    func chunk(_ id: StoredID) -> Slot? { chunks.find(id) }

    /// The chunk of a recipient.
    func chunk(ofRecipient id: StoredID) -> Slot? { recipients.find(id).map { recipients[$0].chunk } }

    func status(_ slot: Slot) -> ChunkStatus {
        let record = chunks[slot]
        if record.flags.contains(.off) { return .off }
        guard record.flags.contains(.blocked) else { return .active }
        return .blocked(blockings[record.id] ?? BlockingInfo(.content))
    }

    func digest(_ slot: Slot) -> [UInt8] {
        let record = chunks[slot]
        return otherDigests[record.id] ?? record.digest.bytes
    }

    func senderKey(_ slot: Slot) -> PublicKey {
        let record = chunks[slot]
        return PublicKey(record.algorithm.algorithm, longSenderKeys[record.id] ?? record.key.bytes)
    }

    func recipientKey(_ slot: Slot) -> PublicKey {
        let record = recipients[slot]
        return PublicKey(record.algorithm.algorithm, longRecipientKeys[record.id] ?? record.key.bytes)
    }

    /// A chunk as it was announced.
    func newChunk(_ slot: Slot) -> NewStoredChunk {
        let record = chunks[slot]
        return NewStoredChunk(
            id: record.id, key: senderKey(slot), size: record.size, digest: digest(slot), hour: record.hour,
            status: status(slot))
    }

    /// The recipients of a chunk, the first that came first.
    func newRecipients(_ chunk: Slot) -> [NewStoredRecipient] {
        recipientSlots(chunk).reversed().map {
            NewStoredRecipient(id: recipients[$0].id, key: recipientKey($0))
        }
    }

    /// The recipients of a chunk, the last that came first.
    func recipientSlots(_ chunk: Slot) -> [Slot] {
        var slots: [Slot] = []
        var slot = chunks[chunk].firstRecipient
        while slot != RecipientRecord.none {
            slots.append(slot)
            slot = recipients[slot].next
        }
        return slots
    }

    // MARK: Changing

    /// - Returns: false when the name is taken.
    mutating func add(_ chunk: NewStoredChunk) -> Bool {
        guard chunks.find(chunk.id) == nil else { return false }
        var record = ChunkRecord(id: chunk.id)
        record.algorithm = StoredAlgorithm(chunk.key.algorithm)
        record.size = chunk.size
        record.hour = chunk.hour
        if let key = StoredBytes(chunk.key.bytes) {
            record.key = key
        } else {
            longSenderKeys[chunk.id] = chunk.key.bytes
        }
        if let digest = StoredBytes(chunk.digest) {
            record.digest = digest
        } else {
            otherDigests[chunk.id] = chunk.digest
        }
        switch chunk.status {
        case .active: break
        case .off: record.flags = .off
        case .blocked(let information):
            record.flags = .blocked
            blockings[chunk.id] = information
        }
        _ = chunks.insert(record)
        return true
    }

    /// - Returns: false when the name is taken.
    mutating func addRecipient(_ recipient: NewStoredRecipient, to chunk: Slot) -> Bool {
        guard recipients.find(recipient.id) == nil else { return false }
        var record = RecipientRecord(id: recipient.id)
        record.algorithm = StoredAlgorithm(recipient.key.algorithm)
        record.chunk = chunk
        record.next = chunks[chunk].firstRecipient
        if let key = StoredBytes(recipient.key.bytes) {
            record.key = key
        } else {
            longRecipientKeys[recipient.id] = recipient.key.bytes
        }
        let slot = recipients.insert(record)
        if record.next != RecipientRecord.none { recipients[record.next].previous = slot }
        chunks[chunk].firstRecipient = slot
        chunks[chunk].recipientCount += 1
        return true
    }

    /// Its body is here, durably.
    /// - Parameter upload: see ``BodyName/upload``.
    mutating func markUploaded(_ slot: Slot, upload: UInt64 = 0) {
        guard !chunks[slot].isHere else { return }
        chunks[slot].upload = upload
        chunks[slot].flags.insert(.uploaded)
        chunks[slot].flags.remove(.missing)
        usedSpace += Int64(chunks[slot].size)
        uploadedCount += 1
    }

    /// Its body is not where it should be. Nothing changes for a chunk that was not uploaded.
    mutating func markMissing(_ slot: Slot) {
        guard chunks[slot].isHere else { return }
        stopCounting(slot)
        chunks[slot].flags.insert(.missing)
    }

    mutating func block(_ slot: Slot, _ information: BlockingInfo) {
        stopCounting(slot)
        chunks[slot].flags = .blocked
        blockings[chunks[slot].id] = information
    }

    mutating func removeRecipient(_ id: StoredID) {
        guard let slot = recipients.find(id) else { return }
        let record = recipients[slot]
        if record.previous == RecipientRecord.none {
            chunks[record.chunk].firstRecipient = record.next
        } else {
            recipients[record.previous].next = record.next
        }
        if record.next != RecipientRecord.none { recipients[record.next].previous = record.previous }
        chunks[record.chunk].recipientCount -= 1
        forgetRecipient(slot)
    }

    /// Removes a chunk with all its recipients.
    mutating func remove(_ slot: Slot) {
        stopCounting(slot)
        for recipient in recipientSlots(slot) { forgetRecipient(recipient) }
        let id = chunks[slot].id
        longSenderKeys[id] = nil
        otherDigests[id] = nil
        blockings[id] = nil
        chunks.remove(slot)
    }

    /// - Returns: the day of the download before this one, since 1970; zero for none.
    mutating func noteDownload(_ slot: Slot, day: UInt16) -> UInt16 {
        defer { chunks[slot].lastDownload = day }
        return chunks[slot].lastDownload
    }

    private mutating func forgetRecipient(_ slot: Slot) {
        longRecipientKeys[recipients[slot].id] = nil
        recipients.remove(slot)
    }

    private mutating func stopCounting(_ slot: Slot) {
        guard chunks[slot].isHere else { return }
        usedSpace -= Int64(chunks[slot].size)
        uploadedCount -= 1
    }
}
