import SystemPackage
import ValiseFailures
import ValiseFiles

/// Reads the data of one entry and says what its unpacked bytes are.
struct ZipProof {
    let bytes: ZipBytes
    /// How many times larger than packed the bytes of a large entry may be.
    let ratio: Int64
    /// Gets the place in the file that was reached; throws to stop.
    var progress: (Int64) throws -> Void = { _ in }

    /// What lies at a place.
    struct Content {
        let checksum: Checksum
        /// Where the packed bytes end.
        let end: Int64
    }

    private static let step = 512 << 10
    private static let freeSize: Int64 = 16 << 20

    /// Whether the data in a range are those that were packed.
    /// - Throws: an error of the source.
    func loss(
        of data: Range<Int64>, method: ZipMethod, size: Int64, checksum: UInt32
    ) throws -> ZipScannedEntry.Loss? {
        let content: Content
        switch method {
        case .stored:
            guard let found = try unsafe stored(data) else { return .notTried }
            content = found
        case .deflated:
            switch try unsafe inflated(from: data.lowerBound, limit: data.upperBound) {
            case .success(let found): content = found
            case .failure(let failure): return failure.loss
            }
        }
        guard content.end == data.upperBound, content.checksum.count == size else { return .data }
        return content.checksum.value == checksum ? nil : .checksum
    }

    /// - Returns: nil when enough was read.
    func stored(
        _ data: Range<Int64>, consume: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) throws -> Content? {
        guard bytes.allows(Int64(data.count)) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.step, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        var checksum = Checksum()
        var offset = data.lowerBound
        while offset < data.upperBound {
            let available = Int(min(Int64(buffer.count), data.upperBound - offset))
            let chunk = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<available])
            try unsafe bytes.source.fill(chunk, at: offset)
            unsafe checksum.update(UnsafeRawBufferPointer(chunk))
            try unsafe consume(UnsafeRawBufferPointer(chunk))
            offset += Int64(available)
            try progress(offset)
        }
        return Content(checksum: checksum, end: offset)
    }

    /// The data that a descriptor behind them describes, and that have its checksum.
    ///
    /// - Parameter space: from their first byte to where they end at the latest.
    func described(
        _ space: Range<Int64>, method: ZipMethod
    ) throws -> (data: Range<Int64>, descriptor: ZipDescriptor)? {
        let start = space.lowerBound
        guard method == .stored else {
            guard case .success(let content) = try unsafe inflated(from: start, limit: space.upperBound),
                let found = try ZipDescriptor.find(
                    at: content.end, compressedSize: content.end - start, size: content.checksum.count, bytes),
                found.checksum == content.checksum.value
            else { return nil }
            return (start..<content.end, found)
        }
        var position = start
        while let next = try bytes.nextSignature(from: position, limit: space.upperBound, counted: true) {
            position = next + 1
            guard
                let found = try ZipDescriptor.find(
                    at: next, compressedSize: next - start, size: next - start, bytes)
            else { continue }
            if try unsafe stored(start..<next)?.checksum.value == found.checksum {
                return (start..<next, found)
            }
        }
        // It may have no signature.
        guard let found = try ZipDescriptor.ending(at: space.upperBound, dataStart: start, bytes) else {
            return nil
        }
        let data = start..<space.upperBound - found.length
        guard found.size == Int64(data.count) else { return nil }
        return try unsafe stored(data)?.checksum.value == found.checksum ? (data, found) : nil
    }

    struct Refusal: Error {
        let loss: ZipScannedEntry.Loss
    }

    /// Unpacks up to the end that the packed data themselves have, which lies before `limit`.
    ///
    /// - Parameter consume: gets the bytes in order, also those before damage.
    func inflated(
        from start: Int64, limit: Int64, consume: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) throws -> Result<Content, Refusal> {
        // A header may reach into what follows.
        guard start <= limit else { return .failure(Refusal(loss: .cutOff)) }
        let packed = GrowingReads(PartialSource(start..<limit, of: bytes.source, path: bytes.source.path))
        guard let inflater = Inflater() else { throw ZipError(.failed, .output, "zlib is out of memory") }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.step, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        var checksum = Checksum()
        while !inflater.isAtEnd {
            guard !bytes.isExhausted else { return .failure(Refusal(loss: .notTried)) }
            let before = inflater.position
            let count: Int
            do {
                count = try unsafe inflater.read(into: buffer, from: packed, entry: "")
            } catch is ZipError {
                _ = bytes.allows(max(inflater.position - before, GrowingReads.least))
                return .failure(Refusal(loss: .data))
            }
            let output = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            unsafe checksum.update(output)
            try unsafe consume(output)
            try progress(start + inflater.position)
            guard bytes.allows(max(inflater.position - before, GrowingReads.least)) else {
                return .failure(Refusal(loss: .notTried))
            }
            guard checksum.count <= Self.freeSize || checksum.count / ratio <= inflater.position else {
                return .failure(Refusal(loss: .ratio))
            }
        }
        return .success(Content(checksum: checksum, end: start + inflater.position))
    }

    /// Whether an entry claims to grow more than is believed.
    func isBomb(size: Int64, compressedSize: Int64) -> Bool {
        size > Self.freeSize && size / ratio > compressedSize
    }
}

/// Reads little at first: what does not unpack shows that within some bytes, and a file may have many such places.
private final class GrowingReads: ByteSource {
    private let source: any ByteSource
    var size: Int64 { source.size }
    var path: FilePath { source.path }

    /// In bytes.
    static let least: Int64 = 256

    init(_ source: any ByteSource) { self.source = source }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = min(buffer.count, Int(clamping: max(Self.least, offset)))
        return try unsafe source.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
    }
}
