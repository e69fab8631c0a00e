import ValiseEncoding
import ValiseSecrets

/// A text that is written straight to guarded memory.
@safe struct SecretText {
    /// Nil while only the length is found out.
    private let memory: UnsafeMutableRawBufferPointer?
    private var count = 0

    /// - Parameter write: called twice, and must write the same.
    static func make(_ write: (inout SecretText) throws -> Void) throws -> SecretBytes {
        var measure = unsafe SecretText(memory: nil)
        try write(&measure)
        return try unsafe SecretBytes(capacity: measure.count) { memory in
            var text = unsafe SecretText(memory: memory)
            try write(&text)
            return text.count
        }
    }

    private init(memory: UnsafeMutableRawBufferPointer?) { unsafe self.memory = unsafe memory }

    private mutating func take(_ length: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        if let memory = unsafe memory {
            unsafe fill(UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + length]))
        }
        count += length
    }

    /// What is no secret.
    mutating func append(_ text: String) {
        unsafe take(text.utf8.count) { unsafe $0.copyBytes(from: text.utf8) }
    }

    mutating func append(_ byte: UInt8) { unsafe take(1) { unsafe $0[0] = byte } }

    mutating func appendBase64(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe appendBase64($0) }
    }

    mutating func appendBase64(_ bytes: UnsafeRawBufferPointer) {
        unsafe take(Base64URL.encodedCount(bytes.count)) { unsafe Base64URL.encode(bytes, into: $0) }
    }

    mutating func appendBase64(_ seed: SecretSeed) {
        unsafe seed.withBytes { unsafe appendBase64($0) }
    }

    mutating func appendPrivateKey(_ seed: SecretSeed) {
        unsafe take(PrivateKeyText.byteCount) { unsafe PrivateKeyText.encode(seed, into: $0) }
    }
}
