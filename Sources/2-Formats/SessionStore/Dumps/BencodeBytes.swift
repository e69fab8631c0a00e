import ValiseSecrets

/// A string of bytes in bt-encoding: a part of guarded memory, as it may be a key.
package struct BencodeBytes: Sendable {
    private let memory: SharedSecret
    private let range: Range<Int>

    /// A part of memory that holds all of a document.
    init(_ memory: SharedSecret, _ range: Range<Int>) {
        precondition(range.upperBound <= memory.bytes.count)
        (self.memory, self.range) = (memory, range)
    }

    /// A copy. Wipe the original where it was secret.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package init(copying bytes: some Collection<UInt8>) throws {
        memory = SharedSecret(try SecretBytes(copying: bytes))
        range = 0..<bytes.count
    }

    package var count: Int { range.count }

    /// - Parameter part: within these bytes.
    func part(_ part: Range<Int>) -> BencodeBytes {
        precondition(part.upperBound <= count)
        return BencodeBytes(
            memory, (range.lowerBound + part.lowerBound)..<(range.lowerBound + part.upperBound))
    }

    /// Lends the bytes. They must not be kept.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe memory.bytes.withBytes { bytes in
            try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }

    /// The bytes in ordinary memory: for what is known to be no secret.
    package func revealed() -> [UInt8] { unsafe withBytes { unsafe Array($0) } }
}

extension BencodeBytes: Equatable {
    /// Compares without a branch that depends on where a byte differs.
    package static func == (one: BencodeBytes, other: BencodeBytes) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe one.withBytes { one in
            unsafe other.withBytes { other in
                var difference: UInt8 = 0
                for place in 0..<one.count { unsafe difference |= one[place] ^ other[place] }
                return difference == 0
            }
        }
    }
}

extension BencodeBytes: CustomStringConvertible {
    /// What may be printed of it.
    package var description: String { "<redacted>" }
}
