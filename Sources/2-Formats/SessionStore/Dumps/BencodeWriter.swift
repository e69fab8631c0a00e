package import ValiseSecrets

extension BencodeValue {
    /// The one form of the value.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func encoded() throws -> SharedSecret {
        SharedSecret(
            try unsafe SecretBytes(capacity: BencodeSize.of(self)) { memory in
                var writer = unsafe BencodeWriter(memory)
                writer.write(self)
                return writer.end
            })
    }
}

/// How long values become.
private enum BencodeSize {
    static func of(_ value: BencodeValue) -> Int {
        switch value {
        case .integer(let number): "\(number)".utf8.count + 2
        case .large(let number): "\(number)".utf8.count + 2
        case .bytes(let bytes): string(bytes.count)
        case .list(let values): values.reduce(2) { $0 + of($1) }
        case .dictionary(let dictionary):
            dictionary.entries.reduce(2) { $0 + string($1.key.count) + of($1.value) }
        }
    }

    private static func string(_ count: Int) -> Int { "\(count)".utf8.count + 1 + count }
}

/// Writes values to memory that is long enough.
@safe private struct BencodeWriter {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var end = 0

    init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

    mutating func write(_ value: BencodeValue) {
        switch value {
        case .integer(let number): put("i\(number)e")
        case .large(let number): put("i\(number)e")
        case .bytes(let bytes):
            put("\(bytes.count):")
            unsafe bytes.withBytes { unsafe put($0) }
        case .list(let values):
            put("l")
            for value in values { write(value) }
            put("e")
        case .dictionary(let dictionary):
            put("d")
            for entry in dictionary.entries {
                put("\(entry.key.count):")
                unsafe entry.key.withUnsafeBytes { unsafe put($0) }
                write(entry.value)
            }
            put("e")
        }
    }

    private mutating func put(_ text: String) {
        for byte in text.utf8 {
            unsafe memory[end] = byte
            end += 1
        }
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) {
        for place in 0..<bytes.count { unsafe memory[end + place] = bytes[place] }
        end += bytes.count
    }
}
