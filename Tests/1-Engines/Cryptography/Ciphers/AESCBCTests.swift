import Testing
import ValiseCryptography
import ValiseSecrets

/// AES-256-CBC and HMAC-SHA256 in pieces.
struct AESCBCTests {
    /// NIST SP 800-38A, F.2.5.
    private static let key = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
    private static let vector = Array<UInt8>(0..<16)
    private static let plaintext = bytes(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
            + "f69f2445df4f9b17ad2b417be66c3710")
    private static let encrypted = bytes(
        "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d39f23369a9d9bacfa530e26304231461"
            + "b2eb05e2c39be9fcda6c19078c6a9d1b")

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    }

    /// - Returns: nil where the padding is none.
    private static func run(
        _ input: [UInt8], _ direction: AESCBC.Direction, pieces: Int
    ) throws -> [UInt8]? {
        var cipher = try SecretBytes(copying: key).withBytes {
            try AESCBC(key: $0, vector: vector, direction)
        }
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: pieces + AESCBC.blockByteCount)
        for start in stride(from: 0, to: input.count, by: pieces) {
            let piece = Array(input[start..<min(start + pieces, input.count)])
            let count = try buffer.withUnsafeMutableBytes { buffer in
                try piece.withUnsafeBytes { try cipher.update($0, into: buffer) }
            }
            result += buffer.prefix(count)
        }
        guard let count = buffer.withUnsafeMutableBytes({ cipher.finalize(into: $0) }) else { return nil }
        return result + buffer.prefix(count)
    }

    @Test(arguments: [1, 7, 16, 17, 64, 1000])
    func `what is encrypted is NIST's, whatever the pieces`(pieces: Int) throws {
        let sealed = try #require(try Self.run(Self.plaintext, .encrypting, pieces: pieces))
        #expect(sealed.starts(with: Self.encrypted))
        // A block of padding follows full blocks.
        #expect(sealed.count == Self.plaintext.count + 16)
        #expect(try Self.run(sealed, .decrypting, pieces: pieces) == Self.plaintext)
        for count in [0, 1, 15, 16, 33] {
            let part = Array(Self.plaintext.prefix(count))
            let sealed = try #require(try Self.run(part, .encrypting, pieces: pieces))
            #expect(sealed.count == count / 16 * 16 + 16)
            #expect(try Self.run(sealed, .decrypting, pieces: pieces) == part)
        }
    }

    @Test func `what ends without padding is told`() throws {
        #expect(try Self.run(Self.encrypted, .decrypting, pieces: 16) == nil)
        #expect(try Self.run(Array(Self.encrypted.dropLast()), .decrypting, pieces: 16) == nil)
        #expect(try Self.run([], .decrypting, pieces: 16) == nil)
    }

    @Test func `keys and vectors of other lengths are refused`() throws {
        for (key, vector) in [(31, 16), (33, 16), (32, 15), (32, 17), (0, 0)] {
            #expect(throws: CryptographyError.self) {
                let key = [UInt8](repeating: 0, count: key)
                _ = try key.withUnsafeBytes {
                    _ = try AESCBC(key: $0, vector: [UInt8](repeating: 0, count: vector), .decrypting)
                }
            }
        }
    }

    /// RFC 4231, test case 2.
    @Test(arguments: [1, 5, 28]) func `the code of pieces is the RFC's`(pieces: Int) throws {
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        let message = Array("what do ya want for nothing?".utf8)
        func code() throws -> HMACSHA256Stream {
            var code = try SecretBytes(copying: Array("Jefe".utf8)).withBytes {
                try HMACSHA256Stream(key: $0)
            }
            for start in stride(from: 0, to: message.count, by: pieces) {
                message[start..<min(start + pieces, message.count)].withUnsafeBytes { code.update($0) }
            }
            return code
        }
        var one = try code()
        var two = try code()
        var three = try code()
        let made = one.finalize()
        #expect(made == Self.bytes(expected))
        let isSame = two.finalize(equals: Self.bytes(expected))
        let isOther = three.finalize(equals: Array(Self.bytes(expected).dropLast()))
        #expect(isSame && !isOther)
    }
}
