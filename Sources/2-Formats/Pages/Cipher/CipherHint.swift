/// What somebody knows of a file that was encrypted with settings of one's own.
public struct CipherHint: Sendable, Equatable {
    /// The hash function of PBKDF2.
    package var kdfAlgorithm: HashAlgorithm
    /// Iterations of PBKDF2.
    package var kdfIterations: Int
    /// How many bytes at the start of the file are unencrypted.
    package var plaintextHeaderSize: Int
    /// 16 bytes, where the salt is not in the file; nil where it is, or follows a raw key.
    package var salt: [UInt8]?

    /// Settings that are not found by trying; nil for those that are.
    public init(
        kdfAlgorithm: HashAlgorithm = .sha512, kdfIterations: Int = 256_000,
        plaintextHeaderSize: Int = 0, salt: [UInt8]? = nil
    ) {
        self.kdfAlgorithm = kdfAlgorithm
        self.kdfIterations = kdfIterations
        self.plaintextHeaderSize = plaintextHeaderSize
        self.salt = salt
    }

    /// Whether SQLCipher has such settings.
    package var isValid: Bool { settings.isValid }

    var settings: CipherSettings {
        CipherSettings(
            pageSize: CipherSettings.format4.pageSize, kdfAlgorithm: kdfAlgorithm,
            kdfIterations: kdfIterations, hmacAlgorithm: kdfAlgorithm,
            plaintextHeaderSize: plaintextHeaderSize)
    }
}
