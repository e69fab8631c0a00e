import ValiseEncoding
import ValiseSecrets

/// A JSON document with keys in it: they stay in guarded memory, and the parser sees their places instead.
///
/// Each run of 64 hexadecimal digits or more is replaced by as many that say where it begins, so that the parser never has it.
/// They begin with a random number: no text of the document can be taken for one of them.
struct MaskedDocument: ~Copyable {
    private let bytes: SecretBytes
    private let prefix: String
    /// The document without its keys.
    let node: JSONNode

    private static let shortestKey = 64

    /// Nil where the bytes are no JSON.
    init?(_ bytes: consuming SecretBytes) {
        let prefix = Hexadecimal.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        guard let node = JSONNode(parsing: Self.masked(bytes, prefix)) else { return nil }
        self.bytes = bytes
        self.prefix = prefix
        self.node = node
    }

    private static func masked(_ bytes: borrowing SecretBytes, _ prefix: String) -> [UInt8] {
        unsafe bytes.withBytes { bytes in
            var text: [UInt8] = []
            text.reserveCapacity(bytes.count)
            var place = 0
            while place < bytes.count {
                let start = place
                while place < bytes.count, unsafe Hexadecimal.value(bytes[place]) != nil { place += 1 }
                if place - start >= shortestKey {
                    text += mark(start, length: place - start, prefix)
                } else {
                    unsafe text.append(contentsOf: bytes[start..<place])
                }
                if place < bytes.count { unsafe text.append(bytes[place]) }
                place += 1
            }
            return text
        }
    }

    private static func mark(_ place: Int, length: Int, _ prefix: String) -> [UInt8] {
        let digits = String(place)
        let zeros = String(repeating: "0", count: length - prefix.utf8.count - digits.utf8.count)
        return Array((prefix + zeros + digits).utf8)
    }

    /// The 32 bytes of a key.
    ///
    /// - Parameter node: of this document.
    /// - Returns: nil for anything but a text of 64 digits.
    /// - Throws: `SecretsError` when no guarded memory is available.
    borrowing func key(_ node: JSONNode?) throws -> SecretBytes? {
        guard case .text(let mark)? = node, mark.utf8.count == Self.shortestKey, mark.hasPrefix(prefix),
            let place = Int(mark.dropFirst(prefix.count)), place >= 0,
            place <= bytes.count - Self.shortestKey
        else { return nil }
        let isKey = unsafe bytes.withBytes { digits in
            unsafe digits[place..<place + Self.shortestKey].allSatisfy { Hexadecimal.value($0) != nil }
        }
        guard isKey else { return nil }
        return try unsafe SecretBytes(capacity: Self.shortestKey / 2) { memory in
            unsafe bytes.withBytes { digits in
                for index in memory.indices {
                    let high = unsafe Hexadecimal.value(digits[place + 2 * index]) ?? 0
                    let low = unsafe Hexadecimal.value(digits[place + 2 * index + 1]) ?? 0
                    unsafe memory[index] = high << 4 | low
                }
            }
            return memory.count
        }
    }
}
