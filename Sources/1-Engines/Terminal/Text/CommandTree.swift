import ValiseEncoding

/// The names of a program's commands, to find what is meant by one that is none of them.
package struct CommandTree {
    private let name: String
    private let commands: [CommandTree]

    /// Commands that change nothing. Where another group was named, only these are proposed: whoever pastes a proposal must
    /// not delete something else.
    private static let reading: Set = [
        "audit", "check", "diff", "find", "info", "list", "plan", "sql", "status", "verify",
    ]

    /// - Parameters:
    ///   - name: of the program, of a group or of a command.
    ///   - commands: those of the program or group; empty for a command.
    package init(_ name: String, _ commands: [CommandTree] = []) {
        self.name = name
        self.commands = commands
    }

    /// A sentence about the first word that should be a command and is none, with what may be meant.
    ///
    /// - Parameters:
    ///   - arguments: of the program.
    ///   - synonyms: what other programs call something, with its group where only that makes it clear, and what is typed
    ///     here.
    /// - Returns: nil where each command exists.
    package func unknown(_ arguments: [String], _ synonyms: [String: String]) -> String? {
        var (group, path) = (self, "")
        for word in arguments where !group.commands.isEmpty {
            if word.hasPrefix("-") || word == "help" { return nil }
            path += path.isEmpty ? word : " \(word)"
            guard let found = group.commands.first(where: { $0.name == word }) else {
                let isOffered = path == word || Self.reading.contains(word)
                let meant = elsewhere(word, synonyms[path], isOffered)
                let proposals = meant.isEmpty ? group.nearest(word) : meant
                let question =
                    proposals.isEmpty ? "" : ". Did you mean '\(proposals.joined(separator: "' or '"))'?"
                return "unknown command '\(word)'\(question)"
            }
            group = found
        }
        return nil
    }

    /// What is meant by a synonym; else, where they are offered, the commands of this name in any group.
    private func elsewhere(_ word: String, _ meant: String?, _ isOffered: Bool) -> [String] {
        if let meant, meant.hasPrefix("--") || commands.contains(where: { meant.hasPrefix("\($0.name) ") }) {
            return ["\(name) \(meant)"]
        }
        guard isOffered else { return [] }
        return commands.filter { $0.commands.contains { $0.name == word } }.map {
            "\(name) \($0.name) \(word)"
        }
    }

    private func nearest(_ word: String) -> [String] {
        let distances = commands.map { (name: $0.name, distance: EditDistance.between($0.name, word)) }
        let nearest = distances.min { $0.distance < $1.distance }
        return nearest.map { EditDistance.isMisspelling(word, of: $0.name) ? [$0.name] : [] } ?? []
    }

    // MARK: Options

    /// What the parser says of an unknown option, without a proposal that resembles it too little: the parser proposes
    /// whatever differs in fewer than four letters.
    package static func withoutUnlikelyOption(_ message: String) -> String {
        guard let match = message.firstMatch(of: #/'-+([^']+)'(\. Did you mean '-+([^']+)'\?)/#),
            !EditDistance.isMisspelling(String(match.output.1), of: String(match.output.3))
        else { return message }
        var message = message
        message.removeSubrange(match.output.2.startIndex..<match.output.2.endIndex)
        return message
    }
}
