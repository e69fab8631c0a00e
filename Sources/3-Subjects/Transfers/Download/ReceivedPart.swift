import ValiseCryptoFiles
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseXFTPWire

/// One encrypted file while it is received. Each chunk is decrypted when it arrives and goes to its place in the
/// received file, so that there is one copy on disk; to prove the whole, it is encrypted once more in memory.
final class ReceivedPart: Sendable {
    let layout: PartLayout
    private let head: [UInt8]
    private let content: WorkFile
    private let tail: WorkFile
    private let cipher: SecretBoxStream
    /// Encrypts the file where it lies.
    private let outer: SecretBoxStream?

    /// - Parameters:
    ///   - head: the first bytes of the encrypted file, as they traveled.
    ///   - outer: nil for an unencrypted file.
    init(
        _ description: FileDescription, _ layout: PartLayout, head: [UInt8], content: WorkFile,
        tail: WorkFile,
        outer: SecretBoxStream?
    ) throws {
        self.layout = layout
        self.head = head
        self.content = content
        self.tail = tail
        self.outer = outer
        cipher = try SecretBoxStream()
        cipher.start(key: description.key, nonce: description.nonce)
    }

    /// Puts encrypted bytes where they belong. Afterwards the buffer holds what was written.
    func store(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        for (region, range, place) in layout.stretches(of: offset..<offset + Int64(bytes.count)) {
            let piece = unsafe Self.piece(bytes, range, offset)
            switch region {
            case .head: break
            case .content:
                unsafe cipher.exclusiveOr(piece, at: range.lowerBound)
                unsafe outer?.exclusiveOr(piece, at: place)
                try unsafe content.write(UnsafeRawBufferPointer(piece), at: place)
            case .tail: try unsafe tail.write(UnsafeRawBufferPointer(piece), at: place)
            }
        }
    }

    /// Makes the content durable.
    func synchronize() throws { try content.synchronize() }

    /// The same bytes as they traveled.
    /// - Returns: whether all of them are there.
    func load(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Bool {
        for (region, range, place) in layout.stretches(of: offset..<offset + Int64(bytes.count)) {
            let piece = unsafe Self.piece(bytes, range, offset)
            switch region {
            case .head: unsafe piece.copyBytes(from: head[Int(range.lowerBound)..<Int(range.upperBound)])
            case .content:
                guard try unsafe content.fill(piece, at: place) else { return false }
                unsafe outer?.exclusiveOr(piece, at: place)
                unsafe cipher.exclusiveOr(piece, at: range.lowerBound)
            case .tail: guard try unsafe tail.fill(piece, at: place) else { return false }
            }
        }
        return true
    }

    private static func piece(
        _ bytes: UnsafeMutableRawBufferPointer, _ range: Range<Int64>, _ offset: Int64
    ) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(
            rebasing: bytes[Int(range.lowerBound - offset)..<Int(range.upperBound - offset)])
    }

    /// Adds to what the tag at the end is compared with: all bytes before it in their order.
    func authenticate(_ encrypted: UnsafeRawBufferPointer) { unsafe cipher.authenticate(encrypted) }

    func isTag(_ tag: [UInt8]) -> Bool { cipher.isTag(tag) }
}
