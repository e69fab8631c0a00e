import CValisePlatform
import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

/// Talks with the user at the terminal, whatever the standard streams are connected to.
package enum Terminal {
    private static func open() throws -> FileDescriptor {
        try FileDescriptor.open(FilePath("/dev/tty"), .readWrite, options: [.closeOnExec])
    }

    /// Whether there is a user to ask.
    package static var isThere: Bool {
        guard let terminal = try? open() else { return false }
        try? terminal.close()
        return true
    }

    private static func ask(_ prompt: String, on terminal: FileDescriptor) throws {
        let text = TerminalText.wrapped(prompt, to: StandardStreams.width(of: terminal))
        _ = try terminal.writeAll(Array(text.utf8))
    }

    private static func checkpoint() throws {
        if valise_interrupted() { throw Interruption() }
    }

    /// Asks without showing the answer, which goes straight into guarded memory.
    package static func askSecret(_ prompt: String) throws -> SecretBytes {
        let terminal = try open()
        defer { try? terminal.close() }
        guard valise_echo_off(terminal.rawValue) else {
            throw TerminalError(.failed, "cannot turn off terminal echo, so the passphrase would be visible")
        }
        defer {
            valise_echo_on(terminal.rawValue)
            _ = try? terminal.writeAll([UInt8(ascii: "\n")])
        }
        // Behind echo: whoever answers as soon as there is a prompt is not seen, either.
        try ask(prompt, on: terminal)
        return try unsafe SecretBytes(capacity: 4096) { memory in
            var count = 0
            while count < memory.count, unsafe count == 0 || memory[count - 1] != UInt8(ascii: "\n") {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
                let got = try unsafe terminal.read(into: rest, checkpoint: checkpoint)
                // The end of input, as Control-D types it.
                guard got > 0 else { throw Interruption() }
                count += got
            }
            return unsafe PassphraseLine.withoutBreak(memory, count)
        }
    }

    /// Shows a secret between two texts, copied nowhere on its way.
    package static func show(_ before: String, _ secret: borrowing SecretBytes, _ after: String) throws {
        let terminal = try open()
        defer { try? terminal.close() }
        _ = try terminal.writeAll(Array(before.utf8))
        _ = try unsafe secret.withBytes { try unsafe terminal.writeAll($0) }
        _ = try terminal.writeAll(Array(after.utf8))
    }

    /// Asks a yes-or-no question; anything but y is no.
    package static func confirm(_ question: String) throws -> Bool {
        ["y", "yes"].contains(try askLine("\(question) (y/N) ").lowercased())
    }

    /// Asks for a name that the user types to confirm what cannot be undone; anything else is no.
    package static func confirm(_ question: String, typing name: String) throws -> Bool {
        try askLine("\(question)\nType \(name) to confirm: ").trimmed == name.trimmed
    }

    /// Asks for a line until it has the form that it should have.
    ///
    /// - Parameters:
    ///   - prompt: the first question.
    ///   - attempts: how many lines are asked for.
    ///   - again: the next question, from what is wrong with a line.
    ///   - parse: makes a value of a line, or throws what is wrong with it.
    /// - Throws: `Interruption` for an empty line; what the last attempt threw.
    package static func ask<Value, Problem: Error>(
        _ prompt: String, attempts: Int, again: (Problem) -> String, parse: (String) throws(Problem) -> Value
    ) throws -> Value {
        var prompt = prompt
        for attempt in 1...attempts {
            let line = try askLine(prompt)
            guard !line.isEmpty else { throw Interruption() }
            do throws(Problem) {
                return try parse(line)
            } catch {
                guard attempt < attempts else { throw error }
                prompt = again(error)
            }
        }
        throw Interruption()
    }

    /// Asks for a line that is not secret.
    /// - Returns: the line without its break.
    package static func askLine(_ prompt: String) throws -> String {
        let terminal = try open()
        defer { try? terminal.close() }
        try ask(prompt, on: terminal)
        // Control-C leaves the cursor behind the prompt.
        var isAnswered = false
        defer { if !isAnswered { _ = try? terminal.writeAll([UInt8(ascii: "\n")]) } }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = try unsafe answer.withUnsafeMutableBytes {
            try unsafe terminal.read(into: $0, checkpoint: checkpoint)
        }
        // Control-C, and Enter before this looked: that is no answer.
        try checkpoint()
        isAnswered = true
        let line = answer[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(decoding: line, as: UTF8.self)
    }
}

extension String {
    fileprivate var trimmed: Substring {
        let start = self.drop { $0.isWhitespace }
        return start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count)
    }
}
