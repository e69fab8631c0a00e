import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing

@testable import ValiseTerminal

struct ShellWordTests {
    @Test(arguments: [
        ("/home/user/account", "/home/user/account"),
        ("backup-2026,1.zip", "backup-2026,1.zip"),
        ("two words", "'two words'"),
        ("it's", #"'it'\''s'"#),
        (#"a"b"#, #"'a"b'"#),
        ("$HOME `id` $(id)", "'$HOME `id` $(id)'"),
        (#"back\slash"#, #"'back\slash'"#),
        ("a;b&c|d<e>f(g)*?[h]{i}#j!k", "'a;b&c|d<e>f(g)*?[h]{i}#j!k'"),
        ("~user", "'~user'"),
        ("=ls", "'=ls'"),
        ("Größe", "'Größe'"),
        ("-x", "./-x"),
        ("-two words", "'./-two words'"),
        ("--force", "./--force"),
    ])
    func `a path is quoted where a shell would do something with it`(path: String, word: String) {
        #expect(ShellWord(FilePath(path)).text == word)
    }

    @Test(arguments: [
        ("a\nb", #"$'a\nb'"#),
        ("a\tb", #"$'a\tb'"#),
        ("\u{1b}[31mred", #"$'\033[31mred'"#),
        ("it's\n", #"$'it\'s\n'"#),
        ("back\\slash\r", #"$'back\\slash\015'"#),
        ("a\u{7f}!", #"$'a\177\041'"#),
        // Turns the direction of what follows.
        ("gpj.\u{202e}exe", #"$'gpj.\342\200\256exe'"#),
        ("next\u{85}line", #"$'next\302\205line'"#),
        ("-\n", #"$'./-\n'"#),
    ])
    func `control characters are escaped, so that none is shown`(path: String, word: String) {
        #expect(ShellWord(FilePath(path)).text == word)
    }

    @Test func `an empty argument is a word too, and a path of bytes that are no text has them`() {
        #expect(ShellWord("").text == "''")
        let bytes: [CChar] = [97, CChar(bitPattern: 0xff), 98, 0]
        let path = bytes.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) }
        #expect(ShellWord(path).text == #"$'a\377b'"#)
    }

    @Test func `the value of an option that begins with a dash is in one word with it`() {
        #expect(ShellWord.option("--prefix", "chat") == "--prefix chat")
        #expect(ShellWord.option("--prefix", "my chat") == "--prefix 'my chat'")
        #expect(ShellWord.option("--prefix", "-x y") == "--prefix='-x y'")
    }

    @Test func `options of a call are typed into another one, in whatever form they were`() {
        func options(_ arguments: String...) -> [String] {
            ShellWord.options(["--file", "--command"], flags: ["--none"], in: arguments)
        }
        #expect(options("check", "a", "--file", "my key") == ["--file 'my key'"])
        #expect(options("--file=my key", "--none") == ["--file 'my key'", "--none"])
        #expect(options("--command", "--file", "--files", "b") == ["--command=--file"])
        #expect(options("--file").isEmpty)
        #expect(options("a", "--", "--file", "b").isEmpty)
    }

    @Test func `a shell that words are pasted into has the arguments, byte for byte`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let special = Array(" '\"\\$`!~=-\n\t\u{1b}*?[](){}<>|&;#%é\u{202e}".utf8) + [0x80, 0xff]
        let arguments = (0..<200).map { _ in
            (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? special.randomElement(using: &generator) ?? 97
                    : UInt8.random(in: 1...255, using: &generator)
            }
        }
        let words = arguments.map { bytes in
            let platform = bytes.map { CChar(bitPattern: $0) } + [0]
            return platform.withUnsafeBufferPointer {
                ShellWord(FilePath(platformString: $0.baseAddress!)).text
            }
        }
        #expect(!words.contains { $0.unicodeScalars.contains { $0.value < 32 } })
        let answer = try Self.bash("printf '%s\\0' " + words.joined(separator: " "))
        let found = answer.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Array($0) }
        // Paths have no empty components, and one that begins with a dash begins with the folder.
        let expected = arguments.map { bytes in
            let platform = bytes.map { CChar(bitPattern: $0) } + [0]
            let path = platform.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) }
            let normal = path.withPlatformString {
                Array(UnsafeRawBufferPointer(start: $0, count: path.length))
            }
            return bytes.first == UInt8(ascii: "-") ? Array("./".utf8) + normal : normal
        }
        #expect(found == expected, "VALISE_SEED=\(seed)")
    }

    private static func bash(_ script: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["--norc", "-c", script]
        let output = Pipe.uninherited()
        process.standardOutput = output
        try process.start()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Array(bytes)
    }
}
