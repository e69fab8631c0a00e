import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseCryptoFiles
import ValiseCryptography
import ValiseFiles

/// Agreement with PyNaCl, or with libsodium called from Python, over an HSalsa20 of its own.
struct CryptoFilePeerTests {
    @Test(
        .enabled(if: OtherProgram.isThere("python3"), "needs python3"),
        arguments: [0, 1, 31, 32, 33, 1000, 1_100_000])
    func `another implementation gives the same file`(size: Int) throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("peer") &+ UInt64(size))
        let fixture = try CryptoFixture(seed: random.next())
        let plain = CryptoFixture.bytes(size, &random)
        let path = try fixture.write(plain, "plain")
        let answer = try #require(OtherProgram("python3")).outcome(of: [
            Repository.beside("Support/peer.py").path, hexadecimal(fixture.key), hexadecimal(fixture.nonce),
            path.string,
        ]).text
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
