import ValiseEncoding
import ValiseXFTPWire

/// One record of the store log (XFTP fact sheet, §9.5).
enum StoreLogLine: Equatable, Sendable {
    case created(NewStoredChunk)
    case recipients(StoredID, [NewStoredRecipient])
    /// The path is where the writer had the body; we know where ours are.
    case uploaded(StoredID, path: String)
    case acknowledged(StoredID)
    case deleted(StoredID)
    case blocked(StoredID, BlockingInfo)

    /// The most recipients that a line of ours names: as many as a request can.
    static let mostRecipients = 255

    /// Without the line break.
    var text: String {
        switch self {
        case .created(let chunk):
            "FNEW \(Self.text(chunk.id)) \(Base64URL.encode(chunk.key.spki)) \(chunk.size) "
                + "\(Base64URL.encode(chunk.digest)) \(Int64(chunk.hour) * 3600) \(Self.text(chunk.status))"
        case .recipients(let sender, let recipients):
            "FADD \(Self.text(sender)) "
                + recipients.map { "\(Self.text($0.id)):\(Base64URL.encode($0.key.spki))" }
                .joined(separator: ",")
        case .uploaded(let sender, let path):
            "FPUT \(Self.text(sender)) \(Base64URL.encode(Array(path.utf8)))"
        case .acknowledged(let recipient): "FACK \(Self.text(recipient))"
        case .deleted(let sender): "FDEL \(Self.text(sender))"
        case .blocked(let sender, let information):
            "FBLK \(Self.text(sender)) \(information.text)"
        }
    }

    /// The lines that name recipients of a chunk: none where there are none, as a line without a name cannot be read.
    static func naming(_ recipients: [NewStoredRecipient], of chunk: StoredID) -> [StoreLogLine] {
        stride(from: 0, to: recipients.count, by: mostRecipients).map { start in
            .recipients(chunk, Array(recipients[start..<min(start + mostRecipients, recipients.count)]))
        }
    }

    private static func text(_ id: StoredID) -> String { Base64URL.encode(id.bytes) }

    private static func text(_ status: ChunkStatus) -> String {
        switch status {
        case .active: "active"
        case .off: "off"
        case .blocked(let information): "blocked,\(information.text)"
        }
    }

    /// The chunk that the line names as its sender does; nil where it names a recipient.
    var sender: StoredID? {
        switch self {
        case .created(let chunk): chunk.id
        case .recipients(let id, _), .uploaded(let id, _), .deleted(let id), .blocked(let id, _): id
        case .acknowledged: nil
        }
    }
}

/// Why a line of the log is passed over.
struct StoreLogFault: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
