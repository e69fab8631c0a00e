import Fuzzing
import ValiseCryptography
import ValiseSecrets
import ValiseXFTPWire

/// What a stranger's file begins with.
enum FileTarget {
    private static let key = try? SecretSeed(copying: [UInt8](repeating: 5, count: 32))
    private static let nonce = [UInt8](repeating: 6, count: 24)

    static func header(_ bytes: [UInt8]) {
        guard let (header, count) = try? FileHeader.decode(bytes[...]) else { return }
        FuzzRun.require((2...FileHeader.largestByteCount).contains(count), "a header of \(count) bytes")
        let again = (try? FileHeader.decode(header.encoded[...])) ?? nil
        FuzzRun.require(again?.0 == header, "a header is read again")
    }

    /// The bytes are the plain form of a file: encrypted here, so that the tag holds. The first decides over pieces.
    static func sealed(_ bytes: [UInt8]) {
        guard let key, let stream = try? SecretBoxStream(), let first = bytes.first else { return }
        var file = Array(bytes.dropFirst())
        stream.start(key: key, nonce: nonce)
        file.withUnsafeMutableBytes { stream.exclusiveOr($0, at: 0) }
        file.withUnsafeBytes { stream.authenticate($0) }
        file += stream.tag()
        let whole = decrypt(file, pieces: file.count)
        let split = decrypt(file, pieces: Int(first) + 1)
        FuzzRun.require(whole?.content == split?.content, "pieces change nothing")
        guard let whole else { return }
        let start = 8 + whole.header.count
        FuzzRun.require(
            Array(bytes.dropFirst().dropFirst(start).prefix(whole.content.count)) == whole.content,
            "the content is what follows the header")
    }

    private static func decrypt(_ file: [UInt8], pieces: Int) -> (header: [UInt8], content: [UInt8])? {
        guard let key, let cipher = try? FileCipher.Decryptor(size: Int64(file.count), key: key, nonce: nonce)
        else {
            return nil
        }
        var content: [UInt8] = []
        var place = 0
        while place < file.count {
            var piece = Array(file[place..<min(file.count, place + max(1, pieces))])
            place += piece.count
            let isTaken: Void? = try? piece.withUnsafeMutableBytes { buffer in
                try cipher.decrypt(buffer) { content += $0 }
            }
            guard isTaken != nil else { return nil }
        }
        guard let (header, _) = try? cipher.finish() else { return nil }
        FuzzRun.require(
            Int64(content.count) == cipher.fileSize, "all of the content is handed out, and no more")
        // A name that was repaired has another length.
        guard !header.name.contains("\u{fffd}") else { return nil }
        return (header.encoded, content)
    }
}
