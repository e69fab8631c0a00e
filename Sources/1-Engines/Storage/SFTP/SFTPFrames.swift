import ValiseFailures

/// Cuts what a server sends into packets, wherever the pieces that arrive begin and end.
struct SFTPFrames {
    /// Longer packets are refused: the protocol has 34,000 bytes, OpenSSH sends up to 256 KiB.
    static let longestPacket = 256 << 10 + 1024

    private var bytes: [UInt8] = []
    private var position = 0
    private var hasBegun = false

    /// Whether a packet has begun and not ended.
    var isWithinPacket: Bool { position < bytes.count }

    /// What has arrived.
    mutating func append(_ piece: some Collection<UInt8>) {
        if position > 0 {
            bytes.removeSubrange(..<position)
            position = 0
        }
        bytes += piece
    }

    /// The next packet that is complete, without its length; nil where more has to arrive.
    ///
    /// Nothing is kept ready for what a length announces: memory is that of what arrived.
    ///
    /// - Throws: ``StorageError`` for a length that no packet has.
    mutating func next() throws(StorageError) -> ArraySlice<UInt8>? {
        let left = bytes.count - position
        guard left >= 4 else { return nil }
        let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length > 0, length <= Self.longestPacket else {
            throw hasBegun ? .invalidAnswer("has an invalid length") : .noSFTP
        }
        guard left - 4 >= length else { return nil }
        hasBegun = true
        position += 4 + length
        return bytes[position - length..<position]
    }
}

extension StorageError {
    /// An answer that does not follow the protocol.
    static func invalidAnswer(_ what: String) -> StorageError {
        StorageError(.answer, .failed, "the server's answer \(what)")
    }

    /// The first bytes are no packet.
    static let noSFTP = StorageError(
        .answer, .failed,
        "the server's answer is not SFTP. It may be text that a start-up file of the login shell prints.")
}
