import CSodium
import Failures
import Secrets

/// Key and nonce as text (SimpleX storage, §5.3), read and written in guarded memory: a general JSON decoder would
/// leave copies of the key in memory that nobody wipes.
///
/// Strict when writing: base64url with padding. Tolerant when reading: either alphabet, with or without padding, in
/// any of the objects that hold the two fields, and in the form of a command (`key=… nonce=… path`).
enum CryptoFileText {
    /// The texts of key and nonce, and the path or the failure where there is one.
    struct Fields: ~Copyable {
        var fileKey: SecretBytes?
        var fileNonce: SecretBytes?
        var filePath: String?
        var writeError: String?
    }

    /// Longer texts hold something else.
    static let longest = 64 << 10

    // MARK: Writing

    /// Base64url with padding of some bytes, such as 44 characters for a key.
    static func encode(_ bytes: UnsafeRawBufferPointer) throws -> SecretBytes {
        let length = sodium_base64_encoded_len(bytes.count, Int32(sodium_base64_VARIANT_URLSAFE))
        return try SecretBytes(capacity: length) { text in
            _ = sodium_bin2base64(
                text.baseAddress!.assumingMemoryBound(to: CChar.self), text.count,
                bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), bytes.count,
                Int32(sodium_base64_VARIANT_URLSAFE))
            // The length counts a zero at the end.
            return length - 1
        }
    }

    /// Texts that are no secrets around those of key and nonce: one before, one between, one behind.
    static func join(_ args: CryptoFileArgs, _ before: String, _ between: String, _ after: String) throws
        -> SecretBytes
    {
        let key = try args.withBytes { key, _ in try encode(key).shared() }
        let nonce = try args.withBytes { _, nonce in try encode(nonce).shared() }
        let plain = [before, between, after].map { Array($0.utf8) }
        let size = plain.reduce(key.secret.count + nonce.secret.count) { $0 + $1.count }
        return try SecretBytes(capacity: size) { text in
            var end = 0
            func append(_ bytes: UnsafeRawBufferPointer) {
                UnsafeMutableRawBufferPointer(rebasing: text[end...]).copyMemory(from: bytes)
                end += bytes.count
            }
            plain[0].withUnsafeBytes(append)
            key.secret.withBytes(append)
            plain[1].withUnsafeBytes(append)
            nonce.secret.withBytes(append)
            plain[2].withUnsafeBytes(append)
            return end
        }
    }

    /// `{"fileKey":"…","fileNonce":"…"}` between two texts.
    static func object(_ args: CryptoFileArgs, before: String = "", after: String = "") throws -> SecretBytes
    {
        try join(args, before + #"{"fileKey":""#, #"","fileNonce":""#, #""}"# + after)
    }

    // MARK: Reading

    /// Reads base64 of either alphabet, with or without padding.
    /// - Throws: ``CryptoFileError`` with `invalid` for anything else.
    static func decode(_ text: borrowing SecretBytes, _ what: String) throws -> SecretBytes {
        let plain = try SecretBytes(capacity: text.count) { memory in
            text.withBytes { memory.copyMemory(from: $0) }
            for index in memory.indices {
                if memory[index] == UInt8(ascii: "-") { memory[index] = UInt8(ascii: "+") }
                if memory[index] == UInt8(ascii: "_") { memory[index] = UInt8(ascii: "/") }
            }
            var count = memory.count
            while count > 0, memory[count - 1] == UInt8(ascii: "=") { count -= 1 }
            return count
        }
        return try SecretBytes(capacity: text.count) { memory in
            var count = 0
            let result = plain.withBytes { text in
                sodium_base642bin(
                    memory.baseAddress!.assumingMemoryBound(to: UInt8.self), memory.count,
                    text.baseAddress!.assumingMemoryBound(to: CChar.self), text.count, nil, &count, nil,
                    Int32(sodium_base64_VARIANT_ORIGINAL_NO_PADDING))
            }
            guard result == 0 else {
                throw CryptoFileError(.invalid, "the \(what) is not base64")
            }
            return count
        }
    }

    /// Finds the fields in a text of any of the known forms.
    /// - Throws: ``CryptoFileError`` with `invalid`.
    static func fields(_ text: borrowing SecretBytes) throws -> Fields {
        guard text.count <= longest else {
            throw CryptoFileError(.invalid, "the text with the key of a file is too long to be one")
        }
        return try text.withBytes { bytes in
            let start = bytes.firstIndex { !JSONScanner.isSpace($0) }
            if let start, bytes[start] == UInt8(ascii: "{") {
                return try JSONScanner(bytes).fields()
            }
            return try command(bytes)
        }
    }

    /// `key=… nonce=… path`; both may be missing, for a plain file.
    private static func command(_ bytes: UnsafeRawBufferPointer) throws -> Fields {
        var fields = Fields()
        var rest = bytes[...]
        func take(_ name: String, _ rest: inout Slice<UnsafeRawBufferPointer>) throws -> SecretBytes? {
            guard rest.starts(with: name.utf8) else { return nil }
            let value = rest.dropFirst(name.utf8.count).prefix { !JSONScanner.isSpace($0) }
            rest = rest[value.endIndex...].drop(while: JSONScanner.isSpace)
            return try SecretBytes(copying: value)
        }
        fields.fileKey = try take("key=", &rest)
        fields.fileNonce = try take("nonce=", &rest)
        while let last = rest.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
            rest = rest.dropLast()
        }
        if !rest.isEmpty { fields.filePath = String(validating: rest, as: UTF8.self) }
        return fields
    }
}

/// A secret that a closure can return.
private final class SharedText {
    let secret: SecretBytes
    init(_ secret: consuming SecretBytes) { self.secret = secret }
}

extension SecretBytes {
    fileprivate consuming func shared() -> SharedText { SharedText(self) }
}

/// Walks through a JSON text and keeps what stands in the fields of a CryptoFile, wherever they are.
private struct JSONScanner: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var found = CryptoFileText.Fields()
    private static let deepest = 16

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    private static let malformed = CryptoFileError(.invalid, "the text with the key of a file is not JSON")

    consuming func fields() throws -> CryptoFileText.Fields {
        try value(depth: 0)
        try skipSpace()
        guard position == bytes.count else { throw Self.malformed }
        return found
    }

    private mutating func skipSpace() throws {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private mutating func take(_ character: UnicodeScalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws {
        try skipSpace()
        guard depth < Self.deepest, position < bytes.count else { throw Self.malformed }
        switch bytes[position] {
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
        let name = name.withBytes { String(decoding: $0, as: UTF8.self) }
        let isText = position < bytes.count && bytes[position] == UInt8(ascii: "\"")
        guard isText, ["fileKey", "fileNonce", "filePath", "writeError"].contains(name) else {
            return try value(depth: depth + 1)
        }
        let text = try string()
        switch name {
        case "fileKey": found.fileKey = consume text
        case "fileNonce": found.fileNonce = consume text
        case "filePath": found.filePath = text.withBytes { String(validating: $0, as: UTF8.self) }
        default: found.writeError = text.withBytes { String(decoding: $0, as: UTF8.self) }
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
        while position < bytes.count, !Self.isSpace(bytes[position]),
            !",]}".utf8.contains(bytes[position])
        {
            position += 1
        }
        let isWord = ["true", "false", "null"].contains { bytes[start..<position].elementsEqual($0.utf8) }
        let isNumber =
            position > start && bytes[start..<position].allSatisfy { "+-.0123456789eE".utf8.contains($0) }
        guard isWord || isNumber else { throw Self.malformed }
    }

    /// The text between quotes, escapes resolved.
    private mutating func string() throws -> SecretBytes {
        guard take("\"") else { throw Self.malformed }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 0x20 else { throw Self.malformed }
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count else { throw Self.malformed }
        defer { position += 1 }
        let raw = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        return try SecretBytes(capacity: raw.count) { try Self.unescape(raw, into: $0) }
    }

    private static func unescape(
        _ raw: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        var (from, end) = (0, 0)
        while from < raw.count {
            var byte = raw[from]
            from += 1
            if byte == UInt8(ascii: "\\") {
                guard from < raw.count else { throw malformed }
                if raw[from] == UInt8(ascii: "u") {
                    let scalar = try scalar(raw, at: &from)
                    // An escape is never shorter than what it stands for.
                    for byte in String(scalar).utf8 {
                        memory[end] = byte
                        end += 1
                    }
                    continue
                }
                guard let plain = escapes[raw[from]] else { throw malformed }
                byte = plain
                from += 1
            }
            memory[end] = byte
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
            guard from + 5 <= raw.count, raw[from] == UInt8(ascii: "u"),
                // A sign would be read as part of a number.
                raw[from + 1] != UInt8(ascii: "+"),
                let digits = String(validating: raw[from + 1..<from + 5], as: UTF8.self),
                let unit = UInt32(digits, radix: 16)
            else { throw malformed }
            from += 5
            return unit
        }
        let first = try unit()
        if let scalar = UnicodeScalar(first) { return scalar }
        guard from < raw.count, raw[from] == UInt8(ascii: "\\") else { throw malformed }
        from += 1
        let second = try unit()
        guard (0xd800..<0xdc00).contains(first), (0xdc00..<0xe000).contains(second),
            let scalar = UnicodeScalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw malformed }
        return scalar
    }
}
