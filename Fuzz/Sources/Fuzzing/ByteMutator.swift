import Foundation

/// Mutations of bytes for where libFuzzer is not: bits, runs, numbers at the borders, words of a dictionary, parts of other
/// inputs.
public struct ByteMutator {
    private var random: FuzzRandom
    private let words: [[UInt8]]
    private let corpus: [[UInt8]]
    private let longest: Int

    /// - Parameters:
    ///   - seed: decides all.
    ///   - dictionary: in the form that libFuzzer reads.
    ///   - corpus: inputs that parts are taken from; one at least.
    ///   - longest: the most bytes of an input.
    public init(seed: UInt64, dictionary: String, corpus: [[UInt8]], longest: Int = 20_480) {
        random = FuzzRandom(seed)
        words = dictionary.split(separator: "\n").compactMap(Self.word)
        self.corpus = corpus
        self.longest = longest
    }

    /// An input that was none before, as a rule.
    ///
    /// - Parameter forge: what knows the format, and may pass; asked half of the time.
    public mutating func next(forge: ([UInt8], inout FuzzRandom) -> [UInt8]? = { _, _ in nil }) -> [UInt8] {
        var bytes = corpus[random.below(corpus.count)]
        if random.once(in: 2), let forged = forge(bytes, &random) { return Array(forged.prefix(longest)) }
        for _ in 0...random.below(4) { mutate(&bytes) }
        return Array(bytes.prefix(longest))
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = random.below(bytes.count + 1)
        let length = min(random.below(32), bytes.count - place)
        switch random.below(8) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << random.below(8)
        case 1 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.removeSubrange(place..<place + length)
        case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: random.below(bytes.count + 1))
        case 4 where !words.isEmpty: bytes.insert(contentsOf: words[random.below(words.count)], at: place)
        case 5: putNumber(into: &bytes, at: place)
        case 6:
            let other = corpus[random.below(corpus.count)]
            bytes.replaceSubrange(place..., with: other.dropFirst(random.below(other.count + 1)))
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        }
    }

    /// Numbers at which lengths and offsets break, little or big end first.
    private mutating func putNumber(into bytes: inout [UInt8], at place: Int) {
        let borders: [UInt64] = [
            0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, .max >> 1, .max,
        ]
        let number = borders[random.below(borders.count)]
        let width = [1, 2, 4, 8][random.below(4)]
        var digits = (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        if random.once(in: 2) { digits.reverse() }
        let end = min(bytes.count, place + width)
        bytes.replaceSubrange(place..<end, with: digits.prefix(end - place))
    }

    /// A line `name="bytes"`, where `\\xAB`, `\\\\` and `\\"` stand for what cannot be written.
    private static func word(_ line: Substring) -> [UInt8]? {
        guard !line.hasPrefix("#"), let start = line.firstIndex(of: "\""), let end = line.lastIndex(of: "\""),
            start < end
        else { return nil }
        var word: [UInt8] = []
        var rest = line[line.index(after: start)..<end].utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                word.append(byte)
                continue
            }
            guard escaped == UInt8(ascii: "x") else {
                word.append(escaped)
                continue
            }
            word.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return word.isEmpty ? nil : word
    }
}
