/// The names that stand behind an `@` in the texts of one item.
struct MentionNames {
    /// The mentions by their new names.
    let redacted: [String: Participant]
    /// Finds the old ones; nil where names stay, or nobody is mentioned.
    let finder: NameFinder?

    /// Members of the same name are told apart by a number, as in the texts.
    init(_ mentions: [String: Participant], _ redactor: ItemRedactor) {
        guard !mentions.isEmpty, redactor.hidesNames else {
            redacted = mentions.mapValues(redactor.participant)
            finder = nil
            return
        }
        var redacted: [String: Participant] = [:]
        var names: [(name: String, replacement: String)] = []
        for (text, member) in mentions.sorted(by: { $0.key < $1.key }) {
            let name = redactor.name(text)
            var unique = name
            var number = 0
            while redacted[unique] != nil {
                number += 1
                unique = "\(name)_\(number)"
            }
            redacted[unique] = redactor.participant(member)
            names.append((name: text, replacement: unique))
        }
        self.redacted = redacted
        finder = NameFinder(names, isEverywhere: true)
    }
}
