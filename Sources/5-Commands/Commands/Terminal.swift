import CValisePlatform
import Valise

/// Talks with the user at the terminal, whatever the standard streams are connected to.
enum Terminal {
    private static func open() throws -> FileDescriptor {
        try FileDescriptor.open("/dev/tty", .readWrite, options: [.closeOnExec])
    }

    /// Whether there is a user to ask.
    static var isThere: Bool {
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
    static func askSecret(_ prompt: String) throws -> SecretBytes {
        let terminal = try open()
        defer { try? terminal.close() }
        try ask(prompt, on: terminal)
        guard valise_echo_off(terminal.rawValue) else {
            throw CommandError(.failed, "cannot turn off terminal echo, so the passphrase would be visible")
        }
        defer {
            valise_echo_on(terminal.rawValue)
            _ = try? terminal.writeAll([UInt8(ascii: "\n")])
        }
        return try SecretBytes(capacity: 4096) { memory in
            var count = 0
            while count < memory.count, count == 0 || memory[count - 1] != UInt8(ascii: "\n") {
                let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
                let got = try terminal.read(into: rest, checkpoint: checkpoint)
                // The end of input, as Control-D types it.
                guard got > 0 else { throw Interruption() }
                count += got
            }
            return PassphraseLine.withoutBreak(memory, count)
        }
    }

    /// Shows a secret between two texts, copied nowhere on its way.
    static func show(_ before: String, _ secret: borrowing SecretBytes, _ after: String) throws {
        let terminal = try open()
        defer { try? terminal.close() }
        _ = try terminal.writeAll(Array(before.utf8))
        _ = try secret.withBytes { try terminal.writeAll($0) }
        _ = try terminal.writeAll(Array(after.utf8))
    }

    /// Asks a yes-or-no question; anything but y is no.
    static func confirm(_ question: String) throws -> Bool {
        ["y", "yes"].contains(try askLine("\(question) (y/N) ").lowercased())
    }

    /// Asks for a line that is not secret.
    /// - Returns: the line without its break.
    static func askLine(_ prompt: String) throws -> String {
        let terminal = try open()
        defer { try? terminal.close() }
        try ask(prompt, on: terminal)
        // Control-C leaves the cursor behind the prompt.
        var isAnswered = false
        defer { if !isAnswered { _ = try? terminal.writeAll([UInt8(ascii: "\n")]) } }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = try answer.withUnsafeMutableBytes {
            try terminal.read(into: $0, checkpoint: checkpoint)
        }
        // Control-C, and Enter before this looked: that is no answer.
        try checkpoint()
        isAnswered = true
        let line = answer[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(decoding: line, as: UTF8.self)
    }
}
