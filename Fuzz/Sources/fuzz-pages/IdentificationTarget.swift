import Fuzzing
import ValiseFiles
import ValisePages
import ValiseSecrets

/// An encrypted file as it lies, under a raw key: deriving one would take most of the time.
enum IdentificationTarget {
    static func run(_ bytes: [UInt8]) {
        let source = MemorySource(bytes)
        guard let key = try? RawKeyText.secret(), let outline = try? FileOutline(source) else {
            return FuzzRun.require(false, "any file has an outline")
        }
        _ = outline
        guard let result = try? CipherIdentification.identify(source, passphrase: key) else {
            return FuzzRun.require(false, "any file is identified")
        }
        if let file = result.file { FileReaders.run(file) }
    }
}

/// `x'…'`.
enum RawKeyText {
    static func secret() throws -> SecretBytes {
        try SecretBytes(
            copying: Array("x'".utf8) + [UInt8](repeating: UInt8(ascii: "5"), count: 64) + Array("'".utf8))
    }
}
