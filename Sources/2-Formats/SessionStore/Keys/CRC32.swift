/// CRC-32 of ISO 3309, as zip and PNG have it, a bit at a time: it takes some dozen bytes.
struct CRC32 {
    private var state: UInt32 = .max

    mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            state ^= UInt32(byte)
            for _ in 0..<8 { state = state >> 1 ^ (state & 1 == 1 ? 0xedb8_8320 : 0) }
        }
    }

    var value: UInt32 { ~state }
}
