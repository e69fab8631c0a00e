import Database
import Files
import SystemPackage

/// The media of an account: files of a folder, or entries of an archive.
protocol MediaStore {
    /// The size of a file; nil where there is none of this name.
    func size(of name: String) throws -> Int64?
    /// All files there are.
    func all() throws -> [(name: String, size: Int64)]
    /// The name under which a path of the database is to be found here; nil for one that lies elsewhere.
    func name(of path: String) -> String?
}

/// A folder on disk.
struct MediaFolder: MediaStore {
    let folder: FilePath
    let fileSystem: FileSystem

    func size(of name: String) throws -> Int64? {
        let found = try fileSystem.attributes(of: folder.appending(name))
        return found?.kind == .regular ? found?.size : nil
    }

    func all() throws -> [(name: String, size: Int64)] {
        guard try fileSystem.isDirectory(folder) else { return [] }
        return try fileSystem.list(folder).compactMap { entry in
            guard entry.kind == .regular, let name = entry.name else { return nil }
            return try size(of: name).map { (name, $0) }
        }
    }

    /// What an old row or the command line stores as an absolute path lies where the user left it.
    func name(of path: String) -> String? {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        return components.contains("..") || path.hasPrefix("/") || path.isEmpty ? nil : path
    }
}

/// The entries of an archive under the media folder's name.
struct MediaEntries: MediaStore {
    let sizes: [String: Int64]

    func size(of name: String) throws -> Int64? { sizes[name] }

    func all() throws -> [(name: String, size: Int64)] { sizes.map { ($0.key, $0.value) } }

    /// An archive has all files in one folder.
    func name(of path: String) -> String? {
        guard !path.hasPrefix("/"), let name = path.split(separator: "/").last else { return nil }
        return String(name)
    }
}

/// Compares the rows of the table `files` with the files (Documentation/formats/account.md).
struct MediaCheck {
    private let store: any MediaStore
    private static let mostListed = 1000
    /// The tag behind an encrypted file's content.
    private static let tagSize: Int64 = 16

    init(_ store: any MediaStore) {
        self.store = store
    }

    /// - Returns: nil where there is no such table.
    func run(_ chat: CheckedDatabase) throws -> MediaFindings? {
        let connection = try chat.connect()
        guard try connection.value("SELECT count(*) FROM sqlite_master WHERE name = 'files'") == 1 else {
            return nil
        }
        var findings = MediaFindings()
        var names: Set<String> = []
        let rows = try connection.prepare(
            """
            SELECT file_path, file_size, file_crypto_key IS NOT NULL AND file_crypto_nonce IS NOT NULL,
                ci_file_status LIKE 'snd\\_%' ESCAPE '\\' OR ci_file_status LIKE 'rcv\\_complete%' ESCAPE '\\'
            FROM files WHERE file_path IS NOT NULL ORDER BY file_id
            """)
        while try rows.step() {
            guard let path = rows.value(0).text else { continue }
            guard let name = store.name(of: path) else {
                findings.elsewhere += 1
                continue
            }
            let isNew = names.insert(name).inserted
            guard isNew, rows.value(3) == 1 else { continue }
            let tag = rows.value(2) == 1 ? Self.tagSize : 0
            try compare(name, (rows.value(1).integer ?? 0) + tag, &findings)
        }
        try noteUnreferenced(names, &findings)
        return findings
    }

    private func compare(_ name: String, _ expected: Int64, _ findings: inout MediaFindings) throws {
        findings.referenced += 1
        let size = try store.size(of: name)
        if size == expected {
            findings.whole += 1
            return
        }
        if size == nil { findings.missingCount += 1 } else { findings.differingCount += 1 }
        guard findings.problems.count < Self.mostListed else { return }
        findings.problems.append(.init(name: name, expectedSize: expected, size: size))
    }

    private func noteUnreferenced(_ names: Set<String>, _ findings: inout MediaFindings) throws {
        for file in try store.all() where !names.contains(file.name) {
            findings.unreferencedCount += 1
            findings.unreferencedSize += file.size
            if findings.unreferenced.count < Self.mostListed { findings.unreferenced.append(file.name) }
        }
        findings.unreferenced.sort()
    }
}
