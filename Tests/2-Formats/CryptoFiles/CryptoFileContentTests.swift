import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

/// The content of an encrypted source at any place.
struct CryptoFileContentTests {
    private let fixture: CryptoFixture
    private let content: [UInt8]
    private let path: FilePath

    init() throws {
        fixture = try CryptoFixture()
        var random = SeededGenerator(seed: 7)
        content = CryptoFixture.bytes(700_001, &random)
        path = try fixture.write(try fixture.sealed(content), "file")
    }

    private func source() throws -> CryptoFileContent {
        try CryptoFileContent(FileSource(path), fixture.args)
    }

    @Test func `any part is read`() throws {
        let source = try source()
        #expect(source.size == 700_001)
        var random = SeededGenerator(seed: CryptoFixture.seed("parts of a source"))
        for _ in 0..<200 {
            let start = Int.random(in: 0...content.count + 50, using: &random)
            let count = [1, 15, 64, 4096, 100_000].randomElement(using: &random)!
            #expect(
                try source.bytes(at: Int64(start), upTo: count)
                    == Array(content.dropFirst(start).prefix(count)), "\(start) \(count)")
        }
    }

    @Test func `nothing of a damaged file is given, whatever part is asked for`() throws {
        var sealed = try fixture.sealed(content)
        sealed[650_000] ^= 1
        let damaged = try fixture.write(sealed, "damaged")
        let source = try CryptoFileContent(FileSource(damaged), fixture.args)
        for _ in 0..<2 {
            let error = #expect(throws: CryptoFileError.self) { try source.bytes(at: 0, upTo: 10) }
            #expect(error?.code == .damaged)
        }
    }

    @Test func `what stops the verification leaves it to be done`() throws {
        struct Stop: Error {}
        let source = try source()
        #expect(throws: Stop.self) { try source.verify { _ in throw Stop() } }
        #expect(try source.bytes(at: 3, upTo: 4) == Array(content[3..<7]))
    }

    @Test func `what is too short to be encrypted is refused`() throws {
        let short = try fixture.write([1, 2, 3], "short")
        #expect(throws: CryptoFileError.self) { try CryptoFileContent(FileSource(short), fixture.args) }
    }
}
