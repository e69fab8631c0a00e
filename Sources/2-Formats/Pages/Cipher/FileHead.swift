import ValiseFiles

/// The first bytes of a database file, decrypted or as they lie.
struct FileHead {
    private let bytes: [UInt8]

    private static let size = 100

    init(_ bytes: [UInt8]) {
        self.bytes = bytes + [UInt8](repeating: 0, count: max(0, Self.size - bytes.count))
    }

    static func bytes(of source: any ByteSource) throws -> [UInt8] {
        try source.bytes(at: 0, upTo: size)
    }

    var salt: [UInt8] { Array(bytes[..<CipherSettings.saltSize]) }

    var isUnencrypted: Bool { bytes.starts(with: PageCodec.unencryptedMagic) }

    /// Bytes 18 and 19: the versions needed to write and to read; 2 is a write-ahead log.
    var asksForLog: Bool { bytes[18] == 2 || bytes[19] == 2 }

    /// As the header states it.
    var pageSize: Int {
        let number = Int(bytes[16]) << 8 | Int(bytes[17])
        return number == 1 ? 65536 : number
    }

    /// Whether SQLite's header is there and says what these settings say. Without an HMAC this is all there
    /// is to tell a right key from a wrong one.
    ///
    /// More bytes than needed may be reserved: SQLCipher 4 leaves its own 80 when it writes format 1.
    func isHeader(of settings: CipherSettings) -> Bool {
        pageSize == settings.pageSize
            && (1...2).contains(bytes[18]) && (1...2).contains(bytes[19])
            && Int(bytes[20]) >= settings.reserve && bytes[21...23].elementsEqual([64, 32, 32])
            // Reserved for expansion: zeros, and encrypted unless the unencrypted part covers them.
            && bytes[72..<92].allSatisfy { $0 == 0 } && settings.plaintextHeaderSize <= 64
    }
}
