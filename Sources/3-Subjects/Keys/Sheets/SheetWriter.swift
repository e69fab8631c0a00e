import ValiseFailures

/// Writes text into memory that somebody else wipes.
@safe struct SheetWriter {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private var overflowed = false

    init(_ memory: UnsafeMutableRawBufferPointer) {
        unsafe self.memory = memory
    }

    mutating func byte(_ byte: UInt8) {
        guard unsafe count < memory.count else {
            overflowed = true
            return
        }
        unsafe memory[count] = byte
        count += 1
    }

    /// Text that is not secret.
    mutating func text(_ text: String) {
        for byte in text.utf8 { self.byte(byte) }
    }

    /// With two places behind the point, which is 1/7200 inch.
    mutating func number(_ value: Double) {
        let hundredths = Int((value * 100).rounded())
        if hundredths < 0 { byte(UInt8(ascii: "-")) }
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        text(String(whole))
        guard rest > 0 else { return }
        text(rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)")
    }

    mutating func numbers(_ values: Double...) {
        for value in values {
            number(value)
            byte(UInt8(ascii: " "))
        }
    }

    /// How many bytes were written.
    /// - Throws: ``RecoverySheetError`` when they did not fit.
    func finish() throws(RecoverySheetError) -> Int {
        guard !overflowed else { throw RecoverySheetError(.failed, "the sheet is larger than expected") }
        return count
    }
}
