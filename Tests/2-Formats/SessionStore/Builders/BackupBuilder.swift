import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

/// Writes `session.bak`, also wrong ones: by the sheet on Session's formats, section 7.
struct BackupBuilder {
    struct File {
        var path: [UInt8]
        var content: [UInt8]
        var flag: UInt8
        /// What the description claims, where it is not so.
        var pathLength: UInt32?
        var size: UInt64?
        var trailing: [UInt8] = []
        /// The plaintext of each frame of its content, in bytes.
        var chunk = 4096

        init(_ path: String, _ content: [UInt8], isExtra: Bool = false) {
            self.path = Array(path.utf8)
            self.content = content
            flag = isExtra ? 1 : 0
        }
    }

    /// One frame before it is encrypted.
    struct Frame {
        var width: Int
        var plaintext: [UInt8]
        /// What its length says, where it is not so.
        var length: UInt64?
    }

    static let password = "a password of a backup"
    var version: [UInt8] = little(UInt32(1))
    var counts: (files: UInt32, extra: UInt32)?
    var files: [File]

    init(_ files: [File] = []) { self.files = files }

    var frames: [Frame] {
        let extra = UInt32(files.count { $0.flag != 0 })
        let counts = counts ?? (UInt32(files.count) - extra, extra)
        var frames = [Frame(width: 1, plaintext: version)]
        frames.append(Frame(width: 8, plaintext: Self.little(counts.files) + Self.little(counts.extra)))
        for file in files { frames += Self.frames(of: file) }
        return frames
    }

    private static func frames(of file: File) -> [Frame] {
        let description =
            little(file.pathLength ?? UInt32(file.path.count)) + file.path
            + little(file.size ?? UInt64(file.content.count)) + [file.flag] + file.trailing
        let content = stride(from: 0, to: file.content.count, by: file.chunk).map { start in
            Frame(width: 4, plaintext: Array(file.content[start...].prefix(file.chunk)))
        }
        return [Frame(width: 8, plaintext: description)] + content
    }

    /// The backup.
    func bytes(password: String = Self.password) throws -> [UInt8] {
        try Self.encode(frames, password: password)
    }

    /// Frames in any order, each encrypted.
    static func encode(_ frames: [Frame], password: String = Self.password) throws -> [UInt8] {
        let key = try key(of: password)
        let cipher = try AES256GCM(key: key)
        return try frames.enumerated().flatMap { number, frame in
            let nonce = little(UInt64(number)) + [7, 7, 7, 7]
            let block = nonce + (try cipher.seal(frame.plaintext, nonce: nonce))
            return little(frame.length ?? UInt64(block.count)).prefix(frame.width) + block
        }
    }

    static func key(of password: String) throws -> SecretSeed {
        try SecretSeed { key in
            try Array(password.utf8).withUnsafeBytes {
                try HKDFSHA256.derive($0, salt: [UInt8](repeating: 0, count: 16), info: "", into: key)
            }
        }
    }

    /// The text of `key.enc`.
    static func includedKey(_ specification: [UInt8], password: String = Self.password) throws -> [UInt8] {
        let key = try SecretSeed(sha256Of: StoreVectors.secret(password))
        let nonce = [UInt8](1...12)
        var sealed = [UInt8](repeating: 0, count: specification.count + 16)
        specification.withUnsafeBytes { plaintext in
            sealed.withUnsafeMutableBytes {
                ChaCha20Poly1305.seal(plaintext, into: $0, key: key, nonce: nonce)
            }
        }
        return Array(Base64.encode(nonce + sealed).utf8)
    }

    static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
