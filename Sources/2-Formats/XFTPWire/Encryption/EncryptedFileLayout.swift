import ValiseEncoding
import ValiseFailures
package import ValiseMediaRules

/// Where everything is in an encrypted file (fact sheet, §6.2): length, header, content, padding, tag.
package struct EncryptedFileLayout: Equatable, Sendable {
    package let header: FileHeader
    /// Of the content, in bytes.
    package let fileSize: Int64
    /// The chunks that the encrypted file is cut into.
    package let chunks: TransferChunks

    let headerBytes: [UInt8]

    static let lengthByteCount: Int64 = 8
    static let tagByteCount: Int64 = 16

    /// - Parameters:
    ///   - fileSize: of the content, in bytes.
    ///   - name: at most 255 bytes, without a path.
    ///   - extra: JSON, or nil. Spaces are added to it where `paddingFault(payload:)` demands a longer header.
    /// - Throws: ``XFTPWireError``: `invalid` for a longer name or a size that no file has.
    package init(fileSize: Int64, name: String, extra: [UInt8]? = nil) throws(XFTPWireError) {
        var header = try FileHeader(name: name, extra: extra)
        var chunks = try Self.chunks(header, fileSize)
        for length in 0..<16 where Self.paddingFault(Self.payload(header, fileSize), chunks) {
            let spaces = Array(repeating: UInt8(ascii: " "), count: length)
            header = try FileHeader(name: name, extra: (extra ?? []) + spaces)
            chunks = try Self.chunks(header, fileSize)
        }
        self.init(header: header, fileSize: fileSize, chunks: chunks)
    }

    /// The layout of a file that has to be one chunk, as the description behind a redirect.
    /// - Throws: ``XFTPWireError``: `invalid` for what does not fit into the largest chunk.
    package static func oneChunk(fileSize: Int64, name: String) throws(XFTPWireError) -> EncryptedFileLayout {
        let header = try FileHeader(name: name)
        guard let size = ChunkSize.single(holding: Self.payload(header, fileSize)) else {
            throw XFTPWireError(
                .invalid, "\(Count.bytes(fileSize)) do not fit into one chunk", subject: name)
        }
        return EncryptedFileLayout(header: header, fileSize: fileSize, chunks: TransferChunks(single: size))
    }

    /// A layout with this header as it is, whatever the official receiver makes of it.
    static func unpadded(_ header: FileHeader, fileSize: Int64) throws(XFTPWireError) -> EncryptedFileLayout {
        EncryptedFileLayout(header: header, fileSize: fileSize, chunks: try chunks(header, fileSize))
    }

    private init(header: FileHeader, fileSize: Int64, chunks: TransferChunks) {
        self.header = header
        self.fileSize = fileSize
        self.chunks = chunks
        headerBytes = header.encoded
    }

    private static func chunks(_ header: FileHeader, _ fileSize: Int64) throws(XFTPWireError)
        -> TransferChunks
    {
        guard (0...TransferChunks.largestPayload - 1024).contains(fileSize) else {
            throw XFTPWireError(
                .invalid, "invalid file size: \(Count.text(fileSize, "byte"))", subject: header.name)
        }
        do throws(MediaRulesError) {
            return try TransferChunks(payload: payload(header, fileSize))
        } catch {
            throw XFTPWireError(error.code, error.message, subject: header.name)
        }
    }

    /// What the chunks have to hold: length, header, content, tag.
    private static func payload(_ header: FileHeader, _ fileSize: Int64) -> Int64 {
        Int64(header.encoded.count) + fileSize + TransferChunks.overhead
    }

    /// Whether the official receiver would leave padding behind the content: from three chunks on, where the last has
    /// 1 to 15 bytes that are not padding (fact sheet, §12a).
    static func paddingFault(_ payload: Int64, _ chunks: TransferChunks) -> Bool {
        guard chunks.count >= 3, let last = chunks.last else { return false }
        return (1...15).contains(payload - last.offset)
    }

    // MARK: Places

    /// Header and content, as the length at the beginning says.
    package var innerSize: Int64 { Int64(headerBytes.count) + fileSize }

    /// Of the encrypted file: the sum of its chunks, in bytes.
    package var encryptedSize: Int64 { chunks.encryptedSize }

    /// All before the content.
    var head: [UInt8] {
        var head: [UInt8] = []
        head.append(bigEndian: UInt64(innerSize))
        return head + headerBytes
    }

    var contentStart: Int64 { Self.lengthByteCount + Int64(headerBytes.count) }
    var paddingStart: Int64 { contentStart + fileSize }
    var tagStart: Int64 { encryptedSize - Self.tagByteCount }
}
