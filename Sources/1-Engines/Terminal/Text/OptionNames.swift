import ValiseEncoding

/// The options of a command, to find what is meant by one that is none of them.
package struct OptionNames {
    private static let mostProposals = 3
    private let names: [String]

    /// - Parameter help: of the command, as the parser makes it: each option begins a line.
    package init(help: String) {
        names = help.matches(of: #/(?m)^  (?:-\w, )?(--[a-z][a-z-]+)/#).map { String($0.output.1) }
    }

    /// What the parser says of options and values, in the words of these programs and with what may be meant.
    /// - Parameter synonyms: what other programs call an option, and what is typed here.
    package func worded(_ message: String, _ synonyms: [String: String]) -> String {
        completed(CommandTree.withoutUnlikelyOption(message), synonyms)
            .replacing(#/\. Please provide one of (.+)\.$/#) {
                ". Use \($0.output.1.replacing("'", with: "").replacing(" and ", with: " or "))."
            }
    }

    private func completed(_ message: String, _ synonyms: [String: String]) -> String {
        guard let typed = message.firstMatch(of: #/nknown option '([^']+)'$/#)?.output.1 else {
            return message
        }
        let meant = meant(by: String(typed), synonyms)
        return meant.isEmpty ? message : "\(message). Did you mean \(meant.quotedChoice)?"
    }

    private func meant(by typed: String, _ synonyms: [String: String]) -> [String] {
        if let meant = synonyms[typed], names.contains(meant) { return [meant] }
        let word = String(typed.drop { $0 == "-" })
        if let nearest = nearest(word) { return [nearest] }
        // One letter is the first of a name; a word is a part of one.
        let meant = names.filter {
            word.count == 1 ? $0.hasPrefix("--\(word)") : word.count > 2 && "\($0)-".contains("-\(word)-")
        }
        return meant.count > Self.mostProposals ? [] : meant
    }

    private func nearest(_ word: String) -> String? {
        func distance(_ name: String) -> Int { EditDistance.between(word, String(name.dropFirst(2))) }
        return names.filter { EditDistance.isMisspelling(word, of: String($0.dropFirst(2))) }
            .min { distance($0) < distance($1) }
    }
}

extension [String] {
    /// Such as `a, b or c`.
    package var choice: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }

    /// Such as `'a', 'b' or 'c'`.
    var quotedChoice: String { map { "'\($0)'" }.choice }
}
