package import NIOCore

/// Addresses that an operator names, alone or by their networks: `10.0.0.1, 2001:db8::/32`.
package struct AddressRanges: Sendable, Equatable {
    private struct Range: Equatable {
        let number: [UInt8]
        let bits: Int

        /// - Parameter text: an address in numbers, perhaps with a slash and a number of bits behind it.
        init?(_ text: Substring) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = try? SocketAddress(ipAddress: String(parts[0]), port: 0) else { return nil }
            number = ClientAddress.number(of: address)
            let most = number.count * 8
            guard parts.count == 2 else {
                bits = most
                return
            }
            guard let bits = Int(parts[1]), (0...most).contains(bits) else { return nil }
            self.bits = bits
        }

        func contains(_ other: [UInt8]) -> Bool {
            guard other.count == number.count else { return false }
            return zip(number, other).enumerated().allSatisfy { index, bytes in
                let counted = min(8, max(0, bits - index * 8))
                return (bytes.0 ^ bytes.1) >> UInt8(8 - counted) == 0
            }
        }
    }

    private let ranges: [Range]
    /// As the operator wrote them.
    package let text: String

    /// - Returns: nil where one of them is none, or where there is none.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.drop(while: \.isWhitespace)
        }
        let ranges = parts.compactMap { part in
            Range(part.prefix { !$0.isWhitespace })
        }
        guard ranges.count == parts.count, parts.allSatisfy({ !$0.contains { $0.isWhitespace } }) else {
            return nil
        }
        self.ranges = ranges
        self.text = parts.joined(separator: ", ")
    }

    /// This machine's own addresses.
    package static let loopback = AddressRanges("127.0.0.0/8, ::1")!

    package func contains(_ address: SocketAddress?) -> Bool {
        let number = ClientAddress.number(of: address)
        return ranges.contains { $0.contains(number) }
    }
}
