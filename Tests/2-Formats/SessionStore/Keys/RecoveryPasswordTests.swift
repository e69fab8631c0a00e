import FaultInjection
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

@testable import ValiseSessionStore

/// Recovery passwords: words, entropy, keys and Session IDs, both ways.
struct RecoveryPasswordTests {
    @Test func `the vectors hold both ways`() throws {
        let cases = try AttachmentVectors.cases("recovery_password")
        #expect(cases.count == 3)
        for vector in cases { try check(vector, .english) }
    }

    /// The words are those of the package `monero` of PyPI, the keys PyNaCl's.
    @Test func `other programs agree in all four languages`() throws {
        let cases = try AttachmentVectors.cases("peers", "recovery_passwords")
        #expect(cases.count == 56)
        for vector in cases {
            let language = RecoveryLanguage(rawValue: try #require(vector["language"] as? String))
            try check(vector, try #require(language))
        }
    }

    private func check(_ vector: [String: Any], _ language: RecoveryLanguage) throws {
        let entropy = try AttachmentVectors.bytes(vector, hexadecimal: "seed16_hex")
        let text = try #require(vector["words"] as? String)
        let password = try RecoveryPassword(entropy: AttachmentVectors.secret(entropy))
        #expect(PhraseSamples.text(try password.words(in: language).bytes) == text)
        let account = try password.account()
        #expect(Hexadecimal.encode(account.signingKey) == vector["ed25519_public_hex"] as? String)
        #expect(account.id.description == vector["session_id"] as? String)
        #expect(X25519.publicKey(of: try account.agreementSecret()) == account.id.agreementKey)
        let seed = try password.accountSeed()
        #expect(seed.withBytes { Array($0) } == entropy + [UInt8](repeating: 0, count: 16))
        #expect(try RecoveryPassword(accountSeed: seed).equals(password))
        for given in [nil, language] {
            let read = try PhraseSamples.read(text, in: given)
            #expect(read.password.equals(password), "\(text)")
            #expect(read.language == language || given == nil && entropy.allSatisfy { $0 == 0 })
            #expect(read.inexact.isEmpty)
        }
    }

    @Test func `the lists are the published ones`() {
        let digests: [RecoveryLanguage: String] = [
            // The digest that the fact sheet's vectors name.
            .english: "6cee1c1780936bf7e996b605e537dd3470999fd67194c681a596dd1edfc7f1eb",
            .japanese: "9acaa939f5af8f0d3f1f9422a206b815c4c1e3d0dd5a47a14aac5cc39a7f0883",
            .portuguese: "00eb0f4c66b76715fa1121954b889c0b4c1761f5e6e23bf6086ae5d1b5f67b6f",
            .spanish: "ce71ebf6fd86809f58e5e8ffb73a98d75f8f14e5adf64932091a59b216027e52",
        ]
        for language in RecoveryLanguage.allCases {
            let words = language.words.all
            #expect(words.count == SeedWords.count)
            let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",") + "\n"
            #expect(Hexadecimal.encode(SHA256.hash(Array(text.utf8))) == digests[language])
            let prefixes = words.map {
                Array($0.prefix(UTF8Letters.byteCount(of: $0, letters: language.prefixLength)))
            }
            #expect(Set(prefixes).count == words.count, "\(language)")
        }
    }

    @Test func `random ones come back, abbreviated and in capitals too`() throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("recovery passwords"))
        for language in RecoveryLanguage.allCases {
            for _ in 0..<60 {
                let entropy = AttachmentVectors.random(16, &random)
                let password = try RecoveryPassword(entropy: AttachmentVectors.secret(entropy))
                let text = PhraseSamples.text(try password.words(in: language).bytes)
                let short = text.split(separator: " ").map { String($0.prefix(language.prefixLength)) }
                let forms = [
                    text, text.uppercased(),
                    "  " + text.split(separator: " ").joined(separator: "\u{3000}\n"),
                    short.joined(separator: "\t"), PhraseSamples.decomposed(text),
                    PhraseSamples.decomposed(text.uppercased()),
                ]
                for form in forms {
                    let read = try PhraseSamples.read(form, in: language)
                    #expect(read.password.equals(password), "\(form)")
                    #expect(read.inexact.isEmpty, "\(form)")
                }
                #expect(try PhraseSamples.read(text).password.equals(password))
            }
        }
    }

    @Test func `entropy and seeds of other lengths are refused`() throws {
        for count in [0, 15, 17, 32] {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(throws: SessionStoreError.self) {
                try RecoveryPassword(entropy: AttachmentVectors.secret(bytes))
            }
        }
        for place in 16..<32 {
            var bytes = [UInt8](repeating: 0, count: 32)
            bytes[place] = 1
            #expect(throws: RecoveryPasswordError.self) {
                try RecoveryPassword(accountSeed: SecretSeed(copying: bytes))
            }
        }
    }

    @Test func `Session IDs have 66 digits and begin with 05`() throws {
        let text = "05ca03b8e369aeeb69fd260c2957d37b232db17a60db7a39bca9f0c0a6be135c1a"
        #expect(AccountID(text: text)?.description == text)
        #expect(AccountID(text: text.uppercased())?.description == text)
        for other in [
            "", "05", String(text.dropLast()), text + "0", "15" + text.dropFirst(2), "zz" + text.dropFirst(2),
        ] {
            #expect(AccountID(text: other) == nil)
        }
        #expect(AccountID([5] + [UInt8](repeating: 0, count: 31)) == nil)
        #expect(AccountID([]) == nil)
    }
}
