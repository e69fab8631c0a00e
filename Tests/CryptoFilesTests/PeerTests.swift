import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseCryptoFiles
import ValiseCryptography
import ValiseFiles

/// Agreement with PyNaCl, or with libsodium called from Python, over an HSalsa20 of its own.
struct PeerTests {
    private static let python = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(
        separator: ":"
    )
    .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: python != nil, "needs python3"), arguments: [0, 1, 31, 32, 33, 1000, 1_100_000])
    func `another implementation gives the same file`(size: Int) throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("peer") &+ UInt64(size))
        let fixture = try CryptoFixture(seed: random.next())
        let plain = CryptoFixture.bytes(size, &random)
        let path = try fixture.write(plain, "plain")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Support/peer.py")
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.python))
        process.arguments = [script.path, hexadecimal(fixture.key), hexadecimal(fixture.nonce), path.string]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let words = answer.split(whereSeparator: \.isWhitespace)
        try #require(words.count == 2, "the peer says \(answer)")
        print("peer: \(words[0])")
        let encrypted = try fixture.encrypted(plain, workers: 2)
        #expect(hexadecimal(SHA256.hash(encrypted)) == words[1])
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
