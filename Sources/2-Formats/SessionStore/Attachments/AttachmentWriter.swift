import ValiseCryptography
package import ValiseFiles
package import ValiseSecrets

/// Encrypts attachments in each form, as stores that tests read have them. Nothing here is sent anywhere.
package enum AttachmentWriter {
    /// Which kind of file libsession's form is made for: its byte is part of what the key is made of.
    package enum Domain: UInt8, Sendable {
        case attachment = 0
        case profilePicture = 1
    }

    /// Writes ``AttachmentForm/local``.
    ///
    /// - Parameters:
    ///   - source: the content.
    ///   - key: of the profile.
    ///   - header: 24 random bytes.
    ///   - take: gets the file in order.
    /// - Throws: errors of the source and of the primitives; whatever `take` throws.
    package static func local(
        _ source: any ByteSource, key: SecretSeed, header: [UInt8], _ take: AttachmentReader.Taking
    ) throws {
        var message = try SecretStreamMessage(key: key, header: header)
        try unsafe (header + [message.hide(.final)]).withUnsafeBytes { try unsafe take($0) }
        try unsafe SourcePieces.read(source, 0..<source.size) { piece in
            unsafe message.encrypt(piece)
            try unsafe take(UnsafeRawBufferPointer(piece))
        }
        try unsafe message.finish().withUnsafeBytes { try unsafe take($0) }
    }

    /// Writes ``AttachmentForm/legacy``.
    ///
    /// - Parameters:
    ///   - source: the content.
    ///   - key: 64 bytes.
    ///   - vector: 16 random bytes.
    ///   - take: gets the file in order.
    /// - Returns: the digest that the message names.
    /// - Throws: errors of the source and of the primitives; whatever `take` throws.
    package static func legacy(
        _ source: any ByteSource, key: SharedSecret, vector: [UInt8], _ take: AttachmentReader.Taking
    ) throws -> [UInt8] {
        var sealing = try LegacySealing(key: key, vector: vector)
        try unsafe vector.withUnsafeBytes { try unsafe sealing.put($0, take) }
        try unsafe SourcePieces.read(source, 0..<source.size) {
            try unsafe sealing.encrypt(UnsafeRawBufferPointer($0), take)
        }
        var zeros = AttachmentSizes.legacy(source.size) - source.size
        while zeros > 0 {
            let piece = [UInt8](repeating: 0, count: Int(min(zeros, Int64(SourcePieces.size))))
            try unsafe piece.withUnsafeBytes { try unsafe sealing.encrypt($0, take) }
            zeros -= Int64(piece.count)
        }
        return try unsafe sealing.finish(take)
    }
}
