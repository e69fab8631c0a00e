import Dispatch
import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

/// Reading in parts: proved once, and again after every change.
struct CryptoFileReaderTests {
    private let fixture: CryptoFixture
    private let plain: [UInt8]
    private let path: FilePath
    private let verifications = CryptoFileVerifications()

    init() throws {
        fixture = try CryptoFixture()
        var random = SeededGenerator(seed: 5)
        plain = CryptoFixture.bytes(700_001, &random)
        path = try fixture.write(try fixture.sealed(plain), "file")
    }

    private func reader(_ args: CryptoFileArgs? = nil) throws -> CryptoFileReader {
        try CryptoFileReader(path, args ?? fixture.args, verifications: verifications)
    }

    @Test func `any part is read, after one pass over the whole`() throws {
        let reader = try reader()
        #expect(try reader.contentSize() == 700_001)
        var random = SeededGenerator(seed: CryptoFixture.seed("parts"))
        for _ in 0..<300 {
            let start = Int.random(in: 0...plain.count + 50, using: &random)
            let count = [0, 1, 15, 64, 4096, 100_000].randomElement(using: &random)!
            #expect(
                try reader.read(at: Int64(start), count: count)
                    == Array(plain.dropFirst(start).prefix(count)), "\(start) \(count)")
        }
        #expect(try reader.read(at: 0, count: .max) == plain)
        #expect(try reader.read(at: .max, count: .max).isEmpty)
        #expect(throws: CryptoFileError.self) { try reader.read(at: -1, count: 1) }
        #expect(verifications.passCount == 1)
        #expect(try self.reader().read(at: 1, count: 2) == Array(plain[1..<3]))
        #expect(verifications.passCount == 1)
    }

    @Test func `a key is read from its text, and a text without one is refused`() throws {
        let reader = try CryptoFileReader(path, key: fixture.args.json())
        #expect(try reader.contentSize() == 700_001)
        #expect(try reader.read(at: 3, count: 2) == Array(plain[3..<5]))
        let error = #expect(throws: CryptoFileError.self) {
            _ = try CryptoFileReader(path, key: secret("{}"))
        }
        #expect(error?.code == .invalid)
    }

    @Test func `another key needs its own proof`() throws {
        _ = try reader().read(at: 0, count: 1)
        #expect(throws: CryptoFileError.self) { try reader(CryptoFileArgs()).read(at: 0, count: 1) }
        #expect(try reader().read(at: 0, count: 1) == [plain[0]])
        #expect(verifications.passCount == 1)
    }

    @Test func `a file that changes is proved again, and a flipped bit is refused`() throws {
        let reader = try reader()
        #expect(try reader.read(at: 5, count: 1) == [plain[5]])
        let file = try FileSystem().openForUpdating(path)
        let byte = try file.bytes(at: 699_000, count: 1)[0]
        try Data([byte ^ 4]).withUnsafeBytes { try file.write($0, at: 699_000) }
        // At the very other end, and the time set back: nobody can set the time of change.
        try file.setModificationTime(1_000_000)
        for _ in 0..<2 {
            let error = #expect(throws: CryptoFileError.self) { try reader.read(at: 5, count: 1) }
            #expect(error?.kind == .invalidAuthTag)
        }
        try Data([byte]).withUnsafeBytes { try file.write($0, at: 699_000) }
        #expect(try reader.read(at: 5, count: 1) == [plain[5]])
        #expect(verifications.passCount == 2)
    }

    @Test func `a change right after the proof is seen`() throws {
        for round in 0..<20 {
            let path = try fixture.write(try fixture.sealed([1, 2, 3]), "quick-\(round)")
            let reader = try CryptoFileReader(path, fixture.args, verifications: verifications)
            #expect(try reader.read(at: 0, count: 3) == [1, 2, 3])
            let file = try FileSystem().openForUpdating(path)
            try Data([9]).withUnsafeBytes { try file.write($0, at: 1) }
            #expect(throws: CryptoFileError.self) { try reader.read(at: 0, count: 3) }
        }
    }

    @Test func `a file that gets another size is read as what it is now, or refused`() throws {
        let reader = try reader()
        #expect(try reader.contentSize() == 700_001)
        let file = try FileSystem().openForUpdating(path)
        try file.truncate()
        #expect(throws: CryptoFileError.self) { try reader.read(at: 0, count: 1) }
        try fixture.sealed([4, 5]).withUnsafeBytes { try file.write($0, at: 0) }
        #expect(try reader.read(at: 0, count: 100) == [4, 5])
    }

    @Test func `what cannot be proved leaves nothing in the buffer`() throws {
        let reader = try reader(CryptoFileArgs())
        var buffer = [UInt8](repeating: 7, count: 100)
        #expect(throws: CryptoFileError.self) {
            try buffer.withUnsafeMutableBytes { _ = try reader.read(into: $0, at: 0) }
        }
        #expect(buffer.allSatisfy { $0 == 0 })
    }

    @Test func `many threads read at once after one pass`() throws {
        let reader = try reader()
        let plain = plain
        DispatchQueue.concurrentPerform(iterations: 32) { number in
            let start = number * 20_000
            let piece = try? reader.read(at: Int64(start), count: 5000)
            #expect(piece == Array(plain[start..<start + 5000]))
        }
        #expect(verifications.passCount == 1)
    }

    @Test func `a memory of proofs that is full forgets, and still refuses`() throws {
        let small = CryptoFileVerifications(capacity: 2)
        for number in 0..<5 {
            let path = try fixture.write(try fixture.sealed([UInt8(number)]), "n\(number)")
            let reader = try CryptoFileReader(path, fixture.args, verifications: small)
            #expect(try reader.read(at: 0, count: 1) == [UInt8(number)])
        }
        #expect(small.passCount == 5)
        let reader = try CryptoFileReader(path, CryptoFileArgs(), verifications: small)
        #expect(throws: CryptoFileError.self) { try reader.read(at: 0, count: 1) }
    }

    @Test func `a proof can be stopped, and links are followed`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: fixture.path("link").string, withDestinationPath: "file")
        let reader = try CryptoFileReader(fixture.path("link"), fixture.args, verifications: verifications)
        #expect(throws: Interruption.self) { try reader.verify { _ in throw Interruption() } }
        try reader.verify()
        #expect(try reader.read(at: 1, count: 1) == [plain[1]])
        #expect(verifications.passCount == 1)
    }
}
