import Fuzzing
import SystemPackage
import ValiseCryptography
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// `session.bak`: files of anybody, and frames that are encrypted here, so that what is hostile gets past their tags.
enum SessionBackupTarget {
    private static let password = Array("a password".utf8)
    private static let key = try? SecretSeed { key in
        try password.withUnsafeBytes {
            try HKDFSHA256.derive($0, salt: [UInt8](repeating: 0, count: 16), info: "", into: key)
        }
    }
    private static let nonce = [UInt8](repeating: 7, count: AES256GCM.nonceByteCount)
    private static let mostFrames = 64

    static func file(_ input: [UInt8]) { read(input) }

    /// Frames, each of a byte that says what is wrong with it, two for its size, and its plaintext.
    static func frames(_ input: [UInt8]) {
        guard let key, let cipher = try? AES256GCM(key: key) else { return }
        var (rest, file, count) = (input[...], [UInt8](), 0)
        while rest.count >= 3, count < mostFrames {
            let header = Array(rest.prefix(3))
            let size = Int(header[1]) | Int(header[2]) << 8
            rest.removeFirst(3)
            guard let frame = frame(Array(rest.prefix(size)), header[0], cipher) else { return }
            file += frame
            rest = rest.dropFirst(size)
            count += 1
        }
        read(file)
    }

    private static func frame(
        _ plaintext: [UInt8], _ choice: UInt8, _ cipher: borrowing AES256GCM
    ) -> [UInt8]? {
        var plaintext = plaintext
        if choice & 16 != 0 {
            plaintext += [UInt8](repeating: 0x41, count: max(0, 4096 - plaintext.count))
        }
        guard var block = try? cipher.seal(plaintext, nonce: nonce) else { return nil }
        block = nonce + block
        let length = UInt64(block.count) &+ (choice & 4 == 0 ? 0 : UInt64(choice >> 5) &- 4)
        if choice & 8 != 0 { block[block.count / 2] ^= 1 }
        let width = [4, 1, 8, 2][Int(choice & 3)]
        return (0..<width).map { UInt8(truncatingIfNeeded: length >> (8 * UInt64($0))) } + block
    }

    // MARK: Reading

    private static func read(_ file: [UInt8]) {
        let source = MemorySource(file)
        guard let secret = try? SecretBytes(copying: password),
            let backup = try? SessionBackup(source, password: secret)
        else { return }
        let entries = try? backup.list()
        let verification = try? backup.verify()
        let isWhole = verification != nil
        FuzzRun.require(entries != nil || !isWhole, "what is verified is listed")
        guard let entries else { return extract(backup, [], contents: [:], isWhole: false) }
        FuzzRun.require(entries.count == backup.fileCount + backup.extraCount, "all files are listed")
        FuzzRun.require(Set(entries.map(\.path)).count == entries.count, "each path is there once")
        FuzzRun.require(
            entries.reduce(0) { $0 + $1.size } <= file.count, "contents are no longer than their backup")
        _ = try? backup.verifiedKey(password: secret)
        extract(backup, entries, contents: contents(backup, entries, isWhole: isWhole), isWhole: isWhole)
    }

    private static func contents(
        _ backup: SessionBackup, _ entries: [SessionBackupEntry], isWhole: Bool
    ) -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for entry in entries.prefix(8) {
            guard let source = try? backup.content(of: entry.path) else { continue }
            FuzzRun.require(source.size == entry.size, "a content has its size")
            let content = try? source.bytes(at: 0, upTo: Int(entry.size))
            FuzzRun.require(content?.count == Int(entry.size) || !isWhole, "what is verified is read")
            guard let content else { continue }
            let middle = Int(entry.size / 2)
            FuzzRun.require(
                (try? source.bytes(at: Int64(middle), upTo: 5000))
                    == Array(content[middle...].prefix(5000)),
                "it is the same wherever reading begins")
            contents[entry.path] = content
        }
        return contents
    }

    private static func extract(
        _ backup: SessionBackup, _ entries: [SessionBackupEntry], contents: [String: [UInt8]], isWhole: Bool
    ) {
        guard entries.count <= 8 else { return }
        let fileSystem = FileSystem()
        let folder = ScratchFile("session-backup").path
        let extraction = try? backup.extract(into: folder, fileSystem: fileSystem)
        FuzzRun.require((extraction != nil) == isWhole, "what is verified is extracted, and nothing else")
        guard isWhole else {
            return FuzzRun.require((try? fileSystem.exists(folder)) == false, "nothing is left of a failure")
        }
        for (path, content) in contents {
            FuzzRun.require(
                (try? fileSystem.contents(of: folder.pushing(FilePath(path)), limit: 1 << 20)) == content,
                "what is extracted is what is read")
        }
        let removed: Void? = try? fileSystem.removeTree(folder)
        FuzzRun.require(removed != nil, "the scratch folder can be removed")
    }

    // MARK: The key in it

    /// The first byte says whether the rest is the text, or what is encrypted and encoded here.
    static func key(_ input: [UInt8]) {
        guard let choice = input.first, let secret = try? SecretBytes(copying: password) else { return }
        let content = Array(input.dropFirst())
        if choice & 1 == 0 {
            let isOpen = (try? IncludedKey.open(content, password: secret, name: "key")) != nil
            return FuzzRun.require(!isOpen, "nobody encrypted it")
        }
        guard let key = try? SecretSeed(sha256Of: secret) else { return }
        let start = Array(nonce.prefix(ChaCha20Poly1305.nonceByteCount))
        var sealed = [UInt8](repeating: 0, count: content.count + ChaCha20Poly1305.tagByteCount)
        content.withUnsafeBytes { content in
            sealed.withUnsafeMutableBytes {
                ChaCha20Poly1305.seal(content, into: $0, key: key, nonce: start)
            }
        }
        let text = Array((Base64.encode(start + sealed) + (choice & 2 == 0 ? "" : "\r\n")).utf8)
        switch try? IncludedKey.open(text, password: secret, name: "key") {
        case .some(let opened):
            FuzzRun.require(
                content.count == 48 && opened.withBytes { Array($0) == content }, "it is what was encrypted")
        case nil: FuzzRun.require(content.count != 48, "a key of 48 bytes is opened")
        }
    }
}
