import ValiseEncoding
import ValiseXFTPWire

extension StoreLogLine {
    /// - Parameter text: a line without its break.
    init(_ text: String) throws(StoreLogFault) {
        guard text.utf8.count >= 5, text.utf8.dropFirst(4).first == UInt8(ascii: " ") else {
            throw StoreLogFault("no tag")
        }
        let tag = text.prefix(4)
        let rest = text.dropFirst(5)
        switch tag {
        case "FNEW": self = .created(try Self.chunk(Self.fields(rest, most: 6)))
        case "FADD":
            let fields = try Self.fields(rest, count: 2)
            self = .recipients(try Self.id(fields[0]), try Self.recipients(fields[1]))
        case "FPUT":
            let fields = try Self.fields(rest, count: 2)
            guard let path = Base64URL.decode(fields[1]).flatMap({ String(validating: $0, as: UTF8.self) })
            else { throw StoreLogFault("the path is not base64url-encoded text") }
            self = .uploaded(try Self.id(fields[0]), path: path)
        case "FACK": self = .acknowledged(try Self.id(rest))
        case "FDEL": self = .deleted(try Self.id(rest))
        case "FBLK":
            let fields = Self.fields(rest, most: 2)
            guard fields.count == 2, let information = BlockingInfo(text: fields[1]) else {
                throw StoreLogFault("no valid reason for blocking the chunk")
            }
            self = .blocked(try Self.id(fields[0]), information)
        default: throw StoreLogFault("unknown tag")
        }
    }

    private static func fields(_ text: Substring, most: Int) -> [Substring] {
        text.split(separator: " ", maxSplits: most - 1, omittingEmptySubsequences: false)
    }

    private static func fields(_ text: Substring, count: Int) throws(StoreLogFault) -> [Substring] {
        let fields = text.split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count == count else {
            throw StoreLogFault("\(Count.text(fields.count, "field")) instead of \(count)")
        }
        return fields
    }

    private static func id(_ text: Substring) throws(StoreLogFault) -> StoredID {
        guard let bytes = Base64URL.decode(text), let id = StoredID(bytes) else {
            throw StoreLogFault("an ID is not base64url of \(StoredID.byteCount) bytes")
        }
        return id
    }

    private static func key(_ text: Substring) throws(StoreLogFault) -> PublicKey {
        guard let bytes = Base64URL.decode(text), let key = try? PublicKey(spki: bytes) else {
            throw StoreLogFault("a key is not base64url or of an unknown type")
        }
        return key
    }

    private static func chunk(_ fields: [Substring]) throws(StoreLogFault) -> NewStoredChunk {
        guard fields.count >= 5 else {
            throw StoreLogFault("\(Count.text(fields.count, "field")) instead of 5 or 6")
        }
        guard let size = UInt32(fields[2]), size > 0 else { throw StoreLogFault("invalid size") }
        guard let digest = Base64URL.decode(fields[3]), digest.count <= 255 else {
            throw StoreLogFault("the digest is not base64url of at most 255 bytes")
        }
        guard let created = Int64(fields[4]), created >= 0, let hour = UInt32(exactly: created / 3600) else {
            throw StoreLogFault("invalid time")
        }
        return NewStoredChunk(
            id: try id(fields[0]), key: try key(fields[1]), size: size, digest: digest, hour: hour,
            status: fields.count > 5 ? try status(fields[5]) : .active)
    }

    private static func status(_ text: Substring) throws(StoreLogFault) -> ChunkStatus {
        let blocked = "blocked,"
        switch text {
        case "active": return .active
        case "off": return .off
        default:
            guard text.hasPrefix(blocked), let information = BlockingInfo(text: text.dropFirst(blocked.count))
            else { throw StoreLogFault("unknown status") }
            return .blocked(information)
        }
    }

    private static func recipients(_ text: Substring) throws(StoreLogFault) -> [NewStoredRecipient] {
        var recipients: [NewStoredRecipient] = []
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw StoreLogFault("a recipient is not an ID and a key") }
            recipients.append(NewStoredRecipient(id: try id(parts[0]), key: try key(parts[1])))
        }
        return recipients
    }
}

extension ChunkTables {
    /// Does what a line of the log says.
    /// - Throws: ``StoreLogFault`` when it cannot be; nothing was changed then.
    mutating func apply(_ line: StoreLogLine) throws(StoreLogFault) {
        switch line {
        case .created(let chunk):
            guard add(chunk) else { throw StoreLogFault("the chunk already exists") }
        case .recipients(let sender, let recipients):
            let slot = try known(sender)
            let names = Set(recipients.map(\.id))
            guard names.count == recipients.count, !names.contains(where: { chunk(ofRecipient: $0) != nil })
            else { throw StoreLogFault("a recipient already exists") }
            for recipient in recipients { _ = addRecipient(recipient, to: slot) }
        case .uploaded(let sender, let path):
            let slot = try known(sender)
            // The official relay writes it for blocked chunks too, whose bodies are gone.
            if case .blocked = status(slot) { return }
            markUploaded(slot, upload: Self.upload(of: sender, path))
        case .acknowledged(let recipient):
            guard chunk(ofRecipient: recipient) != nil else {
                throw StoreLogFault("no such recipient")
            }
            removeRecipient(recipient)
        case .deleted(let sender): remove(try known(sender))
        case .blocked(let sender, let information): block(try known(sender), information)
        }
    }

    /// Which upload a path's last name is of; zero for a path of another relay's.
    private static func upload(of sender: StoredID, _ path: String) -> UInt64 {
        // Most have none.
        let name = path.utf8.suffix(BodyName.longTextCount)
        guard name.count == BodyName.longTextCount, !name.contains(UInt8(ascii: "/")),
            let body = BodyName(String(Substring(name))), body.chunk == sender
        else { return 0 }
        return body.upload
    }

    private func known(_ sender: StoredID) throws(StoreLogFault) -> Slot {
        guard let slot = chunk(sender) else { throw StoreLogFault("no such chunk") }
        return slot
    }

    /// The lines that say all of a chunk.
    ///
    /// - Parameter path: of its body, which the last name of it says.
    func lines(of slot: Slot, path: String) -> [StoreLogLine] {
        let record = chunks[slot]
        var lines: [StoreLogLine] = [.created(newChunk(slot))]
        lines += StoreLogLine.naming(newRecipients(slot), of: record.id)
        if record.flags.contains(.uploaded) { lines.append(.uploaded(record.id, path: path)) }
        return lines
    }
}

extension ChunkTables {
    /// How many lines say all of a chunk.
    func lineCount(of slot: Slot) -> Int {
        let recipients = Int(chunks[slot].recipientCount)
        let most = StoreLogLine.mostRecipients
        return 1 + (recipients + most - 1) / most + (chunks[slot].flags.contains(.uploaded) ? 1 : 0)
    }
}
