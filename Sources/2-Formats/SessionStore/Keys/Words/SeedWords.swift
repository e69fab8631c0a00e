/// A list of 1,626 words in their order, in which Session's recovery passwords are written (fact sheet of Session, §5).
///
/// The lists are those of Electrum 1 and of Monero, as the package `monero` 1.1.1 of PyPI has them (`Copyright (c) 2017 Michał
/// Sałaban`, BSD license; the lists by dabura667, MIT license); `bip_utils` 2.12.3 has the same prefix lengths. The fact sheet
/// names the digest of the English one. A test compares all four with their digests.
struct SeedWords: Sendable {
    static let count = 1626

    /// As bytes of UTF-8: words of a recovery password are compared in guarded memory, and never become text.
    let all: [[UInt8]]

    init(lines: [String]) {
        all = lines.flatMap { $0.split(separator: ",").map { Array($0.utf8) } }
    }
}
