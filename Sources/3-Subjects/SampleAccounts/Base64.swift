/// Base64 without a dependency: the standard alphabet for data URIs, the URL alphabet for identifiers.
enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// With padding.
    static func encode(_ bytes: [UInt8], forURL: Bool = false) -> String {
        let alphabet = letters + Array((forURL ? "-_" : "+/").utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | Int($1) }
            bits <<= 8 * (3 - group.count)
            for index in 0..<4 {
                let isPadding = index > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * index) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
