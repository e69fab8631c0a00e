import ValiseCryptography

/// The first 16 bytes of a SHA-256, by which messages of several stores are compared.
struct MergeDigest: Hashable, Comparable, Sendable {
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// - Parameter parts: each with its length, so that no two lists are the same text.
    init(_ parts: [String]) {
        var bytes: [UInt8] = []
        for part in parts {
            let text = Array(part.utf8)
            bytes += Array("\(text.count):".utf8)
            bytes += text
        }
        let hash = SHA256.hash(bytes)
        func number(_ range: Range<Int>) -> UInt64 { hash[range].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: number(0..<8), low: number(8..<16))
    }

    /// Another one for each number; the same for 0.
    func repeated(_ number: Int) -> MergeDigest {
        number == 0 ? self : MergeDigest(["repeated", "\(high)", "\(low)", "\(number)"])
    }

    /// The numbers of JSON that every program reads exactly have as many bits.
    private static let numberBits: UInt64 = 53

    /// A number in its place.
    var number: Int64 { Int64(high >> (64 - Self.numberBits)) }

    static func < (left: MergeDigest, right: MergeDigest) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
