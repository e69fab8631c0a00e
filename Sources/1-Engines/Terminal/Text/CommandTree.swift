import ValiseEncoding

/// The names of a program's commands, to find what is meant by one that is none of them.
package struct CommandTree {
    private let name: String
    private let commands: [CommandTree]

    /// Commands that change nothing, and those that only write something new. Where another group was named, only these are
    /// proposed: whoever pastes a proposal must not delete something else.
    private static let harmless: Set = [
        "audit", "check", "diff", "export", "extract", "find", "info", "list", "plan", "sql", "status",
        "verify",
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
                let proposals = proposals(
                    for: word, in: group, after: String(path.dropLast(word.count)), synonyms)
                let question = proposals.isEmpty ? "" : ". Did you mean \(proposals.quotedChoice)?"
                return "unknown command '\(word)'\(question)"
            }
            group = found
        }
        return nil
    }

    /// - Parameter before: what was typed before the word, with a space behind it; may be empty.
    private func proposals(
        for word: String, in group: CommandTree, after before: String, _ synonyms: [String: String]
    ) -> [String] {
        let exact = typed(synonyms[before + word])
        if !exact.isEmpty { return exact }
        let same = elsewhere(before.isEmpty) { $0 == word }
        if !same.isEmpty { return same }
        let near = group.nearest(word)
        if !near.isEmpty { return near }
        let similar = typed(Self.misspelled(word, after: before, synonyms))
        return similar.isEmpty
            ? elsewhere(before.isEmpty) { EditDistance.isMisspelling(word, of: $0) } : similar
    }

    /// Arguments in which the word `help` stands before the group that it follows, where the parser knows it.
    package func withHelpFirst(_ arguments: [String]) -> [String] {
        guard arguments.count > 1, arguments[1] == "help",
            commands.contains(where: { $0.name == arguments[0] && !$0.commands.isEmpty })
        else { return arguments }
        return ["help", arguments[0]] + arguments.dropFirst(2)
    }

    /// What a synonym stands for, with the program's name; empty where there is none such.
    private func typed(_ meant: String?) -> [String] {
        guard let meant, meant.hasPrefix("--") || commands.contains(where: { meant.hasPrefix("\($0.name) ") })
        else { return [] }
        return ["\(name) \(meant)"]
    }

    /// What a synonym stands for that is spelled almost so.
    private static func misspelled(
        _ word: String, after group: String, _ synonyms: [String: String]
    ) -> String? {
        let words = synonyms.keys.filter { $0.hasPrefix(group) }.map { String($0.dropFirst(group.count)) }
        let meant = words.sorted().first { !$0.contains(" ") && EditDistance.isMisspelling(word, of: $0) }
        return meant.flatMap { synonyms[group + $0] }
    }

    /// Commands in any group, as they are typed.
    /// - Parameter isAny: whether they may change something, because no other group was named.
    private func elsewhere(_ isAny: Bool, _ isMeant: (String) -> Bool) -> [String] {
        commands.flatMap { group in
            group.commands.map(\.name).filter { isMeant($0) && (isAny || Self.harmless.contains($0)) }
                .map { "\(name) \(group.name) \($0)" }
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
