import FaultInjection
package import SystemPackage
import ValiseCryptography
import ValiseEncoding
package import ValiseSecrets

/// Writes `session.bak`, also wrong ones: by the sheet on Session's formats, section 7.
package struct BackupBuilder {
    package struct File {
        package var path: [UInt8]
        package var content: [UInt8]
        package var flag: UInt8
        /// What the description claims, where it is not so.
        package var pathLength: UInt32?
        package var size: UInt64?
        package var trailing: [UInt8] = []
        /// The plaintext of each frame of its content, in bytes.
        package var chunk = 4096

        package init(_ path: String, _ content: [UInt8], isExtra: Bool = false) {
            self.path = Array(path.utf8)
            self.content = content
            flag = isExtra ? 1 : 0
        }
    }

    /// One frame before it is encrypted.
    package struct Frame {
        package var width: Int
        package var plaintext: [UInt8]
        /// What its length says, where it is not so.
        package var length: UInt64?

        package init(width: Int, plaintext: [UInt8], length: UInt64? = nil) {
            (self.width, self.plaintext, self.length) = (width, plaintext, length)
        }
    }

    package static let password = "a password of a backup"
    package var version: [UInt8] = little(UInt32(1))
    package var counts: (files: UInt32, extra: UInt32)?
    package var files: [File]

    package init(_ files: [File] = []) { self.files = files }

    /// All files of a folder of iOS, and the key of its database.
    package init(packing container: FilePath) throws {
        let contents = try TemporaryFolder.contents(of: container).sorted { $0.key < $1.key }
        files = contents.compactMap { name, content in content.map { File(name, $0) } }
        files.append(File("_extra/key.enc", try Self.includedKey(PhoneBuilder.key), isExtra: true))
    }

    package var frames: [Frame] {
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
    package func bytes(password: String = Self.password) throws -> [UInt8] {
        try Self.encode(frames, password: password)
    }

    /// Frames in any order, each encrypted.
    package static func encode(_ frames: [Frame], password: String = Self.password) throws -> [UInt8] {
        let key = try key(of: password)
        let cipher = try AES256GCM(key: key)
        return try frames.enumerated().flatMap { number, frame in
            let nonce = little(UInt64(number)) + [7, 7, 7, 7]
            let block = nonce + (try cipher.seal(frame.plaintext, nonce: nonce))
            return little(frame.length ?? UInt64(block.count)).prefix(frame.width) + block
        }
    }

    package static func key(of password: String) throws -> SecretSeed {
        try SecretSeed { key in
            try Array(password.utf8).withUnsafeBytes {
                try HKDFSHA256.derive($0, salt: [UInt8](repeating: 0, count: 16), info: "", into: key)
            }
        }
    }

    /// The text of `key.enc`.
    package static func includedKey(_ specification: [UInt8], password: String = Self.password) throws
        -> [UInt8]
    {
        let key = try SecretSeed(sha256Of: SecretBytes(copying: Array(password.utf8)))
        let nonce = [UInt8](1...12)
        var sealed = [UInt8](repeating: 0, count: specification.count + 16)
        specification.withUnsafeBytes { plaintext in
            sealed.withUnsafeMutableBytes {
                ChaCha20Poly1305.seal(plaintext, into: $0, key: key, nonce: nonce)
            }
        }
        return Array(Base64.encode(nonce + sealed).utf8)
    }

    package static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
