public import ArgumentParser
public import Valise
import ValiseEncoding

/// The key derivation of databases with custom settings.
struct CipherOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Key derivation iterations (PRAGMA kdf_iter).", valueName: "number"))
    var kdfIter: Int?

    @Option(help: ArgumentHelp("Key derivation hash: SHA1, SHA256 or SHA512.", valueName: "hash"))
    var kdfAlgorithm: HashAlgorithm?

    @Option(
        help: ArgumentHelp(
            "Unencrypted bytes at the start of each file (PRAGMA cipher_plaintext_header_size).",
            valueName: "bytes"))
    var plaintextHeaderSize: Int?

    @Option(
        help: ArgumentHelp(
            "The salt as 32 hexadecimal digits, if it is not in the file (PRAGMA cipher_salt).",
            valueName: "hex"))
    var cipherSalt: String?

    func validate() throws {
        if let cipherSalt, salt(cipherSalt)?.count != CipherSettings.saltSize {
            throw ValidationError("--cipher-salt must have 32 hexadecimal digits")
        }
        if let hint, !hint.isValid {
            throw ValidationError("SQLCipher does not support these cipher settings")
        }
    }

    /// Nil if no option was given: then the defaults of all formats are tried.
    var hint: CipherHint? {
        guard kdfIter != nil || kdfAlgorithm != nil || plaintextHeaderSize != nil || cipherSalt != nil else {
            return nil
        }
        return CipherHint(
            kdfAlgorithm: kdfAlgorithm ?? .sha512,
            kdfIterations: kdfIter ?? CipherSettings.format4.kdfIterations,
            plaintextHeaderSize: plaintextHeaderSize ?? 0, salt: cipherSalt.flatMap(salt))
    }

    private func salt(_ text: String) -> [UInt8]? { Hexadecimal.decode(text) }
}

extension HashAlgorithm: ExpressibleByArgument {}
