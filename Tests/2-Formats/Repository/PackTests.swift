import FaultInjection
import Foundation
import Testing
import ValiseEncoding
import ValiseRepository
import ValiseStorage

/// Packs as they are built and read.
struct PackTests {
    /// Reads a pack as a store gives it: a name, a size, ranges.
    private static func read(
        _ bytes: [UInt8], _ codec: inout RepositoryCodec, reads: ((Range<Int64>) -> Void)? = nil
    ) throws -> [PackedBlob] {
        let id = try ContentID(hashing: bytes)
        return try PackHeader.read(id, size: Int64(bytes.count), &codec) { range in
            reads?(range)
            return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
    }

    private static func content(
        _ blob: PackedBlob, of bytes: [UInt8], _ codec: inout RepositoryCodec
    ) throws -> [UInt8] {
        let sealed = Array(bytes[Int(blob.offset)..<Int(blob.offset) + blob.sealedLength])
        return try blob.decode(sealed, in: ContentID(hashing: bytes), &codec)
    }

    /// Text, noise, or zeros.
    private static func plain(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 13) }
        case 1: CryptoFixture.bytes(count, &random)
        default: [UInt8](repeating: 0, count: count)
        }
    }

    @Test(arguments: [1, 2], BlobKind.allCases)
    func `what is packed is read again`(version: Int, kind: BlobKind) throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("packs"))
        var codec = try RepositoryCodec(.random(), version: version)
        var builder = PackBuilder(kind)
        for round in 0..<12 {
            var contents: [[UInt8]] = []
            for _ in 0..<Int.random(in: 1...40, using: &random) where !builder.isFull {
                let count = Int.random(in: 1...(round == 0 ? 300_000 : 5000), using: &random)
                contents.append(Self.plain(count, &random))
                let blob = try builder.add(
                    contents[contents.count - 1], compresses: Bool.random(using: &random), &codec)
                #expect(blob.kind == kind && blob.contentLength == count)
            }
            let pack = try builder.finish(&codec)
            let (isEmpty, size) = (builder.isEmpty, builder.size)
            #expect(isEmpty && size == 0)
            #expect(pack.id == (try ContentID(hashing: pack.bytes)) && pack.kind == kind)
            try pack.verify(&codec)
            let blobs = try Self.read(pack.bytes, &codec)
            #expect(blobs == pack.blobs && blobs.count == contents.count)
            for (blob, content) in zip(blobs, contents) {
                let read = try Self.content(blob, of: pack.bytes, &codec)
                #expect(read == content)
                if version == 1 { #expect(!blob.isCompressed) }
            }
        }
    }

    @Test func `data is compressed where that saves a byte in a hundred, trees always`() throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("compression"))
        let text = (0..<4096).map { UInt8(ascii: "a") + UInt8($0 % 13) }
        let noise = CryptoFixture.bytes(4096, &random)
        // A frame has some ten bytes of its own: 20 bytes saved are less than one in a hundred, 120 are more.
        let (little, enough) = (
            noise.dropLast(30) + [UInt8](repeating: 0, count: 30),
            noise.dropLast(120) + [UInt8](repeating: 0, count: 120)
        )
        func compresses(
            _ plain: [UInt8], _ kind: BlobKind = .data, version: Int = 2, asked: Bool = true
        ) throws -> Bool {
            var codec = try RepositoryCodec(.random(), version: version)
            var builder = PackBuilder(kind)
            let blob = try builder.add(plain, compresses: asked, &codec)
            try builder.finish(&codec).verify(&codec)
            if !blob.isCompressed { #expect(blob.sealedLength == plain.count + 32) }
            return blob.isCompressed
        }
        #expect(try compresses(text) && compresses(Array(enough)))
        #expect(try !compresses(noise) && !compresses(Array(little)) && !compresses([1]))
        #expect(
            try compresses(noise, .tree) && compresses([1], .tree) && compresses(text, .tree, asked: false))
        #expect(try !compresses(text, asked: false))
        #expect(try !compresses(text, version: 1) && !compresses(text, .tree, version: 1))
    }

    @Test func `a pack is full at 10,000 blobs or 5 MiB, and takes no more`() throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        var builder = PackBuilder(.data)
        for number in 0..<PackBuilder.mostBlobs {
            #expect(builder.isFull == false)
            try builder.add((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }, &codec)
        }
        #expect(builder.isFull == true)
        var found = try repositoryFailure { try builder.add([1], &codec) }
        #expect(found == .invalid)
        let many = try builder.finish(&codec)
        #expect(many.blobs.count == PackBuilder.mostBlobs)
        try many.verify(&codec)

        var random = SeededGenerator(seed: 1)
        let first = CryptoFixture.bytes(PackBuilder.targetSize - 33, &random)
        let large = CryptoFixture.bytes(PackBuilder.largestBlob, &random)
        try builder.add(first, &codec)
        #expect(builder.isFull == false)
        try builder.add(large, &codec)
        #expect(builder.isFull == true)
        let two = try builder.finish(&codec)
        #expect(two.bytes.count == first.count + large.count + 2 * 32 + 2 * 37 + 36)
        try two.verify(&codec)

        for size in [0, PackBuilder.largestBlob + 1] {
            found = try repositoryFailure { try builder.add([UInt8](repeating: 1, count: size), &codec) }
            #expect(found == .invalid)
        }
        found = try repositoryFailure { try builder.finish(&codec) }
        #expect(found == .invalid)
    }

    @Test func `a short header is read with its length, a long one by a second read`() throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        for (count, reads) in [(1, 1), (15, 1), (16, 2), (17, 2), (2000, 2)] {
            var builder = PackBuilder(.tree)
            for number in 0..<count { try builder.add(Array("\(number) \(number)".utf8), &codec) }
            let pack = try builder.finish(&codec)
            var ranges: [Range<Int64>] = []
            let blobs = try Self.read(pack.bytes, &codec) { ranges.append($0) }
            #expect(blobs == pack.blobs)
            #expect(ranges.count == reads, "\(count)")
            let headerSize = pack.bytes.count - Int(blobs[count - 1].range.upperBound)
            #expect(ranges.reduce(0) { $0 + $1.count } <= max(headerSize, 15 * 41 + 36))
        }
    }

    @Test func `the same blob twice in a pack is no defect`() throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        var builder = PackBuilder(.data)
        for _ in 0..<3 { try builder.add(Array("twice".utf8), &codec) }
        let pack = try builder.finish(&codec)
        let blobs = try Self.read(pack.bytes, &codec)
        #expect(blobs.count == 3 && Set(blobs.map(\.id)).count == 1)
    }

    // MARK: Damage

    @Test func `each changed byte of a pack is found`() throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("flips"))
        var codec = try RepositoryCodec(.random(), version: 2)
        var builder = PackBuilder(.data)
        try builder.add(CryptoFixture.bytes(40, &random), &codec)
        try builder.add([UInt8](repeating: 3, count: 900), &codec)
        try builder.add(CryptoFixture.bytes(1, &random), &codec)
        let pack = try builder.finish(&codec)
        for place in pack.bytes.indices {
            var changed = pack.bytes
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
            let found = try repositoryFailure {
                for blob in try Self.read(changed, &codec) { _ = try Self.content(blob, of: changed, &codec) }
            }
            #expect(found == .damaged, "byte \(place)")
            let copy = FinishedPack(kind: .data, id: pack.id, bytes: changed, blobs: pack.blobs)
            let verified = try repositoryFailure { try copy.verify(&codec) }
            #expect(verified == .damaged, "byte \(place)")
        }
        for count in pack.bytes.indices {
            let found = try repositoryFailure { try Self.read(Array(pack.bytes[..<count]), &codec) }
            #expect(found == .damaged, "cut to \(count)")
        }
        let found = try repositoryFailure { try Self.read([0] + pack.bytes, &codec) }
        #expect(found == .damaged)
    }

    @Test func `a failure names the pack and the blob`() throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        var builder = PackBuilder(.data)
        try builder.add(Array("text".utf8), &codec)
        let pack = try builder.finish(&codec)
        var sealed = Array(pack.bytes.prefix(pack.blobs[0].sealedLength))
        sealed[20] ^= 1
        do {
            _ = try pack.blobs[0].decode(sealed, in: pack.id, &codec)
            Issue.record("no error")
        } catch let error as RepositoryError {
            #expect(error.subject == pack.name.description)
            #expect(error.message.contains("blob \(pack.blobs[0].id)"))
        }
    }

    @Test func `a blob under another digest, length or form is damaged`() throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        var builder = PackBuilder(.data)
        let text = [UInt8](repeating: 5, count: 500)
        let (right, other) = (try builder.add(text, &codec), try builder.add([1, 2, 3], &codec))
        let pack = try builder.finish(&codec)
        #expect(right.isCompressed && !other.isCompressed)
        let sealed = Array(pack.bytes[..<right.sealedLength])
        func blob(_ id: ContentID, _ length: Int, _ plain: Int?) -> PackedBlob {
            PackedBlob(.data, id, offset: 0, sealedLength: length, contentLength: plain)
        }
        for wrong in [
            blob(other.id, right.sealedLength, 500), blob(right.id, right.sealedLength, 499),
            blob(right.id, right.sealedLength, 501), blob(right.id, right.sealedLength, 0),
            blob(right.id, right.sealedLength, nil), blob(right.id, right.sealedLength + 1, 500),
            blob(right.id, 0, 500), blob(right.id, right.sealedLength, PackedBlob.largest),
        ] {
            let found = try repositoryFailure { try wrong.decode(sealed, in: pack.id, &codec) }
            #expect(found == .damaged)
        }
        let small = Array(pack.bytes[right.sealedLength..<right.sealedLength + other.sealedLength])
        let found = try repositoryFailure {
            try blob(other.id, other.sealedLength, 3).decode(small, in: pack.id, &codec)
        }
        #expect(found == .damaged)
    }

    @Test func `a blob that claims or becomes more than memory is refused`() throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        let id = try ContentID(hashing: [])
        let bomb = try codec.sealing.seal(ZstdFrames.zeros(1 << 30, claiming: nil))
        for (plain, kind) in [(Int(UInt32.max), RepositoryError.Kind.unsupported), (100_000, .damaged)] {
            let blob = PackedBlob(.data, id, offset: 0, sealedLength: bomb.count, contentLength: plain)
            let found = try repositoryFailure { try blob.decode(bomb, in: id, &codec) }
            #expect(found == kind)
        }
    }

    // MARK: Hostile headers

    private static func entry(_ type: UInt8, _ sealed: UInt32, _ plain: UInt32? = nil) -> [UInt8] {
        var entry = [type]
        entry.append(bigEndian: sealed.byteSwapped)
        if let plain { entry.append(bigEndian: plain.byteSwapped) }
        return entry + [UInt8](repeating: 7, count: 32)
    }

    /// Some bytes for blobs, then these entries.
    private static func pack(
        _ blobs: Int, _ entries: [UInt8], length: UInt32? = nil, _ codec: inout RepositoryCodec
    ) throws -> [UInt8] {
        let header = try codec.sealing.seal(entries)
        var bytes = [UInt8](repeating: 0, count: blobs) + header
        bytes.append(bigEndian: (length ?? UInt32(header.count)).byteSwapped)
        return bytes
    }

    @Test func `all four types are read, and entries of different forms together`() throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        let entries =
            Self.entry(0, 50) + Self.entry(1, 60) + Self.entry(2, 70, 1000) + Self.entry(3, 80, 5)
            + Self.entry(0, 32)
        let bytes = try Self.pack(292, entries, &codec)
        let blobs = try Self.read(bytes, &codec)
        #expect(blobs.map(\.kind) == [.data, .tree, .data, .tree, .data])
        #expect(blobs.map(\.isCompressed) == [false, false, true, true, false])
        #expect(blobs.map(\.offset) == [0, 50, 110, 180, 260])
        #expect(blobs.map(\.contentLength) == [18, 28, 1000, 5, 0])
    }

    @Test(
        arguments: [
            (entry(0, 50), 49), (entry(0, 50), 51), (entry(0, 31), 31), (entry(0, 0), 10),
            (entry(0, .max), 100), (entry(2, .max, .max) + entry(2, .max, .max), 100),
            (entry(0, 50) + [0], 50), (entry(0, 50) + entry(2, 50, 1).dropLast(), 100),
            (entry(2, 50), 50), ([0], 50), ([], 50), (entry(0, 50) + entry(0, 50), 50),
        ] as [([UInt8], Int)])
    func `headers that do not match the file are damaged`(entries: [UInt8], blobs: Int) throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        let bytes = try Self.pack(blobs, entries, &codec)
        let found = try repositoryFailure { try Self.read(bytes, &codec) }
        #expect(found == .damaged)
    }

    @Test(arguments: [4, 5, 6, 255] as [UInt8])
    func `an unknown type of blob is unsupported`(type: UInt8) throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        let bytes = try Self.pack(50, Self.entry(type, 50), &codec)
        let found = try repositoryFailure { try Self.read(bytes, &codec) }
        #expect(found == .unsupported)
    }

    @Test(arguments: [0, 1, 32, 36, 68, 70, 119, 120, 121, 16 << 20, 1 + 16 << 20, .max] as [UInt32])
    func `a wrong length of the header is damaged, and nothing of that size is read`(length: UInt32) throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        let bytes = try Self.pack(50, Self.entry(0, 50), length: length, &codec)
        var most = 0
        let found = try repositoryFailure { try Self.read(bytes, &codec) { most = max(most, $0.count) } }
        #expect(found == .damaged)
        #expect(most <= bytes.count)
    }

    @Test func `a store that gives less than it should is noticed`() throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        let bytes = try Self.pack(50, Self.entry(0, 50), &codec)
        let id = try ContentID(hashing: bytes)
        for size in [Int64(bytes.count) + 1, 1 << 40, .max, 0, -1] {
            let found = try repositoryFailure {
                try PackHeader.read(id, size: size, &codec) { range in
                    guard range.upperBound <= Int64(bytes.count) else { return [] }
                    return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
                }
            }
            #expect(found == .damaged)
        }
    }
}
