import CValiseSodium
import ValiseFailures
import ValiseSecrets

/// Key and nonce as text (SimpleX storage, §5.3), read and written in guarded memory: a general JSON decoder would
/// leave copies of the key in memory that nobody wipes.
///
/// Strict when writing: base64url with padding. Tolerant when reading: either alphabet, with or without padding, in
/// any of the objects that hold the two fields, and in the form of a command (`key=… nonce=… path`).
enum CryptoFileText {
    /// The texts of key and nonce, and the path where there is one.
    struct Fields: ~Copyable {
        var fileKey: SecretBytes?
        var fileNonce: SecretBytes?
        var filePath: String?
    }

    /// Longer texts hold something else.
    static let longest = 64 << 10

    // MARK: Writing

    /// Base64url with padding of some bytes, such as 44 characters for a key.
    static func encode(_ bytes: UnsafeRawBufferPointer) throws -> SecretBytes {
        let length = sodium_base64_encoded_len(bytes.count, Int32(sodium_base64_VARIANT_URLSAFE))
        return try unsafe SecretBytes(capacity: length) { text in
            _ = unsafe sodium_bin2base64(
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
        let key = try unsafe args.withBytes { key, _ in unsafe SharedSecret(try encode(key)) }
        let nonce = try unsafe args.withBytes { _, nonce in unsafe SharedSecret(try encode(nonce)) }
        let plain = [before, between, after].map { Array($0.utf8) }
        let size = plain.reduce(key.bytes.count + nonce.bytes.count) { $0 + $1.count }
        return try unsafe SecretBytes(capacity: size) { text in
            var end = 0
            func append(_ bytes: UnsafeRawBufferPointer) {
                unsafe UnsafeMutableRawBufferPointer(rebasing: text[end...]).copyMemory(from: bytes)
                end += bytes.count
            }
            unsafe plain[0].withUnsafeBytes(append)
            unsafe key.bytes.withBytes(append)
            unsafe plain[1].withUnsafeBytes(append)
            unsafe nonce.bytes.withBytes(append)
            unsafe plain[2].withUnsafeBytes(append)
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
        let plain = try unsafe SecretBytes(capacity: text.count) { memory in
            unsafe text.withBytes { unsafe memory.copyMemory(from: $0) }
            for index in memory.indices {
                if unsafe memory[index] == UInt8(ascii: "-") { unsafe memory[index] = UInt8(ascii: "+") }
                if unsafe memory[index] == UInt8(ascii: "_") { unsafe memory[index] = UInt8(ascii: "/") }
            }
            var count = memory.count
            while count > 0, unsafe memory[count - 1] == UInt8(ascii: "=") { count -= 1 }
            return count
        }
        return try unsafe SecretBytes(capacity: text.count) { memory in
            var count = 0
            let result = unsafe plain.withBytes { text in
                unsafe sodium_base642bin(
                    memory.baseAddress!.assumingMemoryBound(to: UInt8.self), memory.count,
                    text.baseAddress!.assumingMemoryBound(to: CChar.self), text.count, nil, &count, nil,
                    Int32(sodium_base64_VARIANT_ORIGINAL_NO_PADDING))
            }
            guard result == 0 else {
                throw CryptoFileError(.invalid, "the \(what) is not Base64")
            }
            return count
        }
    }

    /// Finds the fields in a text of any of the known forms.
    /// - Throws: ``CryptoFileError`` with `invalid`.
    static func fields(_ text: borrowing SecretBytes) throws -> Fields {
        guard text.count <= longest else {
            throw CryptoFileError(.invalid, "the file key text is too long")
        }
        return try unsafe text.withBytes { bytes in
            let start = unsafe bytes.firstIndex { !CryptoFileScanner.isSpace($0) }
            if let start, unsafe bytes[start] == UInt8(ascii: "{") {
                return try unsafe CryptoFileScanner(bytes).fields()
            }
            return try unsafe command(bytes)
        }
    }

    /// `key=… nonce=… path`; both may be missing, for an unencrypted file.
    private static func command(_ bytes: UnsafeRawBufferPointer) throws -> Fields {
        var fields = Fields()
        var rest = unsafe bytes[...]
        func take(_ name: String, _ rest: inout Slice<UnsafeRawBufferPointer>) throws -> SecretBytes? {
            guard unsafe rest.starts(with: name.utf8) else { return nil }
            let value = unsafe rest.dropFirst(name.utf8.count).prefix { !CryptoFileScanner.isSpace($0) }
            unsafe rest = unsafe rest[value.endIndex...].drop(while: CryptoFileScanner.isSpace)
            return try unsafe SecretBytes(copying: value)
        }
        fields.fileKey = try unsafe take("key=", &rest)
        fields.fileNonce = try unsafe take("nonce=", &rest)
        while let last = unsafe rest.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
            unsafe rest = unsafe rest.dropLast()
        }
        if unsafe !rest.isEmpty { fields.filePath = unsafe String(validating: rest, as: UTF8.self) }
        return fields
    }
}
