import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseDatabase
import ValiseFiles
import ValisePages
import ValiseSecrets

/// The `.recover` of the `sqlcipher` shell, which does the same for databases that are not encrypted.
///
/// An encrypted one is decrypted for it page by page, damaged pages as zeros: the reserved bytes stay.
enum RecoverPeer {
    static let isThere = OtherProgram.isThere("sqlcipher")

    /// The rows that `.recover` saves, by table.
    static func rows(of bytes: [UInt8], passphrase: [UInt8]) throws -> [String: [[Value]: Int]] {
        let folder = try TemporaryFolder("valise-recover")
        let plain = folder.appending("plain.db")
        try write(bytes, passphrase, to: plain, folder)
        let script = folder.appending("recovered.sql")
        let target = folder.appending("recovered.db")
        try #require(OtherProgram("sh")).run([
            "-c",
            "sqlcipher -batch '\(plain)' .recover > '\(script)'; sqlcipher -batch '\(target)' < '\(script)'",
        ])
        let connection = try Connection(target, mode: .readOnly, passphrase: try .empty())
        var rows = try SalvageFixture.dump(connection)
        rows["lost_and_found"] = nil
        return rows
    }

    private static func write(
        _ bytes: [UInt8], _ passphrase: [UInt8], to plain: FilePath, _ folder: TemporaryFolder
    ) throws {
        guard !passphrase.isEmpty else {
            var file = try FileSystem().create(plain)
            return try file.write(bytes)
        }
        let encrypted = folder.appending("encrypted.db")
        var copy = try FileSystem().create(encrypted)
        try copy.write(bytes)
        let source = try FileSource(encrypted)
        let key = try CipherKey(
            passphrase: SecretBytes(copying: passphrase), salt: EncryptedDatabaseFile.salt(of: source),
            settings: .format4)
        let reader = try EncryptedDatabaseFile(source, settings: .format4, key: key).reader()
        var file = try FileSystem().create(plain)
        for number in 1...UInt32(bytes.count / SalvageFixture.pageSize) {
            var page = try reader.withPage(number) { status, page in
                status == .intact ? Array(page) : []
            }
            page += [UInt8](repeating: 0, count: SalvageFixture.pageSize - page.count)
            try file.write(page)
        }
    }
}
