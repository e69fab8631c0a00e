import FaultInjection
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

/// Changed files and foreign keys: refused, and nothing of the content stays anywhere.
struct DamageTests {
    private let fixture: CryptoFixture
    private let operations = CryptoFileOperations()

    init() throws { fixture = try CryptoFixture() }

    /// Expects every way of reading to refuse it, and the folder to stay as it was.
    private func expectRefused(
        _ bytes: [UInt8], _ args: CryptoFileArgs? = nil, _ kind: CryptoFileError.Kind = .invalidAuthTag,
        _ comment: Comment? = nil
    ) throws {
        let args = args ?? fixture.args
        let path = try fixture.write(bytes, "damaged")
        let input = try CryptoFileInput(path)
        let target = CryptoFileOutput.file(fixture.path("out"), replacing: false)
        var streamed = 0
        let ways: [() throws -> Void] = [
            { try operations.verify(input, args) },
            { try operations.decrypt(input, to: target, args) },
            { try operations.decrypt(input, to: .stream { streamed += $0.count }, args) },
            {
                let stream = CryptoFileInput(stream: "s", read: CryptoFixture.reading(bytes) { 999 })
                try operations.decrypt(stream, to: target, args)
            },
            {
                let reader = try CryptoFileReader(path, args, verifications: CryptoFileVerifications())
                _ = try reader.read(at: 0, count: 1)
            },
        ]
        for (number, way) in ways.enumerated() {
            let error = #expect(throws: CryptoFileError.self, comment, performing: way)
            #expect(error?.kind == kind && error?.code == .damaged, "way \(number)")
        }
        #expect(streamed == 0)
        #expect(try fixture.names() == ["damaged"])
    }

    @Test func `every bit of a small file counts`() throws {
        let good = try fixture.sealed(Array("a small file".utf8))
        #expect(try operations.verify(CryptoFileInput(source: MemorySource(good)), fixture.args) == 12)
        for bit in FaultSweep.few(of: 0..<good.count * 8) {
            var bytes = good
            bytes[bit / 8] ^= 1 << (bit % 8)
            try expectRefused(bytes, nil, .invalidAuthTag, "bit \(bit)")
        }
    }

    @Test func `a bit of any place of a large file counts`() throws {
        let seed = CryptoFixture.seed("flipped bits")
        var random = SeededGenerator(seed: seed)
        let good = try fixture.sealed(CryptoFixture.bytes(3 * OrderedChunks.chunkSize + 5, &random))
        var places = [0, 63, 64, OrderedChunks.chunkSize - 1, OrderedChunks.chunkSize, good.count - 17]
        places += [good.count - 16, good.count - 1]
        for _ in 0..<(CryptoFixture.isSoak ? 300 : 8) {
            places.append(Int.random(in: 0..<good.count, using: &random))
        }
        for place in places {
            var bytes = good
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try expectRefused(bytes, nil, .invalidAuthTag, "byte \(place)")
        }
    }

    @Test func `every truncation and every addition is refused`() throws {
        let good = try fixture.sealed((0..<100).map { UInt8($0) })
        for count in FaultSweep.few(of: 0..<good.count) {
            try expectRefused(
                Array(good.prefix(count)), nil, count < 16 ? .invalidFileSize : .invalidAuthTag, "\(count)")
        }
        try expectRefused(good + [0])
        try expectRefused([0] + good)
        try expectRefused(Array(good.dropFirst()))
    }

    @Test func `foreign keys are refused`() throws {
        let good = try fixture.sealed(Array("content".utf8))
        for bit in FaultSweep.few(of: stride(from: 0, to: 256, by: 11)) {
            var key = fixture.key
            key[bit / 8] ^= 1 << (bit % 8)
            try expectRefused(good, CryptoFileArgs(fileKey: key, fileNonce: fixture.nonce))
        }
        for bit in FaultSweep.few(of: stride(from: 0, to: 192, by: 7)) {
            var nonce = fixture.nonce
            nonce[bit / 8] ^= 1 << (bit % 8)
            try expectRefused(good, CryptoFileArgs(fileKey: fixture.key, fileNonce: nonce))
        }
        for _ in 0..<20 { try expectRefused(good, CryptoFileArgs()) }
    }

    @Test func `a file that is there stays as it is when the new one is refused`() throws {
        let bad = try fixture.write([UInt8](repeating: 1, count: 40), "bad")
        _ = try fixture.write([1, 2, 3], "out")
        #expect(throws: CryptoFileError.self) {
            try operations.decrypt(
                CryptoFileInput(bad), to: .file(fixture.path("out"), replacing: true), fixture.args)
        }
        #expect(try fixture.read("out") == [1, 2, 3])
        let error = #expect(throws: FileError.self) {
            try operations.decrypt(
                CryptoFileInput(bad), to: .file(fixture.path("out"), replacing: false), fixture.args)
        }
        #expect(error?.code == .alreadyExists)
        #expect(try fixture.names() == ["bad", "out"])
    }
}
