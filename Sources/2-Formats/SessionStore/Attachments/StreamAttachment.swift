import ValiseCryptography
import ValiseFiles
import ValiseSecrets

/// `S`, the header of a secretstream, messages of at most 32,768 bytes, the last of them FINAL (fact sheet of Session, §3).
///
/// What they contain is padded at the front: zeros, then one byte 1.
struct StreamAttachment: AttachmentDecryption {
    static let mark = UInt8(ascii: "S")
    /// The mark and the header, in bytes.
    static let headByteCount = Int64(1 + SecretStream.headerByteCount)
    /// Of a message, in bytes.
    static let pieceByteCount = 32_768
    /// What each message adds, in bytes.
    static let overhead = Int64(SecretStream.overhead)
    private static let messageSize = Int64(pieceByteCount + SecretStream.overhead)

    let key: SecretSeed

    func pass(
        _ source: any ByteSource, _ progress: AttachmentReader.Progress, _ take: AttachmentReader.Taking
    ) throws -> Int64 {
        let head = try SourcePieces.bytes(source, at: 0, Int(Self.headByteCount))
        guard head.first == Self.mark else {
            throw AttachmentError.damaged(source, "it does not begin as one")
        }
        var stream = try SecretStream(key: key, header: Array(head.dropFirst()))
        var padding = FrontPadding()
        var sealed = [UInt8](repeating: 0, count: Int(Self.messageSize))
        var content = [UInt8](repeating: 0, count: Self.pieceByteCount)
        var (position, size) = (Self.headByteCount, Int64(0))
        while position < source.size {
            let count = Int(min(Self.messageSize, source.size - position))
            try unsafe sealed.withUnsafeMutableBytes {
                try unsafe source.fill(UnsafeMutableRawBufferPointer(rebasing: $0[..<count]), at: position)
            }
            let isFirst = position == Self.headByteCount
            position += Int64(count)
            try open(
                &stream, sealed[..<count], into: &content, source, isFirst: isFirst,
                isLast: position == source.size)
            let length = count - SecretStream.overhead
            guard let start = padding.skip(in: content[..<length]) else {
                throw AttachmentError.damaged(source, "its padding is wrong")
            }
            size += Int64(length - start)
            if start < length {
                try unsafe content.withUnsafeBytes {
                    try unsafe take(UnsafeRawBufferPointer(rebasing: $0[start..<length]))
                }
            }
            try progress(position)
        }
        guard padding.hasEnded else { throw AttachmentError.damaged(source, "its padding does not end") }
        return size
    }

    /// Opens one message, whose tag has to say whether it is the last.
    private func open(
        _ stream: inout SecretStream, _ sealed: ArraySlice<UInt8>, into content: inout [UInt8],
        _ source: any ByteSource, isFirst: Bool, isLast: Bool
    ) throws {
        guard sealed.count >= SecretStream.overhead else {
            throw AttachmentError.damaged(source, "its last part is too short")
        }
        let tag = unsafe content.withUnsafeMutableBytes { content in
            unsafe sealed.withUnsafeBytes {
                unsafe stream.open(
                    $0,
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: content[..<($0.count - SecretStream.overhead)]))
            }
        }
        guard let tag else {
            // The key opened what came before.
            throw isFirst
                ? AttachmentError.wrongKey(source)
                : AttachmentError.damaged(source, "a part of it is not authentic")
        }
        guard tag == (isLast ? .final : .message) else {
            throw AttachmentError.damaged(
                source, isLast ? "its end is missing" : "it continues behind its end")
        }
    }
}
