package import NIOCore

/// What counts as one client, by its address.
package struct ClientAddress: Hashable, Sendable {
    /// All of an address of IPv4, the network of one of IPv6 (64 bits), nothing for others.
    let network: [UInt8]
    /// Whether it is one of this machine to itself.
    let isLoopback: Bool

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    private static let networkSize = 8

    package init(_ address: SocketAddress?) {
        let number = Self.number(of: address)
        network = number.count > Self.networkSize ? Array(number.prefix(Self.networkSize)) : number
        isLoopback =
            number.count == 4 ? number[0] == 127 : number == Array(repeating: 0, count: 15) + [1]
    }

    /// The 4 or 16 bytes of an address; nothing for one that has no such number. An IPv4 address that came through a socket
    /// for both has 4.
    static func number(of address: SocketAddress?) -> [UInt8] {
        // Where the numbers are in sockaddr_in and sockaddr_in6 is the same on all systems.
        switch address {
        case .v4: return bytes(of: address, 4..<8)
        case .v6:
            let number = bytes(of: address, 8..<24)
            return number.starts(with: mappedPrefix) ? Array(number.suffix(4)) : number
        default: return []
        }
    }

    private static func bytes(of address: SocketAddress?, _ range: Range<Int>) -> [UInt8] {
        unsafe address?.withSockAddr { start, size in
            unsafe size < range.upperBound
                ? [] : Array(UnsafeRawBufferPointer(start: start, count: size)[range])
        } ?? []
    }
}
