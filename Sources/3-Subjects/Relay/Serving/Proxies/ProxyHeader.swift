import NIOCore

/// What a proxy says of a connection before anything else: version 1 or 2 of the PROXY protocol, as HAProxy describes it
/// (proxy-protocol.txt, 2020/03/05, sections 2.1 and 2.2).
struct ProxyHeader: Equatable {
    enum Source: Equatable {
        /// The proxy itself, such as when it looks whether the relay lives, or a client of which it knows no address.
        case proxy
        case client(SocketAddress)
    }

    let source: Source
    /// In bytes. What follows is the client's.
    let size: Int

    /// The longest line of version 1, with its end.
    private static let longestLine = 107
    /// Of the addresses and what else may be there in version 2. The protocol allows 65,535; 536 are what any proxy may need for
    /// addresses and, with a margin, for the name and the certificate's details that some add.
    static let longestBody = 4096

    private static let signature: [UInt8] = [
        0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a,
    ]
    private static let lineStart = Array("PROXY ".utf8)

    /// - Parameter bytes: that came first on a connection.
    /// - Returns: nil where more have to come.
    /// - Throws: ``ProxyFault`` where no header can come of them.
    static func read(_ bytes: some RandomAccessCollection<UInt8>) throws(ProxyFault) -> ProxyHeader? {
        let bytes = Array(bytes.prefix(signature.count + 4 + longestBody))
        if bytes.starts(with: signature.prefix(bytes.count)) { return try readBytes(bytes) }
        if bytes.starts(with: lineStart.prefix(bytes.count)) { return try readText(bytes) }
        throw .missing
    }

    // MARK: Version 1

    private static func readText(_ bytes: [UInt8]) throws(ProxyFault) -> ProxyHeader? {
        let start = bytes.prefix(longestLine)
        guard let end = start.firstIndex(of: 0x0a) else {
            guard bytes.count < longestLine else { throw .invalid }
            return nil
        }
        guard end > 0, bytes[end - 1] == 0x0d else { throw .invalid }
        let words = bytes[..<(end - 1)].split(separator: 0x20, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let size = end + 1
        // The rest of such a line may be anything.
        if words.count >= 2, words[1] == "UNKNOWN" { return ProxyHeader(source: .proxy, size: size) }
        guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6",
            let source = address(words[2], words[4]), let target = address(words[3], words[5]),
            isOfVersion4(source) == (words[1] == "TCP4"), isOfVersion4(target) == isOfVersion4(source)
        else { throw .invalid }
        return ProxyHeader(source: .client(source), size: size)
    }

    private static func address(_ number: String, _ port: String) -> SocketAddress? {
        guard let value = UInt16(port), String(value) == port else { return nil }
        return try? SocketAddress(ipAddress: number, port: Int(value))
    }

    private static func isOfVersion4(_ address: SocketAddress) -> Bool {
        if case .v4 = address { true } else { false }
    }

    // MARK: Version 2

    private static func readBytes(_ bytes: [UInt8]) throws(ProxyFault) -> ProxyHeader? {
        let start = signature.count + 4
        guard bytes.count >= start else { return nil }
        let (command, kind) = (bytes[signature.count], bytes[signature.count + 1])
        let length = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
        guard command == 0x20 || command == 0x21, length <= longestBody else { throw .invalid }
        guard bytes.count >= start + length else { return nil }
        let size = start + length
        // What a proxy asks for itself has no client, whatever else it says.
        guard command == 0x21 else { return ProxyHeader(source: .proxy, size: size) }
        let numberSize: Int
        switch kind {
        case 0x00: return ProxyHeader(source: .proxy, size: size)
        case 0x11: numberSize = 4
        case 0x21: numberSize = 16
        // Clients do not come by datagrams, nor by sockets of a file system.
        default: throw .invalid
        }
        guard length >= 2 * numberSize + 4 else { throw .invalid }
        let number = ByteBuffer(bytes: bytes[start..<start + numberSize])
        let ports = start + 2 * numberSize
        let port = Int(bytes[ports]) << 8 | Int(bytes[ports + 1])
        guard let address = try? SocketAddress(packedIPAddress: number, port: port) else { throw .invalid }
        return ProxyHeader(source: .client(address), size: size)
    }
}

/// Why a connection is not taken for a proxy's.
enum ProxyFault: Error, Equatable {
    /// It is from none of the addresses that proxies have.
    case stranger
    /// It begins with something else.
    case missing
    /// The header says what it may not say, or is too long.
    case invalid
    /// The header did not come in time.
    case tooLate

    var text: String {
        switch self {
        case .stranger: "not from an address of a proxy"
        case .missing: "no PROXY protocol header"
        case .invalid: "invalid PROXY protocol header"
        case .tooLate: "no PROXY protocol header in time"
        }
    }
}
