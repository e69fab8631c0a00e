import SystemPackage
import ValiseAccounts
import ValiseCryptography
import ValiseFiles

/// The media and wallpaper folders while they are filled.
final class SampleMediaFolder {
    /// Key and nonce of a CryptoFile.
    struct Keys {
        let key: [UInt8]
        let nonce: [UInt8]
    }

    private let location: AccountLocation
    private let encryption: SampleAccount.MediaEncryption
    private let fileSystem: FileSystem
    private var generator: SampleGenerator

    /// How many files were written, and their bytes before encryption.
    private(set) var files = 0
    private(set) var bytes: Int64 = 0

    init(
        _ location: AccountLocation, _ encryption: SampleAccount.MediaEncryption, _ seed: UInt64,
        _ fileSystem: FileSystem
    ) throws {
        self.location = location
        self.encryption = encryption
        self.fileSystem = fileSystem
        generator = SampleGenerator(seed: seed, purpose: "keys")
        try fileSystem.makeDirectories(location.filesFolder)
        try fileSystem.makeDirectories(location.wallpapersFolder)
        var wallpaper = try fileSystem.create(location.wallpapersFolder.appending("wallpaper.jpg"))
        try wallpaper.write(SampleMedia.wallpaper)
    }

    /// Writes one file, encrypted where it is its turn.
    /// - Returns: nil for an unencrypted file.
    func add(_ name: String, _ content: consuming [UInt8]) throws -> Keys? {
        bytes += Int64(content.count)
        let isEncrypted =
            switch encryption {
            case .mixed: files % 2 == 1
            case .encrypted: true
            case .unencrypted: false
            }
        files += 1
        var keys: Keys?
        if isEncrypted {
            let new = newKeys()
            try SecretBox.sealWithTagAtEnd(&content, key: new.key, nonce: new.nonce)
            keys = new
        }
        var file = try fileSystem.create(location.filesFolder.appending(name))
        try file.write(content)
        return keys
    }

    /// Writes a file of which the rest has not come yet: nothing of it is encrypted.
    func addUnfinished(_ name: String, _ content: [UInt8]) throws -> Keys? {
        files += 1
        bytes += Int64(content.count)
        var file = try fileSystem.create(location.filesFolder.appending(name))
        try file.write(content)
        return nil
    }

    /// Writes an encrypted file of which one byte has changed.
    func addDamaged(_ name: String, _ content: consuming [UInt8]) throws -> Keys? {
        files += 1
        bytes += Int64(content.count)
        let keys = newKeys()
        try SecretBox.sealWithTagAtEnd(&content, key: keys.key, nonce: keys.nonce)
        if !content.isEmpty { content[content.count / 2] ^= 1 }
        var file = try fileSystem.create(location.filesFolder.appending(name))
        try file.write(content)
        return keys
    }

    /// Keys of a file that is not there.
    func newKeys() -> Keys {
        Keys(key: generator.bytes(SecretBox.keyByteCount), nonce: generator.bytes(SecretBox.nonceByteCount))
    }
}
