import ValiseSecrets

/// Writes the fields of a record, or only counts their bytes: keys go from one guarded memory to the other.
@safe struct RecordOutput {
    private let memory: UnsafeMutableRawBufferPointer?
    private(set) var count = 0
    /// Whether a field did not fit; nothing may be written then.
    private(set) var isTooLong = false

    /// - Parameter memory: nil to count.
    init(_ memory: UnsafeMutableRawBufferPointer? = nil) { unsafe self.memory = memory }

    mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
        if let memory = unsafe memory {
            unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        }
        count += bytes.count
    }

    mutating func number(_ value: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes($0) }
    }

    /// In bytes.
    static let longestField = Int(UInt16.max)

    /// With its length before it. One that is too long makes the record one that cannot be written.
    mutating func field(_ content: [UInt8]) {
        guard let length = UInt16(exactly: content.count) else {
            isTooLong = true
            return
        }
        number(length)
        unsafe content.withUnsafeBytes { unsafe bytes($0) }
    }

    mutating func text(_ text: String) { field(Array(text.utf8)) }

    mutating func seed(_ seed: SecretSeed) { unsafe seed.withBytes { unsafe bytes($0) } }
}

/// Something that a journal keeps.
protocol JournalRecord {
    func encode(to output: inout RecordOutput)
}
