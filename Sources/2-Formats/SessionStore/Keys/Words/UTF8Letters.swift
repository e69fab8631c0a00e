/// Letters of valid UTF-8, which in these lists are scalars.
enum UTF8Letters {
    /// How many bytes the first letters have.
    static func byteCount(of bytes: some Collection<UInt8>, letters: Int) -> Int {
        var (count, left) = (0, letters)
        for byte in bytes {
            if byte & 0xc0 != 0x80 {
                if left == 0 { break }
                left -= 1
            }
            count += 1
        }
        return count
    }
}
