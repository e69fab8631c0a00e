import ValiseCryptography
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

/// The header of a secretstream and all of the file as one FINAL message (fact sheet of Session, §4).
///
/// The official reader returns an empty file where this fails. Here it is an error.
struct LocalAttachment: AttachmentDecryption {
    /// Header, tag and authenticator, in bytes.
    static let overhead = Int64(SecretStream.headerByteCount + SecretStream.overhead)

    let key: SecretSeed

    func pass(
        _ source: any ByteSource, _ progress: AttachmentReader.Progress, _ take: AttachmentReader.Taking
    ) throws -> Int64 {
        let size = source.size - Self.overhead
        guard size <= SecretStreamMessage.largestContent else {
            throw AttachmentError.tooLarge(source, SecretStreamMessage.largestContent)
        }
        let start = Int64(SecretStream.headerByteCount) + 1
        let head = try SourcePieces.bytes(source, at: 0, Int(start))
        let claimed = try SourcePieces.bytes(
            source, at: start + size, SecretStreamMessage.authenticatorByteCount)
        var message = try SecretStreamMessage(key: key, header: Array(head.dropLast()))
        let tag = message.show(head[head.count - 1])
        var position = start
        try unsafe SourcePieces.read(source, start..<(start + size)) { piece in
            unsafe message.decrypt(piece)
            try unsafe take(UnsafeRawBufferPointer(piece))
            position += Int64(piece.count)
            try progress(position)
        }
        guard message.finish(authenticator: claimed) else { throw AttachmentError.wrongKey(source) }
        guard tag == .final else { throw AttachmentError.damaged(source, "its end is missing") }
        try progress(source.size)
        return size
    }
}
