import FaultInjection
import Foundation
import Testing
import ValiseFailures
import ValiseSecrets

@testable import ValiseSessionStore

/// What is wrong with words is told apart.
struct MisspelledPasswordTests {
    private static let words =
        "amaze buffet cake entrance symptoms tiger lamb maze nestle python dusted faxed faxed"
        .split(separator: " ").map(String.init)

    private func problem(
        in language: RecoveryLanguage? = nil, _ change: (inout [String]) -> Void
    ) throws -> RecoveryPasswordError.Problem? {
        var words = Self.words
        change(&words)
        return try PhraseSamples.problem(words.joined(separator: " "), in: language)
    }

    @Test func `a misspelled word is named by its place, with those that it resembles`() throws {
        #expect(
            try problem { $0[3] = "xntrance" }
                == .unknownWords([.init(place: 4, nearest: ["entrance"])], .english))
        #expect(
            try problem { $0[0] = "zamaze" } == .unknownWords([.init(place: 1, nearest: ["amaze"])], .english)
        )
        let two = try problem {
            $0[5] = "ztiger"
            $0[12] = "qqqqqqq"
        }
        guard case .unknownWords(let unknown, .english) = two else {
            Issue.record("\(two as Any)")
            return
        }
        try #require(unknown.map(\.place) == [6, 13])
        #expect(unknown[0].nearest.contains("tiger"))
        #expect(unknown[1].nearest.isEmpty)
        #expect(unknown.allSatisfy { $0.nearest.count <= 3 })
        // A letter too few to tell a word from others.
        guard case .unknownWords(let short, .english) = try problem({ $0[2] = "ca" }) else {
            Issue.record("two letters were taken")
            return
        }
        #expect(short.map(\.place) == [3])
    }

    @Test func `a wrong checksum is no misspelled word`() throws {
        #expect(try problem { $0[12] = "tiger" } == .checksum(doubtful: [], .english))
        #expect(try problem { $0[1] = "cake" } == .checksum(doubtful: [], .english))
        // A word that only begins as one of the list is taken, as Session takes it, and is where to look first.
        #expect(try problem { $0[2] = "cakes" } == nil)
        var typed = Self.words
        typed[2] = "cakes"
        #expect(try PhraseSamples.read(typed.joined(separator: " ")).inexact == [3])
        let doubtful = try problem {
            $0[2] = "cakes"
            $0[12] = "tiger"
        }
        guard case .checksum(let words, .english) = doubtful else {
            Issue.record("\(doubtful as Any)")
            return
        }
        #expect(words.map(\.place) == [3])
        #expect(words.first?.nearest.contains("cake") == true)
        // So is one whose first letters are those of another word.
        #expect(
            try problem { $0[3] = "netrance" }
                == .checksum(doubtful: [.init(place: 4, nearest: ["entrance"])], .english))
    }

    @Test func `most words that changed places are found`() throws {
        var found = 0
        for place in 0..<11 where try problem({ $0.swapAt(place, place + 1) }) != nil { found += 1 }
        #expect(found >= 7, "the checksum has one of twelve values")
    }

    @Test func `a wrong number of words is told`() throws {
        for count in [0, 1, 12, 14, 25] {
            let text = (0..<count).map { _ in "abbey" }.joined(separator: " ")
            #expect(try PhraseSamples.problem(text) == .wordCount(count))
        }
        #expect(try PhraseSamples.problem(String(repeating: "abbey ", count: 2000)) == .tooLong)
        #expect(try PhraseSamples.problem(String(repeating: " ", count: 4096)) == .wordCount(0))
    }

    @Test func `three words that stand for more than 32 bits are refused`() throws {
        // The last word three times over: the third of the differences is the highest.
        let list = RecoveryLanguage.english.words.all.map { String(decoding: $0, as: UTF8.self) }
        let (first, second, third) = (list[1625], list[1624], list[1623])
        var words =
            Array(repeating: list[0], count: 3) + [first, second, third] + Array(repeating: list[0], count: 6)
        var problems: Set<RecoveryPasswordError.Problem?> = []
        for word in Set(words) {
            words = Array(words.prefix(12)) + [word]
            problems.insert(try PhraseSamples.problem(words.joined(separator: " ")))
        }
        #expect(problems.contains(.impossible(place: 4, .english)))
        #expect(!problems.contains(nil))
    }

    @Test func `the language is found, misspelled words or not`() throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("languages"))
        for language in RecoveryLanguage.allCases {
            for _ in 0..<8 {
                let entropy = AttachmentVectors.random(16, &random)
                let password = try RecoveryPassword(entropy: AttachmentVectors.secret(entropy))
                var words = PhraseSamples.text(try password.words(in: language).bytes).split(separator: " ")
                #expect(try PhraseSamples.read(words.joined(separator: " ")).language == language)
                words[4] = "xqzk"
                guard
                    case .unknownWords(let unknown, let found) = try PhraseSamples.problem(
                        words.joined(separator: " "))
                else {
                    Issue.record("a word that is none was taken")
                    continue
                }
                #expect(unknown.map(\.place) == [5])
                #expect(found == language)
            }
        }
    }

    @Test func `accents that are missing are proposed`() throws {
        let text = try AttachmentVectors.cases("peers", "recovery_passwords")
            .filter { $0["language"] as? String == "spanish" }
            .compactMap { $0["words"] as? String }.first { !$0.utf8.allSatisfy { $0 < 128 } }
        let words = try #require(text).split(separator: " ").map(String.init)
        let place = try #require(words.firstIndex { $0.prefix(4).utf8.count > 4 })
        var typed = words
        typed[place] = words[place].applyingTransform(.stripDiacritics, reverse: false) ?? ""
        guard
            case .unknownWords(let unknown, .spanish)? = try PhraseSamples.problem(
                typed.joined(separator: " "))
        else {
            Issue.record("\(typed[place]) was taken")
            return
        }
        #expect(unknown.first?.place == place + 1)
        #expect(unknown.first?.nearest.contains(words[place]) == true)
    }

    @Test func `no message has a word of the secret`() throws {
        var problems = [
            try problem { $0[3] = "netrance" }, try problem { $0[3] = "xntrance" },
            try problem { $0[12] = "tiger" },
            try problem { _ = $0.popLast() },
            .tooLong, .noRecoveryPassword, .impossible(place: 4, .english),
        ]
        problems.append(
            .unknownWords([.init(place: 4, nearest: []), .init(place: 6, nearest: [])], .english))
        for problem in problems {
            let error = RecoveryPasswordError(try #require(problem))
            for word in Self.words + ["ntrance", "abbey"] {
                #expect(!error.description.contains(word), "\(error)")
            }
            #expect(error.message.first?.isLowercase == true)
        }
        #expect(
            RecoveryPasswordError(.unknownWords([.init(place: 4, nearest: [])], .spanish)).message
                == "not in the Spanish list: word 4 of the recovery password")
        #expect(
            RecoveryPasswordError(
                .unknownWords([.init(place: 4, nearest: []), .init(place: 6, nearest: [])], .english)
            ).message == "not in the English list: words 4, 6 of the recovery password")
    }

    @Test func `bytes that are no text are no words`() throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("bytes as words"))
        for _ in 0..<300 {
            let bytes = AttachmentVectors.random(Int.random(in: 0...200, using: &random), &random)
            #expect(throws: RecoveryPasswordError.self) {
                try RecoveryPassword.read(SecretBytes(copying: bytes))
            }
        }
    }
}
