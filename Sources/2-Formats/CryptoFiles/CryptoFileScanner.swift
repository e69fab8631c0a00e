import ValiseFailures
import ValiseSecrets

/// Walks through a JSON text and keeps what stands in the fields of a CryptoFile, wherever they are.
@safe struct CryptoFileScanner: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var found = CryptoFileText.Fields()
    private static let deepest = 16

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
    }

    static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    private static let malformed = CryptoFileError(.invalid, "the file key text is not JSON")

    consuming func fields() throws -> CryptoFileText.Fields {
        try value(depth: 0)
        try skipSpace()
        guard unsafe position == bytes.count else { throw Self.malformed }
        return found
    }

    private mutating func skipSpace() throws {
        while unsafe position < bytes.count, unsafe Self.isSpace(bytes[position]) { position += 1 }
    }

    private mutating func take(_ character: UnicodeScalar) -> Bool {
        guard unsafe position < bytes.count, unsafe bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws {
        try skipSpace()
        guard depth < Self.deepest, unsafe position < bytes.count else { throw Self.malformed }
        switch unsafe bytes[position] {
        case UInt8(ascii: "{"): try object(depth)
        case UInt8(ascii: "["): try array(depth)
        case UInt8(ascii: "\""): _ = try string()
        default: try literal()
        }
    }

    private mutating func object(_ depth: Int) throws {
        position += 1
        try skipSpace()
        if take("}") { return }
        repeat {
            try skipSpace()
            let name = try string()
            try skipSpace()
            guard take(":") else { throw Self.malformed }
            try skipSpace()
            try field(name, depth)
            try skipSpace()
        } while take(",")
        guard take("}") else { throw Self.malformed }
    }

    private mutating func field(_ name: borrowing SecretBytes, _ depth: Int) throws {
        let name = unsafe name.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
        let isText = unsafe position < bytes.count && bytes[position] == UInt8(ascii: "\"")
        guard isText, ["fileKey", "fileNonce", "filePath"].contains(name) else {
            return try value(depth: depth + 1)
        }
        let text = try string()
        switch name {
        case "fileKey": found.fileKey = consume text
        case "fileNonce": found.fileNonce = consume text
        default: found.filePath = unsafe text.withBytes { unsafe String(validating: $0, as: UTF8.self) }
        }
    }

    private mutating func array(_ depth: Int) throws {
        position += 1
        try skipSpace()
        if take("]") { return }
        repeat {
            try value(depth: depth + 1)
            try skipSpace()
        } while take(",")
        guard take("]") else { throw Self.malformed }
    }

    private mutating func literal() throws {
        let start = position
        while unsafe position < bytes.count, unsafe !Self.isSpace(bytes[position]),
            unsafe !",]}".utf8.contains(bytes[position])
        {
            position += 1
        }
        let isWord = ["true", "false", "null"].contains {
            unsafe bytes[start..<position].elementsEqual($0.utf8)
        }
        let isNumber =
            unsafe position > start
            && bytes[start..<position].allSatisfy { "+-.0123456789eE".utf8.contains($0) }
        guard isWord || isNumber else { throw Self.malformed }
    }

    /// The text between quotes, escapes resolved.
    private mutating func string() throws -> SecretBytes {
        guard take("\"") else { throw Self.malformed }
        let start = position
        while unsafe position < bytes.count, unsafe bytes[position] != UInt8(ascii: "\"") {
            guard unsafe bytes[position] >= 0x20 else { throw Self.malformed }
            unsafe position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard unsafe position < bytes.count else { throw Self.malformed }
        defer { position += 1 }
        let raw = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        return try unsafe SecretBytes(capacity: raw.count) { try unsafe Self.unescape(raw, into: $0) }
    }

    private static func unescape(
        _ raw: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        var (from, end) = (0, 0)
        while from < raw.count {
            var byte = unsafe raw[from]
            from += 1
            if byte == UInt8(ascii: "\\") {
                guard from < raw.count else { throw malformed }
                if unsafe raw[from] == UInt8(ascii: "u") {
                    let scalar = try unsafe scalar(raw, at: &from)
                    // An escape is never shorter than what it stands for.
                    for byte in String(scalar).utf8 {
                        unsafe memory[end] = byte
                        end += 1
                    }
                    continue
                }
                guard let plain = unsafe escapes[raw[from]] else { throw malformed }
                byte = plain
                from += 1
            }
            unsafe memory[end] = byte
            end += 1
        }
        return end
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
        UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]

    /// `u` and four digits, or a pair of surrogates.
    private static func scalar(_ raw: UnsafeRawBufferPointer, at from: inout Int) throws -> UnicodeScalar {
        func unit() throws -> UInt32 {
            guard from + 5 <= raw.count, unsafe raw[from] == UInt8(ascii: "u"),
                // A sign would be read as part of a number.
                unsafe raw[from + 1] != UInt8(ascii: "+"),
                let digits = unsafe String(validating: raw[from + 1..<from + 5], as: UTF8.self),
                let unit = UInt32(digits, radix: 16)
            else { throw malformed }
            from += 5
            return unit
        }
        let first = try unit()
        if let scalar = UnicodeScalar(first) { return scalar }
        guard from < raw.count, unsafe raw[from] == UInt8(ascii: "\\") else { throw malformed }
        from += 1
        let second = try unit()
        guard (0xd800..<0xdc00).contains(first), (0xdc00..<0xe000).contains(second),
            let scalar = UnicodeScalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw malformed }
        return scalar
    }
}
