import ValiseEncoding

/// How much of the content of a store a verification reads.
package enum VerificationShare: Sendable, Hashable {
    /// Only whether everything is there, and what small objects say.
    case none
    case all
    /// Part `number`, from 1, of `count` parts: files by the digest of their paths, other chunks by their names. All parts
    /// together are everything.
    case part(Int, of: Int)

    /// More parts than these have nothing to read.
    package static let mostParts = 10_000

    /// - Throws: ``ContentStoreError``: `invalid` for a part that there is not.
    func check() throws(ContentStoreError) {
        guard case .part(let number, let count) = self else { return }
        guard (1...Self.mostParts).contains(count), (1...count).contains(number) else {
            throw ContentStoreError(.invalid, "no part \(number) of \(Count.text(count, "part")) exists")
        }
    }

    /// Whether what has this digest is read.
    func contains(_ digest: ContentDigest) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .part(let number, let count): Int(digest.words.0 % UInt64(count)) == number - 1
        }
    }
}
