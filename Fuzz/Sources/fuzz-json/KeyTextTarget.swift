import Fuzzing
import SystemPackage
import ValiseCryptoFiles
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

@testable import ValiseKeys
@testable import ValisePages

/// Texts and files with keys in them.
enum KeyTextTarget {
    static func file(_ bytes: [UInt8]) {
        guard let text = try? SecretBytes(copying: bytes), let file = try? CryptoFile(text: text),
            let json = try? file.json()
        else { return }
        let again = try? CryptoFile(text: json)
        FuzzRun.require(again.map { isSame($0, file) } ?? false, "the JSON of \(file.filePath) is read again")
    }

    private static func isSame(_ one: CryptoFile, _ other: CryptoFile) -> Bool {
        guard one.filePath == other.filePath else { return false }
        guard let args = one.cryptoArgs, let others = other.cryptoArgs else {
            return one.cryptoArgs == nil && other.cryptoArgs == nil
        }
        return args.equals(others)
    }

    static func args(_ bytes: [UInt8]) {
        guard let text = try? SecretBytes(copying: bytes) else { return }
        if let args = try? CryptoFileArgs(text: text) {
            let again = try? CryptoFileArgs(text: args.json())
            FuzzRun.require(again.map { $0.equals(args) } ?? false, "a key is read again")
        }
    }

    static func owner(_ bytes: [UInt8]) {
        guard let name = String(validating: bytes, as: UTF8.self), let owner = KeyOwner(name: name) else {
            return
        }
        FuzzRun.require(owner.name.utf8.elementsEqual(bytes), "an owner keeps its name")
        FuzzRun.require(KeyOwner(name: owner.name) == owner, "an owner is read again")
    }

    static func rawKey(_ bytes: [UInt8]) {
        guard let text = try? SecretBytes(copying: bytes) else { return }
        _ = text.looksLikeRawKey()
        guard let key = try? RawKey.parse(text) else { return }
        FuzzRun.require(key.key.count == 32, "a raw key has 32 bytes")
    }

    /// A passphrase file of the store, whoever put it there.
    static func storeFile(_ bytes: [UInt8]) {
        let store = FileKeyStore(folder: storeFolder.path)
        ScratchFile(storeFolder.path.appending("fuzzed.key")).write(bytes)
        guard let owners = try? store.list(), let owner = owners.first else { return }
        FuzzRun.require(
            bytes.starts(with: Array("valise key 1\n\(owner.name)\n".utf8)), "the owner is in the file")
    }

    private static let storeFolder: ScratchFile = {
        let folder = ScratchFile("store")
        try? FileSystem().makeDirectory(folder.path)
        return folder
    }()

    /// How a passphrase stands on a sheet: all of it, in lines that fit.
    static func sheet(_ bytes: [UInt8]) {
        let layout = bytes.withUnsafeBytes { PassphraseLayout($0) }
        let groups = layout.lines.flatMap(\.groups)
        FuzzRun.require(groups.reduce(0) { $0 + $1.count } == bytes.count, "no byte is lost on the sheet")
        FuzzRun.require(
            zip(groups, groups.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound },
            "the groups follow each other")
        FuzzRun.require(
            layout.lines.allSatisfy { $0.columns <= PassphraseLayout.widest }, "a line fits")
    }
}
