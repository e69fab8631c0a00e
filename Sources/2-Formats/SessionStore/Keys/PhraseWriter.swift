/// Writes letters in their one form. The last one waits for a mark that belongs to it.
@safe struct PhraseWriter {
    private let memory: UnsafeMutableRawBufferPointer
    private var end = 0
    private var waiting: Unicode.Scalar?

    init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

    mutating func put(_ scalar: Unicode.Scalar) {
        let letter = scalar.properties.isWhitespace ? " " : PhraseLetters.lowercased(scalar)
        if let last = waiting, let composed = PhraseLetters.composed(last, letter) {
            waiting = composed
            return
        }
        flush()
        waiting = letter
    }

    private mutating func flush() {
        guard let letter = waiting else { return }
        waiting = nil
        for byte in UTF8.encode(letter) ?? .init() where unsafe end < memory.count {
            unsafe memory[end] = byte
            end += 1
        }
    }

    /// - Returns: how many bytes were written.
    mutating func finish() -> Int {
        flush()
        return end
    }
}
