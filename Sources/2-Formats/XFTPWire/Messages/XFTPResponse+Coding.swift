import ValiseFailures

extension XFTPResponse {
    private enum Tag: String, CaseIterable {
        case created = "SIDS"
        case recipientsAdded = "RIDS"
        case file = "FILE"
        case done = "OK"
        case pong = "PONG"
        case error = "ERR"
    }

    /// Of `FILE`, in bytes.
    package static let nonceSize = 24

    /// The bytes of the answer (XFTP fact sheet, §5).
    /// - Throws: ``XFTPWireError``: `invalid` for more than 255 names, none, or a nonce of another length.
    package var encoded: [UInt8] {
        get throws(XFTPWireError) {
            switch self {
            case .created(let sender, let recipients):
                var bytes = Self.start(.created)
                try bytes.append(short: sender.bytes)
                try bytes.append(list: recipients.map(\.bytes))
                return bytes
            case .recipientsAdded(let recipients):
                var bytes = Self.start(.recipientsAdded)
                try bytes.append(list: recipients.map(\.bytes))
                return bytes
            case .file(let key, let nonce):
                guard nonce.count == Self.nonceSize else {
                    throw XFTPWireError(.invalid, "wrong nonce length: expected 24 bytes, got \(nonce.count)")
                }
                var bytes = Self.start(.file)
                try bytes.append(short: key.spki)
                return bytes + nonce
            case .done: return Array(Tag.done.rawValue.utf8)
            case .pong: return Array(Tag.pong.rawValue.utf8)
            case .error(let error): return Self.start(.error) + error.text.utf8
            }
        }
    }

    private static func start(_ tag: Tag) -> [UInt8] { Array("\(tag.rawValue) ".utf8) }

    /// Reads an answer of a relay.
    /// - Throws: ``XFTPWireError``: `damaged` for anything but one whole answer that there is.
    package init(decoding bytes: [UInt8]) throws(XFTPWireError) {
        let word = bytes.prefix { $0 != UInt8(ascii: " ") }
        guard let tag = Tag(word: word) else {
            throw XFTPWireError(.damaged, "unknown response")
        }
        guard (tag == .done || tag == .pong) == (word.count == bytes.count) else {
            throw XFTPWireError(.damaged, "response with unexpected parameters")
        }
        var reader = FieldReader(Array(bytes.dropFirst(word.count + 1)))
        self = try Self.response(tag, &reader)
        try reader.end()
    }

    private static func response(_ tag: Tag, _ reader: inout FieldReader) throws(XFTPWireError)
        -> XFTPResponse
    {
        switch tag {
        case .created: return .created(sender: try reader.entity(), recipients: try names(&reader))
        case .recipientsAdded: return .recipientsAdded(try names(&reader))
        case .file:
            let key = try reader.key()
            guard key.algorithm == .x25519 else {
                throw XFTPWireError(.damaged, "wrong kind of ephemeral key")
            }
            return .file(key, nonce: try reader.bytes(nonceSize))
        case .done: return .done
        case .pong: return .pong
        case .error:
            guard let error = XFTPErrorCode(text: try reader.rest()[...]) else {
                throw XFTPWireError(.damaged, "unknown error code")
            }
            return .error(error)
        }
    }

    private static func names(_ reader: inout FieldReader) throws(XFTPWireError) -> [EntityID] {
        try reader.list { (reader) throws(XFTPWireError) in try reader.entity() }
    }
}
