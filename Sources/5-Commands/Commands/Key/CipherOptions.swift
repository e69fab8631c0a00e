public import ArgumentParser
public import Valise
import ValiseEncoding

/// The key derivation of databases that were encrypted with settings of one's own.
struct CipherOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Iterations of the key derivation (PRAGMA kdf_iter).", valueName: "number"))
    var kdfIter: Int?

    @Option(help: ArgumentHelp("Hash of the key derivation: SHA1, SHA256 or SHA512.", valueName: "hash"))
    var kdfAlgorithm: HashAlgorithm?

    @Option(
        help: ArgumentHelp(
            "Bytes at the start of the files that are in plain (PRAGMA cipher_plaintext_header_size).",
            valueName: "bytes"))
    var plaintextHeaderSize: Int?

    @Option(
        help: ArgumentHelp(
            "The salt, 32 hexadecimal digits, where it is not in the file (PRAGMA cipher_salt).",
            valueName: "hex"))
    var cipherSalt: String?

    func validate() throws {
        if let cipherSalt, salt(cipherSalt)?.count != CipherSettings.saltSize {
            throw ValidationError("--cipher-salt wants 32 hexadecimal digits.")
        }
        if let hint, !hint.isValid {
            throw ValidationError("SQLCipher knows no such cipher settings.")
        }
    }

    /// Nil where nothing was said: then the defaults of all formats are tried.
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
