/// Texts of many messages: 20 to 400 characters, made of words of which some are frequent and most are rare, so that a
/// search finds one thing or thousands.
struct BulkTexts {
    private let words: [String]

    static let shortest = 20
    static let longest = 400

    init(seed: UInt64) {
        var generator = SampleGenerator(seed: seed, purpose: "words")
        let onsets = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "st", "br", "ch"]
        let vowels = ["a", "e", "i", "o", "u", "ea", "ö"]
        words =
            SampleTexts.words
            + (0..<6000).map { _ in
                (0..<1 + generator.below(4)).map { _ in
                    generator.pick(onsets, or: "") + generator.pick(vowels, or: "")
                }.joined()
            }
    }

    /// One text; now and then with markdown, an address or an emoji.
    func next(_ generator: inout SampleGenerator) -> String {
        let length = Self.shortest + generator.below(Self.longest - Self.shortest - 40)
        var text = ""
        text.reserveCapacity(length + 60)
        var count = 0
        while count < length {
            let word = words[generator.below(1 + generator.below(words.count))]
            text += word
            text += " "
            count += word.utf8.count + 1
        }
        switch generator.below(40) {
        case 0: text += "*bold* and _italic_"
        case 1: text += "https://example.org/\(generator.below(10_000))"
        case 2, 3: text += "🙂"
        case 4: text += "#secret#"
        default: text += "."
        }
        return text
    }
}
