import ValiseEncoding
import ValiseFailures

/// The chunks that a file becomes on XFTP relays: sizes with counts, so that a huge file takes no more memory
/// than a small one.
///
/// As a collection it gives each chunk with its place in the encrypted file.
package struct TransferChunks: Sendable, Equatable {
    /// Chunks of one size that follow each other.
    package struct Run: Sendable, Equatable, Encodable {
        package let size: ChunkSize
        package let count: Int64
    }

    /// The large chunks, then the small ones; either may be missing.
    package let runs: [Run]

    /// What the encrypted file holds besides header and content: the length before them and the tag behind.
    package static let overhead: Int64 = 8 + 16

    /// The largest payload that is divided; far above what the service takes, so that no sum overflows.
    package static let largestPayload = Int64.max / 2

    /// - Parameter payload: the bytes that the chunks have to hold, at least.
    /// - Throws: ``MediaRulesError``: `invalid` for a negative or absurd number.
    package init(payload: Int64) throws(MediaRulesError) {
        guard (0...Self.largestPayload).contains(payload) else {
            throw MediaRulesError(
                .invalid,
                "invalid size to split into chunks: \(Count.text(payload, "byte"))")
        }
        let (small, big) = Self.sizes(for: payload)
        var (bigCount, rest) = payload.quotientAndRemainder(dividingBy: big.bytes)
        var smallCount: Int64 = 0
        if rest > big.threeQuarters {
            bigCount += 1
            rest = 0
        } else {
            smallCount = (rest + small.bytes - 1) / small.bytes
        }
        runs = [Run(size: big, count: bigCount), Run(size: small, count: smallCount)].filter { $0.count > 0 }
    }

    /// The chunks of a file.
    ///
    /// - Parameters:
    ///   - fileSize: the bytes of its content.
    ///   - fileName: the name that travels with it.
    /// - Throws: ``MediaRulesError``: `invalid` for a name of more than 255 bytes, or a size that no file has.
    package init(fileSize: Int64, fileName: String) throws(MediaRulesError) {
        guard (0...Self.largestPayload - 1024).contains(fileSize) else {
            throw MediaRulesError(
                .invalid, "invalid file size: \(Count.text(fileSize, "byte"))", subject: fileName)
        }
        try self.init(payload: try Self.headerSize(fileName: fileName) + fileSize + Self.overhead)
    }

    /// The bytes before the content: the name with its length, and a byte that says that nothing else follows.
    /// - Throws: ``MediaRulesError``: `invalid` for a name of more than 255 bytes.
    package static func headerSize(fileName: String) throws(MediaRulesError) -> Int64 {
        if let excess = excess(ofName: fileName) {
            throw MediaRulesError(.invalid, excess, subject: fileName, remedy: .renameFile)
        }
        return Int64(1 + fileName.utf8.count + 1)
    }

    /// In bytes of UTF-8: its length has one byte.
    private static let longestName = 255

    /// Why a name cannot be sent with a file, in a sentence; nil for one that can.
    package static func excess(ofName name: String) -> String? {
        let length = name.utf8.count
        guard length > longestName else { return nil }
        return "the file name has \(Count.text(length, "byte")), but at most \(longestName) can be sent"
    }

    /// One chunk of a size that was chosen, for a file that must not be divided.
    package init(single size: ChunkSize) {
        runs = [Run(size: size, count: 1)]
    }

    private static func sizes(for payload: Int64) -> (small: ChunkSize, big: ChunkSize) {
        if payload > ChunkSize.mib4.threeQuarters { return (.mib1, .mib4) }
        if payload > ChunkSize.mib1.threeQuarters { return (.kib256, .mib1) }
        return (.kib64, .kib256)
    }

    /// The size of the encrypted file: the sum of all chunks.
    package var encryptedSize: Int64 { runs.reduce(0) { $0 + $1.count * $1.size.bytes } }
}

extension TransferChunks: RandomAccessCollection {
    /// One chunk: a range of the encrypted file.
    package struct Chunk: Sendable, Equatable {
        /// Where it begins, in bytes.
        package let offset: Int64
        package let size: ChunkSize
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { Int(runs.reduce(0) { $0 + $1.count }) }

    package subscript(position: Int) -> Chunk {
        precondition(position >= 0, "negative chunk index")
        var (index, offset) = (Int64(position), Int64(0))
        for run in runs {
            if index < run.count { return Chunk(offset: offset + index * run.size.bytes, size: run.size) }
            index -= run.count
            offset += run.count * run.size.bytes
        }
        preconditionFailure("chunk index out of range")
    }
}

extension TransferChunks: CustomStringConvertible {
    /// Such as `4 x 4.2 MB + 1 x 1.0 MB`.
    package var description: String { runs.map { "\($0.count) x \($0.size)" }.joined(separator: " + ") }
}
