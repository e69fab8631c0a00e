import CValiseOpenSSL
import Testing
import ValiseEncoding

/// The session id out of what went over the wire and a log of keys: the client's Finished message (RFC 8446, sections
/// 4.4.4 and 5.2), for ChaCha20-Poly1305.
enum RecordedSession {
    /// - Parameters:
    ///   - client: all bytes that the client sent.
    ///   - keyLog: lines in the format of NSS.
    static func sessionID(client: [UInt8], keyLog: [String]) throws -> [UInt8] {
        // Behind the heads of the record and the message, and the version.
        try #require(client.count > 43)
        let random = Hexadecimal.encode(client[11..<43])
        let start = "CLIENT_HANDSHAKE_TRAFFIC_SECRET \(random) "
        let line = try #require(keyLog.first { $0.hasPrefix(start) }, "no secret of this handshake")
        let secret = try #require(Hexadecimal.decode(String(line.dropFirst(start.count))))
        let record = try #require(firstEncryptedRecord(client))
        let plain = try decrypt(
            record, key: expand(secret, "key", 32), nonce: expand(secret, "iv", 12))
        // Finished: kind 20, 32 bytes; then the kind of the record.
        try #require(plain.count == 37 && plain.starts(with: [20, 0, 0, 32]) && plain.last == 22)
        return Array(plain[4..<36])
    }

    private static func firstEncryptedRecord(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var rest = bytes[...]
        while rest.count > 5 {
            let head = Array(rest.prefix(5))
            let whole = 5 + (Int(head[3]) << 8 | Int(head[4]))
            guard rest.count >= whole else { return nil }
            if head[0] == 23 { return rest.prefix(whole) }
            rest = rest.dropFirst(whole)
        }
        return nil
    }

    /// HKDF-Expand-Label with no context, for one block of SHA-256 at most.
    private static func expand(_ secret: [UInt8], _ label: String, _ size: UInt8) -> [UInt8] {
        let name = Array("tls13 \(label)".utf8)
        let info = [0, size, UInt8(name.count)] + name + [0, 1]
        var block = [UInt8](repeating: 0, count: 32)
        HMAC(EVP_sha256(), secret, Int32(secret.count), info, info.count, &block, nil)
        return Array(block.prefix(Int(size)))
    }

    /// The first record of its keys: its nonce is the bare one.
    private static func decrypt(
        _ record: ArraySlice<UInt8>, key: [UInt8], nonce: [UInt8]
    ) throws -> [UInt8] {
        let context = try #require(EVP_CIPHER_CTX_new())
        defer { EVP_CIPHER_CTX_free(context) }
        let (head, body) = (Array(record.prefix(5)), Array(record.dropFirst(5).dropLast(16)))
        var tag = Array(record.suffix(16))
        var plain = [UInt8](repeating: 0, count: body.count)
        var count: Int32 = 0
        EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce)
        EVP_DecryptUpdate(context, nil, &count, head, 5)
        EVP_DecryptUpdate(context, &plain, &count, body, Int32(body.count))
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag)
        try #require(EVP_DecryptFinal_ex(context, nil, &count) == 1, "the record does not belong to the key")
        return plain
    }
}
