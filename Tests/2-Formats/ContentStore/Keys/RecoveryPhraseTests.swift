import FaultInjection
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseSecrets

@testable import ValiseContentStore

struct RecoveryPhraseTests {
    private func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

    private func words(_ phrase: RecoveryPhrase) -> String { phrase.text.bytes.withBytes { Array($0).text } }

    @Test func `the words are those of BIP-39`() {
        #expect(EnglishWords.all.count == 2048)
        let file: [UInt8] = EnglishWords.all.flatMap { $0 + [0x0a] }
        #expect(
            Hexadecimal.encode(SHA256.hash(file))
                == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda")
        for (place, word) in EnglishWords.all.enumerated() {
            #expect(word.withUnsafeBytes { EnglishWords.place(of: $0) } == place)
            #expect(word.count <= EnglishWords.longest)
        }
        for word in ["", "a", "aaa", "abandonn", "abando", "zoo ", "zzz", "Abandon"] {
            #expect(Array(word.utf8).withUnsafeBytes { EnglishWords.place(of: $0) } == nil)
        }
    }

    @Test func `phrases and keys are those of others`() throws {
        let cases = try StoreFixture.list("kdf", "recovery_mnemonic", "cases")
        #expect(cases.count == 3)
        for item in cases {
            let text = try item.required("mnemonic")
            let made = try RecoveryPhrase(entropy: SecretSeed(copying: item.hexadecimal("entropy_hex")))
            #expect(words(made) == text)
            let read = try RecoveryPhrase(secret(text))
            let key = try StoreKey.derived(phrase: read)
            #expect(key.secret.withBytes { Hexadecimal.encode($0) } == (try item.required("master_key_hex")))
        }
    }

    @Test func `a new phrase has 24 words and is another one each time`() throws {
        let phrases = try (0..<20).map { _ in words(try RecoveryPhrase.random()) }
        #expect(Set(phrases).count == 20)
        for phrase in phrases {
            #expect(phrase.split(separator: " ").count == 24)
            #expect(words(try RecoveryPhrase(secret(phrase))) == phrase)
        }
    }

    /// Published with BIP-39.
    @Test(arguments: [
        "legal winner thank year wave sausage worth useful legal winner thank yellow",
        "letter advice cage absurd amount doctor acoustic avoid letter advice cage above",
        "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong",
        "legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal will",
        "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo when",
    ])
    func `shorter phrases are read`(text: String) throws {
        #expect(words(try RecoveryPhrase(secret(text))) == text)
    }

    @Test func `what derives another key is refused`() throws {
        let right = try StoreFixture.list("kdf", "recovery_mnemonic", "cases")[1].required("mnemonic")
        let wrong: [String] = [
            "", " ", right + " ", " " + right, right + "\n",
            right.replacing(" ", with: "  ", maxReplacements: 1),
            right.replacing(" ", with: "\t", maxReplacements: 1), right.uppercased(),
            "A" + String(right.dropFirst()),
            right.replacing("abandon", with: "abandom", maxReplacements: 1), right + " zoo",
            right.replacing("abandon", with: "ability", maxReplacements: 1),
            String(right.dropLast(" unaware".count)), "zoo zoo zoo",
        ]
        for text in wrong {
            let error = #expect(throws: ContentStoreError.self) { try RecoveryPhrase(secret(text)) }
            #expect(error?.code == .invalid, "\(text)")
            // No word is said.
            #expect(error?.description.contains("abando") == false)
        }
    }

    @Test(arguments: [1, .random(in: 2 ... .max)]) func `another word is noticed by the checksum`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let phrase = words(try RecoveryPhrase.random()).split(separator: " ").map(String.init)
        var accepted = 0
        for _ in 0..<400 {
            var changed = phrase
            let word = try #require(EnglishWords.all.randomElement(using: &random)).text
            changed[.random(in: 0..<24, using: &random)] = word
            guard changed != phrase else { continue }
            if (try? RecoveryPhrase(secret(changed.joined(separator: " ")))) != nil { accepted += 1 }
        }
        // One of 256 by chance.
        #expect(accepted < 12, "\(seed)")
    }
}
