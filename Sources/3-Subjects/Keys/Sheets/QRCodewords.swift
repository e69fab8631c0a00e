/// The codewords of a QR code, in memory that somebody else wipes (ISO/IEC 18004, §7.4 to 7.6).
struct QRCodewords {
    private let version: QRCodeVersion

    init(_ version: QRCodeVersion) { self.version = version }

    /// How much memory ``write(_:to:)`` takes: first the codewords in the order in which they are drawn.
    var workspace: Int { 2 * version.codewords }

    /// - Parameters:
    ///   - content: no more than the version holds.
    ///   - memory: zeros, as many as ``workspace``.
    func write(_ content: UnsafeRawBufferPointer, to memory: UnsafeMutableRawBufferPointer) {
        let drawn = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<version.codewords])
        let plain = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[version.codewords...])
        unsafe writeData(content, to: plain)
        unsafe interleave(plain, to: drawn)
    }

    /// Kind, number, bytes, an end, and what fills the rest.
    private func writeData(_ content: UnsafeRawBufferPointer, to memory: UnsafeMutableRawBufferPointer) {
        var bit = 0
        func append(_ value: Int, _ count: Int) {
            for shift in stride(from: count - 1, through: 0, by: -1) {
                if value >> shift & 1 == 1 { unsafe memory[bit / 8] |= 0x80 >> UInt8(bit % 8) }
                bit += 1
            }
        }
        append(0b0100, 4)
        append(content.count, version.countBits)
        for index in content.indices { append(unsafe Int(content[index]), 8) }
        // The end is four zeros, fewer where there is no space for more; the rest of its byte is zeros too.
        bit = min(bit + 4, 8 * version.dataCodewords)
        var next = (bit + 7) / 8
        var filler: UInt8 = 0xec
        while next < version.dataCodewords {
            unsafe memory[next] = filler
            filler ^= 0xec ^ 0x11
            next += 1
        }
    }

    /// One codeword of each block after the other: data, then correction. The last blocks have one of data more.
    private func interleave(
        _ plain: UnsafeMutableRawBufferPointer, to drawn: UnsafeMutableRawBufferPointer
    ) {
        let (blocks, correction) = (version.blocks, version.correctionOfBlock)
        let shortData = version.dataCodewords / blocks
        let shortBlocks = blocks - version.dataCodewords % blocks
        let code = ReedSolomon(count: correction)
        var start = 0
        for block in 0..<blocks {
            let count = block < shortBlocks ? shortData : shortData + 1
            for index in 0..<count {
                let place =
                    index < shortData ? index * blocks + block : shortData * blocks + block - shortBlocks
                unsafe drawn[place] = plain[start + index]
            }
            let spare = version.dataCodewords + block * correction
            let remainder = unsafe UnsafeMutableRawBufferPointer(rebasing: plain[spare..<spare + correction])
            unsafe code.write(UnsafeRawBufferPointer(rebasing: plain[start..<start + count]), to: remainder)
            for index in 0..<correction {
                unsafe drawn[version.dataCodewords + index * blocks + block] = remainder[index]
            }
            start += count
        }
    }
}
