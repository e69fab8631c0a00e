import ValiseCryptography
import ValiseSecrets

@testable import ValiseSessionStore

/// Attachments of libsession that nobody's program would write.
enum StreamForgery {
    /// - Parameter tags: of the parts; nil for those that they should have.
    static func seal(
        _ parts: [[UInt8]], tags: [SecretStream.Tag]? = nil, key: SecretSeed
    ) throws -> [UInt8] {
        let header = [UInt8](repeating: 5, count: 24)
        var stream = try SecretStream(key: key, header: header)
        var file = [UInt8(ascii: "S")] + header
        for (place, part) in parts.enumerated() {
            let tag = tags?[place] ?? (place == parts.count - 1 ? .final : .message)
            var sealed = [UInt8](repeating: 0, count: part.count + SecretStream.overhead)
            sealed.withUnsafeMutableBytes { sealed in
                part.withUnsafeBytes { stream.seal($0, into: sealed, tag: tag) }
            }
            file += sealed
        }
        return file
    }

    static func failure(_ file: [UInt8], key: SecretSeed) throws -> SessionStoreError.Kind? {
        do {
            try AttachmentReader(.stream, key: key.shared()).verify(AttachmentBytes(file))
            return nil
        } catch let error as SessionStoreError {
            return error.kind
        }
    }
}

extension SecretSeed {
    /// A copy that readers of attachments take.
    func shared() throws -> SharedSecret { SharedSecret(try withBytes { try SecretBytes(copying: $0) }) }
}
