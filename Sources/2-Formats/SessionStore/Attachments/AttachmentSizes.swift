#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How long attachments become, so that their lengths say less of what they are (fact sheet of Session, §3).
package enum AttachmentSizes {
    /// The most content that the network takes, in bytes.
    package static let largestUpload: Int64 = 10_218_286

    /// What ``AttachmentForm/stream`` makes of so many bytes.
    ///
    /// - Parameter content: in bytes, at most 2⁴⁸.
    /// - Returns: the length of the file, and how many of its bytes are padding: zeros and the byte 1.
    package static func stream(_ content: Int64) -> (file: Int64, padding: Int64) {
        let piece = Int64(StreamAttachment.pieceByteCount)
        let (overhead, message) = (StreamAttachment.overhead, piece + StreamAttachment.overhead)
        let pieces = (content + piece - 1) / piece
        let least = content + StreamAttachment.headByteCount + 1 + overhead * pieces
        let basis = UInt64(max(least, 131_072))
        let factor = Int64((UInt64(1) << UInt64(63 - basis.leadingZeroBitCount)) / 32)
        let file = (least + factor - 1) / factor * factor
        let raw = file - least + 1
        var padding = raw - overhead * (raw / message)
        if raw % message > pieces * piece - content { padding -= overhead }
        return (file, padding)
    }

    /// The content of ``AttachmentForm/legacy`` with its zeros: a power of 1.05, at least 541 bytes and at most 10,000,000.
    ///
    /// By floating-point numbers, as the format has it: no reader may depend on it.
    package static func legacy(_ content: Int64) -> Int64 {
        guard content > 0 else { return 541 }
        let power = pow(1.05, (log(Double(content)) / log(1.05)).rounded(.up)).rounded(.down)
        return max(content, max(541, Int64(min(10_000_000, power))))
    }
}
