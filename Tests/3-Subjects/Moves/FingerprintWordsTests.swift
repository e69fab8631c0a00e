import FaultInjection
import Testing
import ValiseEncoding
import ValiseFailures
import ValiseMoves

struct FingerprintWordsTests {
    private static let proof = AccountProof(
        chat: Array(0..<32), agent: Array(32..<64), media: Array(64..<96))

    @Test func `the list has a word for every byte, and no two can be taken for each other`() {
        let list = FingerprintWords.list
        #expect(list.count == 256 && Set(list).count == 256)
        #expect(list == list.sorted())
        #expect(
            list.allSatisfy { (4...7).contains($0.count) && $0.allSatisfy { $0.isLowercase && $0.isASCII } })
        #expect(Set(list.map { $0.prefix(4) }).count == 256)
        for (index, word) in list.enumerated() {
            for other in list[(index + 1)...] {
                #expect(Self.distance(Array(word.utf8), Array(other.utf8)) >= 3, "\(word) and \(other)")
            }
        }
    }

    /// How many letters have to be changed, added or left out.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var next = [index + 1]
            for (place, other) in second.enumerated() {
                next.append(min(row[place + 1] + 1, next[place] + 1, row[place] + (letter == other ? 0 : 1)))
            }
            row = next
        }
        return row[second.count]
    }

    @Test func `the words of a proof are the same for ever`() {
        #expect(Self.proof.words.description == "library coffee juice family topaz zigzag harp falcon")
    }

    @Test func `each of the three digests counts`() {
        let proof = Self.proof
        let others = [
            AccountProof(chat: proof.agent, agent: proof.chat, media: proof.media),
            AccountProof(chat: proof.chat, agent: proof.media, media: proof.agent),
            AccountProof(chat: proof.chat, agent: proof.agent, media: Array(65..<97)),
        ]
        #expect(Set(others.map(\.words) + [proof.words]).count == 4)
    }

    @Test func `words are read in any form that people type`() throws {
        let words = Self.proof.words
        let list = words.words
        let numbered = list.enumerated().map { "\($0 + 1). \($1)" }
        let short = list.map { String($0.prefix(4)) }
        let capitalized = list.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let forms: [String] = [
            words.description, words.description.uppercased(), list.joined(separator: "-"),
            list.joined(separator: ",  "), "\n\t" + list.joined(separator: "\r\n") + "\n",
            numbered.joined(separator: " "), short.joined(separator: " "), capitalized.joined(separator: "/"),
            "\u{201c}" + list.joined(separator: "\u{2014}") + "\u{201d}",
        ]
        for form in forms { #expect(try FingerprintWords(parsing: form) == words, "\(form)") }
    }

    @Test func `a word that is none is named`() throws {
        var list = Self.proof.words.words
        let word = list[2]
        let wrongs: [String] = [
            "xylophone", String(word.prefix(3)), word + "s", word.prefix(4) + "zzz", "café",
        ]
        for wrong in wrongs {
            list[2] = wrong
            #expect {
                try FingerprintWords(parsing: list.joined(separator: " "))
            } throws: {
                guard let error = $0 as? DeviceMigrationError else { return false }
                return error.kind == .invalidWords && error.subject == nil
                    && error.message.contains("word 3 ('\(wrong)')")
            }
        }
    }

    private func message(_ text: String) -> String? {
        do throws(DeviceMigrationError) {
            _ = try FingerprintWords(parsing: text)
            return nil
        } catch {
            return error.message
        }
    }

    private func remedy(_ text: String) -> Remedy? {
        do throws(DeviceMigrationError) {
            _ = try FingerprintWords(parsing: text)
            return nil
        } catch {
            return error.remedy
        }
    }

    @Test func `one word is told from eight, whether it is a fingerprint word or none`() {
        #expect(message("library") == "expected 8 fingerprint words, got 1")
        #expect(
            message("xylophone")
                == "expected 8 fingerprint words, got 1. Word 1 ('xylophone') is not a fingerprint word")
        #expect(
            message("libary coffee")
                == "expected 8 fingerprint words, got 2. Word 1 ('libary') is not a fingerprint word. "
                + "Did you mean 'library'?")
        #expect(message("") == "expected 8 fingerprint words, got 0")
        #expect(remedy("library") == .enterShownWords && remedy("xylophone") == .enterShownWords)
    }

    @Test(arguments: [
        ("libary", "library"), ("librray", "library"), ("lib", "library"), ("cofee", "coffee"),
        ("jiuce", "juice"), ("zzzzzz", nil), (String(repeating: "a", count: 300), nil),
    ])
    func `the word that a misspelled one resembles is proposed`(typed: String, word: String?) {
        var list = Self.proof.words.words
        list[5] = typed
        let text = list.joined(separator: " ")
        guard let word else {
            let shown = typed.prefix(32)
            #expect(message(text) == "word 6 ('\(shown)') is not a fingerprint word")
            #expect(remedy(text) == .enterShownWords)
            return
        }
        #expect(message(text) == "word 6 ('\(typed)') is not a fingerprint word. Did you mean '\(word)'?")
        #expect(remedy(text) == nil)
    }

    @Test func `nearly each word is proposed for itself with its first letter wrong, and never another`() {
        let list = Self.proof.words.words
        let proposals = FingerprintWords.list.filter { word in
            let text = message((["q\(word.dropFirst())"] + list.dropFirst()).joined(separator: " ")) ?? ""
            guard let proposal = text.firstMatch(of: /Did you mean '([a-z]+)'/)?.output.1 else {
                return false
            }
            #expect(String(proposal) == word)
            return true
        }
        // Another word may be as near by its first letters.
        #expect(proposals.count > 240, "\(proposals.count)")
    }

    @Test(arguments: [0, 1, 7, 9, 100, 10_000])
    func `too few words and too many are told`(_ count: Int) {
        let text = Array(repeating: "acorn", count: count).joined(separator: " ")
        #expect {
            try FingerprintWords(parsing: text)
        } throws: {
            ($0 as? DeviceMigrationError)?.kind == .invalidWords
        }
    }

    @Test func `random text is words or an error`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of the random words: \(seed)")
        var random = SeededGenerator(seed: seed)
        let letters = Array("acornAR \u{0}\u{301}ß\u{1F600}-\n4é")
        for _ in 0..<2000 {
            let count = Int.random(in: 0..<80, using: &random)
            var text = ""
            for _ in 0..<count { text.append(letters.randomElement(using: &random) ?? " ") }
            if let words = try? FingerprintWords(parsing: text) {
                #expect(words.words.count == FingerprintWords.count)
            }
        }
    }

    @Test func `words are stored as one text`() throws {
        let text = try JSONText.encode(Self.proof.words)
        #expect(text == "\"\(Self.proof.words)\"")
        #expect(try JSONText.decode(FingerprintWords.self, from: text) == Self.proof.words)
        #expect(throws: (any Error).self) { try JSONText.decode(FingerprintWords.self, from: "\"acorn\"") }
    }
}
