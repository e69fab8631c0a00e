#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An address of the internet, version 4 or 6.
package struct NetworkAddress: Sendable, Equatable {
    /// 4 or 16, the most significant one first.
    package let bytes: [UInt8]

    /// - Parameter bytes: 4 or 16.
    /// - Returns: nil for another number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// An address as it stands in a link: `192.0.2.1`, also in the short forms that the system takes, or `[2001:db8::1]`, with a
    /// port or without.
    /// - Returns: nil for a name.
    package init?(literal text: String) {
        guard text.hasPrefix("[") else {
            var address = in_addr()
            guard unsafe inet_aton(text, &address) != 0 else { return nil }
            self.init(unsafe withUnsafeBytes(of: &address) { unsafe Array($0) })
            return
        }
        var address = in6_addr()
        let host = text.dropFirst().prefix { $0 != "]" && $0 != "%" }
        guard unsafe inet_pton(AF_INET6, String(host), &address) == 1 else { return nil }
        self.init(unsafe withUnsafeBytes(of: &address) { unsafe Array($0) })
    }

    /// Whether anybody in the internet reaches it: it is none of this machine, of a network of its own, of a group, and none
    /// that is kept for examples and tests. The source is the registries of IANA for special purposes (RFC 6890).
    package var isPublic: Bool {
        guard bytes.count == 16 else { return !Self.special4.contains { has($0) } }
        if let embedded { return embedded.isPublic }
        // All that is given out begins with the bits 001.
        return bytes[0] & 0xe0 == 0x20 && !Self.special6.contains { has($0) }
    }

    /// As it is usually written; of version 6 without what may be left out of it.
    package var text: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return "[\(groups.map { String($0, radix: 16) }.joined(separator: ":"))]"
    }

    private struct Range {
        let first: [UInt8]
        let bits: Int
    }

    private static let special4: [Range] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
        ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ].map { Range(first: $0.0, bits: $0.1) }

    private static let special6: [Range] = [
        // Assignments of protocols, Teredo among them; documentation; 6to4 is looked into.
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x3f, 0xff, 0x00], 20),
    ].map { Range(first: $0.0, bits: $0.1) }

    private func has(_ range: Range) -> Bool {
        for bit in 0..<range.bits {
            let (byte, mask) = (bit / 8, UInt8(0x80) >> UInt8(bit % 8))
            let wanted = byte < range.first.count ? range.first[byte] : 0
            if bytes[byte] & mask != wanted & mask { return false }
        }
        return true
    }

    /// The address of version 4 that one of version 6 stands for; nil for none.
    private var embedded: NetworkAddress? {
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && (bytes[10], bytes[11]) == (0xff, 0xff)
        // Translated, by a router that has both.
        let isTranslated = bytes[..<12].elementsEqual([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0])
        if isMapped || isTranslated { return NetworkAddress(Array(bytes[12...])) }
        // 6to4.
        return bytes[..<2].elementsEqual([0x20, 0x02]) ? NetworkAddress(Array(bytes[2..<6])) : nil
    }
}
