import ValiseXFTPWire

/// What is kept in memory of a chunk: 112 bytes.
struct ChunkRecord: StoredRecord {
    struct Flags: OptionSet {
        let rawValue: UInt8

        /// The log says that its body is here.
        static let uploaded = Flags(rawValue: 1)
        /// The body was not found when the relay started, or has another size. It can be uploaded again.
        static let missing = Flags(rawValue: 2)
        static let blocked = Flags(rawValue: 4)
        /// Out of an official log: the chunk is treated as unknown.
        static let off = Flags(rawValue: 8)
        static let vacant = Flags(rawValue: 16)
    }

    let id: StoredID
    var key = StoredBytes.zero
    var digest = StoredBytes.zero
    var size: UInt32 = 0
    /// Since 1970.
    var hour: UInt32 = 0
    /// The one that came last.
    var firstRecipient = RecipientRecord.none
    var recipientCount: UInt32 = 0
    /// Which upload brought its body, see ``BodyName/upload``.
    var upload: UInt64 = 0
    /// Since 1970; zero for never.
    var lastDownload: UInt16 = 0
    var flags: Flags = []
    var algorithm = StoredAlgorithm.ed25519

    static let vacant: ChunkRecord = {
        var record = ChunkRecord(id: StoredID(repeatElement(0, count: StoredID.byteCount))!)
        record.flags = .vacant
        return record
    }()

    var isVacant: Bool { flags.contains(.vacant) }
    /// Of its body, wherever that is.
    var body: BodyName { BodyName(chunk: id, upload: upload) }
    /// Whether its body counts.
    var isHere: Bool { flags.contains(.uploaded) && !flags.contains(.missing) }
}

/// What is kept in memory of a recipient: 64 bytes.
struct RecipientRecord: StoredRecord {
    static let none = UInt32.max

    let id: StoredID
    var key = StoredBytes.zero
    var chunk: UInt32 = none
    /// The recipient of the same chunk that came before this one.
    var next = none
    /// The one that came after it: whoever goes is taken out without a look at the others.
    var previous = none
    var algorithm = StoredAlgorithm.ed25519
    var isVacant = false

    static let vacant: RecipientRecord = {
        var record = RecipientRecord(id: StoredID(repeatElement(0, count: StoredID.byteCount))!)
        record.isVacant = true
        return record
    }()
}

/// One byte for the kind of a key.
enum StoredAlgorithm: UInt8 {
    case ed25519
    case ed448
    case x25519

    init(_ algorithm: PublicKey.Algorithm) {
        switch algorithm {
        case .ed25519: self = .ed25519
        case .ed448: self = .ed448
        case .x25519: self = .x25519
        }
    }

    var algorithm: PublicKey.Algorithm {
        switch self {
        case .ed25519: .ed25519
        case .ed448: .ed448
        case .x25519: .x25519
        }
    }
}
