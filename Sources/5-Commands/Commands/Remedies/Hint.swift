import Valise
import ValiseTerminal

/// What a user can do, and the command or the options that do it.
struct Hint: Hashable {
    /// An infinitive without "to", or a whole instruction where neither a command nor an option does it.
    let action: String
    /// Such as `account recover`.
    var command: String?
    /// Whether the command is one of the system, such as `chmod 600`.
    private var isOfSystem = false
    /// Quoted for a shell. Nil where the command cannot be pasted: it is for another machine, or names something unknown.
    var arguments: String?
    /// Of `command`, or of the command that failed where there is none.
    var options: [String] = []
    /// What follows the options, such as what to give with them.
    var detail = ""

    init(_ action: String) { self.action = action }

    init(_ action: String, command: String, _ arguments: String?, options: [String] = []) {
        self.action = action
        self.command = command
        self.arguments = arguments
        self.options = options
    }

    /// - Parameter command: of the system, with its options, such as `chmod 600`.
    init(_ action: String, ofSystem command: String, _ path: FilePath) {
        self.init(action, ofSystem: command, arguments: ShellWord(path).text)
    }

    init(_ action: String, ofSystem command: String, arguments: String) {
        self.init(action, command: command, arguments)
        isOfSystem = true
    }

    init(_ action: String, options: String..., detail: String = "") {
        self.init(action, options: options, detail: detail)
    }

    init(_ action: String, options: [String], detail: String = "") {
        self.action = action
        self.options = options
        self.detail = detail.isEmpty ? "" : " \(detail)"
    }

    /// The command line, to be pasted into a shell.
    var line: String? {
        guard let arguments, let command else { return nil }
        let words = [program, arguments] + options + CallPassphrase.options(for: command, beside: options)
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// A line of its own below what it helps with.
    var note: String { Self.mark + text }
    static let mark = "hint: "

    /// For a line of its own.
    var text: String {
        if let line { return "to \(action), run: \(line)" }
        if command == nil, !options.isEmpty { return "to \(action), add \(choice)\(detail)" }
        return command == nil ? action : "to \(action), run: \(named)"
    }

    /// For the middle of a paragraph.
    var sentence: String {
        if command != nil { return "Run \(RemedyCommand.quoted(line ?? named)) to \(action)." }
        if !options.isEmpty { return "Add \(choice)\(detail) to \(action)." }
        return "\(action.prefix(1).uppercased())\(action.dropFirst())."
    }

    private var choice: String {
        options.count < 3
            ? options.joined(separator: " or ")
            : options.dropLast().joined(separator: ", ") + " or " + (options.last ?? "")
    }

    private var named: String { ([program] + options).joined(separator: " ") }

    /// The command with the program that has it.
    private var program: String { (isOfSystem ? "" : "valise ") + (command ?? "") }
}
