/// What a client offers, from its first record.
struct ClientHello {
    private(set) var suites: [UInt16] = []
    private(set) var extensions: [UInt16: [UInt8]] = [:]

    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes: bytes[...])
        // Head of the record, head of the message, version and random number.
        _ = reader.take(5 + 4 + 2 + 32)
        _ = reader.block(1)
        guard let suites = reader.block(2), reader.block(1) != nil, let list = reader.block(2) else {
            return nil
        }
        self.suites = Self.numbers(suites)
        var inner = Reader(bytes: list)
        while let kind = inner.number(2), let content = inner.block(2) {
            extensions[UInt16(kind)] = Array(content)
        }
    }

    var versions: [UInt16] { Self.numbers(extensions[43]?.dropFirst() ?? []) }
    var groups: [UInt16] { Self.numbers(extensions[10]?.dropFirst(2) ?? []) }
    var signatures: [UInt16] { Self.numbers(extensions[13]?.dropFirst(2) ?? []) }

    var keyShares: [UInt16] {
        var reader = Reader(bytes: extensions[51]?.dropFirst(2) ?? [])
        var groups: [UInt16] = []
        while let group = reader.number(2), reader.block(2) != nil { groups.append(UInt16(group)) }
        return groups
    }

    var alpn: [String] {
        var reader = Reader(bytes: extensions[16]?.dropFirst(2) ?? [])
        var names: [String] = []
        while let name = reader.block(1) { names.append(String(decoding: name, as: UTF8.self)) }
        return names
    }

    private static func numbers(_ bytes: some Sequence<UInt8>) -> [UInt16] {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard bytes.count >= count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        mutating func number(_ size: Int) -> Int? { take(size)?.reduce(0) { $0 << 8 | Int($1) } }
        mutating func block(_ size: Int) -> ArraySlice<UInt8>? { number(size).flatMap { take($0) } }
    }
}
