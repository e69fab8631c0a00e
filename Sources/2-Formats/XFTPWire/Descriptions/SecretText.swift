import ValiseEncoding
import ValiseSecrets

/// A text that is written straight to guarded memory.
struct SecretText {
    /// Nil while only the length is found out.
    private let memory: UnsafeMutableRawBufferPointer?
    private var count = 0

    /// - Parameter write: called twice, and must write the same.
    static func make(_ write: (inout SecretText) throws -> Void) throws -> SecretBytes {
        var measure = SecretText(memory: nil)
        try write(&measure)
        return try SecretBytes(capacity: measure.count) { memory in
            var text = SecretText(memory: memory)
            try write(&text)
            return text.count
        }
    }

    private init(memory: UnsafeMutableRawBufferPointer?) { self.memory = memory }

    private mutating func take(_ length: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        if let memory { fill(UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + length])) }
        count += length
    }

    /// What is no secret.
    mutating func append(_ text: String) {
        take(text.utf8.count) { $0.copyBytes(from: text.utf8) }
    }

    mutating func append(_ byte: UInt8) { take(1) { $0[0] = byte } }

    mutating func appendBase64(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { appendBase64($0) }
    }

    mutating func appendBase64(_ bytes: UnsafeRawBufferPointer) {
        take(Base64URL.encodedCount(bytes.count)) { Base64URL.encode(bytes, into: $0) }
    }

    mutating func appendBase64(_ seed: SecretSeed) {
        seed.withBytes { appendBase64($0) }
    }

    mutating func appendPrivateKey(_ seed: SecretSeed) {
        take(PrivateKeyText.byteCount) { PrivateKeyText.encode(seed, into: $0) }
    }
}
