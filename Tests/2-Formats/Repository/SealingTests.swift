import FaultInjection
import Foundation
import Testing
import ValiseEncoding
import ValiseRepository
import ValiseSecrets

/// The encryption of files and blobs.
struct SealingTests {
    /// The key of the fact sheet's worked example: e = 00..1f, k = 20..2f, r = 30..3f.
    private static func exampleKey() throws -> MasterKey {
        try MasterKey(SecretBytes(copying: (0..<64).map { UInt8($0) }))
    }

    private static let example =
        "0102030405060708090a0b0c0d0e0f10" + "e0ef4aaef8b5" + "d7ed753ef12c9e322fe0843ec138fdc6"

    @Test func `the worked example of the fact sheet opens`() throws {
        let sealed = try #require(Hexadecimal.decode(Self.example))
        #expect(try Self.exampleKey().open(sealed) == Array("valise".utf8))
    }

    @Test func `each flipped bit of the worked example is found, and so is each cut`() throws {
        let sealed = try #require(Hexadecimal.decode(Self.example))
        let key = try Self.exampleKey()
        for place in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[place] ^= 1 << UInt8(bit)
                #expect(try repositoryFailure { try key.open(changed) } == .damaged)
            }
            #expect(try repositoryFailure { try key.open(Array(sealed[..<place])) } == .damaged)
            #expect(try repositoryFailure { try key.open(Array(sealed[(place + 1)...])) } == .damaged)
        }
        #expect(try repositoryFailure { try key.open(sealed + [0]) } == .damaged)
    }

    @Test func `what was sealed opens again, with a new vector each time`() throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("sealing"))
        let key = try MasterKey.random()
        let other = try MasterKey.random()
        var context = try SealingContext(key)
        var vectors: Set<[UInt8]> = []
        for round in 0..<600 {
            let size = round < 70 ? round : Int.random(in: 0...9000, using: &random)
            let plain = CryptoFixture.bytes(size, &random)
            let sealed = try context.seal(plain)
            #expect(sealed.count == size + SealingContext.overhead)
            vectors.insert(Array(sealed.prefix(SealingContext.headSize)))
            let opened = try context.open(sealed)
            #expect(opened == plain)
            if round % 100 == 0 {
                #expect(try key.open(sealed) == plain, "another context")
                #expect(try repositoryFailure { try other.open(sealed) } == .damaged, "another key")
            }
        }
        #expect(vectors.count == 600)
    }

    @Test func `in place gives what opens elsewhere, and the other way around`() throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("in place"))
        let key = try MasterKey.random()
        var context = try SealingContext(key)
        for _ in 0..<100 {
            let plain = CryptoFixture.bytes(Int.random(in: 0...5000, using: &random), &random)
            let head = [UInt8](repeating: 0, count: SealingContext.headSize)
            var memory = head + plain + [UInt8](repeating: 0, count: SealingContext.overhead - head.count)
            try memory.withUnsafeMutableBytes { try context.sealInPlace($0) }
            #expect(try key.open(memory) == plain)
            var sealed = try key.seal(plain)
            let opened = try sealed.withUnsafeMutableBytes { Array(try context.openInPlace($0)) }
            #expect(opened == plain)
        }
    }

    @Test func `what is not authentic is not decrypted`() throws {
        let key = try MasterKey.random()
        var context = try SealingContext(key)
        var sealed = try key.seal([UInt8](repeating: 7, count: 100))
        sealed[50] ^= 1
        var plain = [UInt8](repeating: 9, count: 100)
        let found = try repositoryFailure {
            try sealed.withUnsafeBytes { sealed in
                try plain.withUnsafeMutableBytes { try context.open(sealed, into: $0) }
            }
        }
        #expect(found == .damaged)
        #expect(plain == [UInt8](repeating: 9, count: 100))
    }

    @Test func `buffers of a wrong length are refused`() throws {
        var context = try SealingContext(MasterKey.random())
        let plain = [UInt8](repeating: 7, count: 100)
        for count in [0, 31, 100, 131, 133] {
            var sealed = [UInt8](repeating: 0, count: count)
            let found = try repositoryFailure {
                try plain.withUnsafeBytes { plain in
                    try sealed.withUnsafeMutableBytes { try context.seal(plain, into: $0) }
                }
            }
            #expect(found == .invalid)
        }
        let sealed = try context.seal(plain)
        var short = [UInt8](repeating: 0, count: 99)
        let found = try repositoryFailure {
            try sealed.withUnsafeBytes { sealed in
                try short.withUnsafeMutableBytes { try context.open(sealed, into: $0) }
            }
        }
        #expect(found == .invalid)
    }

    @Test(arguments: [0..<32, 32..<48, 48..<64])
    func `a key with a part of zeros is refused`(part: Range<Int>) throws {
        var bytes = (0..<64).map { UInt8($0 + 1) }
        for place in part { bytes[place] = 0 }
        let found = try repositoryFailure { try MasterKey(SecretBytes(copying: bytes)) }
        #expect(found == .damaged)
    }

    @Test(arguments: [0, 32, 63, 65])
    func `a key of another length is refused`(count: Int) throws {
        let bytes = [UInt8](repeating: 1, count: count)
        let found = try repositoryFailure { try MasterKey(SecretBytes(copying: bytes)) }
        #expect(found == .damaged)
    }

    @Test func `an initialization vector of zeros is refused`() throws {
        let key = try Self.exampleKey()
        let sealed = [UInt8](repeating: 0, count: 48)
        #expect(try repositoryFailure { try key.open(sealed) } == .damaged)
    }

    @Test func `threads seal with one key at the same time`() throws {
        let key = try MasterKey.random()
        let plain = (0..<4096).map { UInt8(truncatingIfNeeded: $0 * 7) }
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                var context = try SealingContext(key)
                for _ in 0..<200 {
                    let sealed = try context.seal(plain)
                    let opened = try context.open(sealed)
                    #expect(opened == plain)
                }
            } catch {
                Issue.record(error)
            }
        }
    }
}
