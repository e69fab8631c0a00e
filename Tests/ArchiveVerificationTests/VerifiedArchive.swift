import FaultInjection
import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance
import ValiseSampleAccounts
import ValiseSecrets

/// An archive of a sample account that a test makes file by file, so that each may be changed on its way.
struct VerifiedArchive {
    typealias Files = [(name: String, bytes: [UInt8])]

    let folder: TemporaryFolder
    var files: Files
    var method = ZipMethod.stored
    var path: FilePath { folder.appending("account.zip") }

    static let chat = "simplex_v1_chat.db"
    static let agent = "simplex_v1_agent.db"
    private static let fileSystem = FileSystem()

    static func key(_ digits: String = "5a") throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: digits, count: 32) + "'").utf8))
    }

    /// The files of one account, its messages and media agreeing.
    private static let encrypted = Result { try account(isEncrypted: true) }
    private static let plain = Result { try account(isEncrypted: false) }

    private static func account(isEncrypted: Bool) throws -> Files {
        let folder = try TemporaryFolder(inMemory: true)
        let location = AccountLocation(directory: folder.appending("account"))
        let key = isEncrypted ? try key() : try SecretBytes.empty()
        try SampleAccount(.init(messages: 300)).build(location, passphrase: key)
        let media = try fileSystem.list(location.filesFolder).compactMap(\.name).sorted()
        // The sample has a message whose file is missing.
        let chat = try Connection(location.path(of: .chat), mode: .readWrite, passphrase: key)
        for row in try chat.rows("SELECT file_id, file_path FROM files WHERE file_path NOT LIKE '/%'") {
            guard let path = row[1].text, !media.contains(path) else { continue }
            try chat.run("UPDATE files SET ci_file_status = 'rcv_invitation' WHERE file_id = ?", [row[0]])
        }
        _ = consume chat
        let places =
            AccountDatabase.allCases.map { ($0.archiveName, location.path(of: $0)) }
            + media.map { ("simplex_v1_files/\($0)", location.filesFolder.appending($0)) }
        return try places.map { ($0.0, try fileSystem.contents(of: $0.1, limit: 1 << 26)) }
    }

    init(isEncrypted: Bool = true, _ method: ZipMethod = .stored) throws {
        folder = try TemporaryFolder(inMemory: true)
        files = try (isEncrypted ? Self.encrypted : Self.plain).get()
        self.method = method
    }

    // MARK: Changes

    /// Media by their names in the archive.
    var media: [String] { files.map(\.name).filter { $0.hasPrefix("simplex_v1_files/") } }

    mutating func change(_ name: String, _ body: (inout [UInt8]) throws -> Void) rethrows {
        guard let index = files.firstIndex(where: { $0.name == name }) else { return }
        try body(&files[index].bytes)
    }

    mutating func remove(_ name: String) { files.removeAll { $0.name == name } }

    func bytes(of name: String) -> [UInt8] { files.first { $0.name == name }?.bytes ?? [] }

    /// Changes a database by SQL.
    mutating func execute(_ name: String, _ sql: String, isEncrypted: Bool = true) throws {
        let copy = folder.appending("copy.db")
        try change(name) { bytes in
            try Self.fileSystem.replace(copy, with: bytes)
            do {
                let key = isEncrypted ? try Self.key() : try SecretBytes.empty()
                let connection = try Connection(copy, mode: .readWrite, passphrase: key)
                try connection.execute("PRAGMA foreign_keys = OFF")
                try connection.execute(sql)
            }
            bytes = try Self.fileSystem.contents(of: copy, limit: 1 << 26)
        }
        try Self.fileSystem.remove(copy)
    }

    // MARK: The zip

    /// Writes the zip, with checksums of what the files are now.
    func write() throws {
        if try Self.fileSystem.exists(path) { try Self.fileSystem.remove(path) }
        let writer = try ZipWriter(try Self.fileSystem.create(path))
        for file in files {
            var offset = 0
            try writer.add(
                file.name, size: Int64(file.bytes.count), modificationTime: 0, method: method
            ) { buffer in
                let count = min(buffer.count, file.bytes.count - offset)
                buffer.copyBytes(from: file.bytes[offset..<offset + count])
                offset += count
                return count
            }
        }
        _ = try writer.finish()
    }

    /// Changes the bytes of the zip itself.
    func changeZip(_ body: (inout [UInt8]) throws -> Void) throws {
        var bytes = try Self.fileSystem.contents(of: path, limit: 1 << 26)
        try body(&bytes)
        try Self.fileSystem.replace(path, with: bytes)
    }

    func verify(
        key: String? = "5a", fileSystem: FileSystem = FileSystem(), progress: ProgressHandler = { _ in }
    ) throws -> ArchiveVerificationReport {
        let passphrase: SecretBytes? = if let key { try Self.key(key) } else { nil }
        return try ArchiveVerification(fileSystem: fileSystem).verify(
            path, passphrase: passphrase, progress: progress)
    }

    /// Writes the zip and verifies it.
    func report(key: String? = "5a") throws -> ArchiveVerificationReport {
        try write()
        return try verify(key: key)
    }
}

extension [UInt8] {
    /// Where some bytes begin, from an offset on.
    func position(of part: [UInt8], from start: Int = 0) -> Int? {
        guard count >= part.count else { return nil }
        return (start...count - part.count).first { self[$0..<$0 + part.count].elementsEqual(part) }
    }
}
