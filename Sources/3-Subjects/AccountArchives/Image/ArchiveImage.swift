package import SystemPackage
package import ValiseAccounts
import ValiseArchives
package import ValiseConcurrency
import ValiseCryptography
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
import ValiseMedia
package import ValiseSecrets

/// The archive of an account without an archive: its bytes, made when they are asked for.
///
/// They are those of an ``ArchiveExport`` that is stored and reproducible, the same each time as long as no file
/// changes. So an archive needs no place on a disk, and what was begun with it can be continued later. Each file is
/// checked whenever bytes of it are read: what is read is what was there in the beginning, or an error.
///
/// Memory is some 120 bytes for each entry, besides its name; a few files are open.
package final class ArchiveImage: ByteSource {
    private let reader: AccountReader
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private let zip: ZipImage
    private let scanned: [ScannedFile]
    private let files = ImageFiles()

    /// Of the archive, in bytes.
    package let size: Int64
    /// The account's folder: what errors call the archive.
    package var path: FilePath { location.directory }
    /// 32 bytes that are the same as long as the archive is: SHA-256 of the names, sizes and contents of all entries.
    package let identity: [UInt8]
    /// Files that are left out, as an export reports them.
    package let archiveErrors: [ArchiveError]

    /// What is in the archive, in its order.
    package var entries: Entries { Entries(zip: zip, files: scanned) }

    /// Reads every file of the account once, on all cores.
    ///
    /// - Parameters:
    ///   - location: the account; it is locked as long as this object lives, and not changed.
    ///   - passphrase: where given, both databases are opened first to prove it.
    ///   - fileSystem: where files are read and written.
    ///   - progress: sees the bytes that were read; throw to stop.
    /// - Throws: `AccountError`: `inUse`, `notFound`, `damaged`; `failed` where an interrupted operation waits to be
    ///   completed; ``AccountArchiveError``: of the kind `needsFolding` where a crashed program left a journal or a
    ///   log, and `sourceChanged` where a file is written to meanwhile; `AccountMediaError`, `DatabaseError`:
    ///   `wrongPassphrase`; `FileError` for a database that cannot be read; whatever `progress` throws.
    package init(
        _ location: AccountLocation, passphrase: borrowing SecretBytes? = nil,
        fileSystem: FileSystem = FileSystem(), progress: ProgressHandler = { _ in }
    ) throws {
        self.location = location
        self.fileSystem = fileSystem
        reader = try AccountReader(location, use: .refused, fileSystem: fileSystem)
        let key = try passphrase.duplicate()
        var collector = ExportCollector(ExportChoice(.complete), fileSystem)
        for database in AccountDatabase.allCases {
            collector.add(try Self.provenDatabase(database, reader, key, fileSystem))
        }
        try collector.addFolder(location.filesFolder, as: ArchiveLayout.files)
        try collector.addFolder(location.wallpapersFolder, as: ArchiveLayout.wallpapers)
        let sources = collector.sources
        let scan = try ImageScan(sources, fileSystem).run(progress)
        archiveErrors =
            collector.errors
            + scan.unreadable.sorted { $0.key < $1.key }.map {
                .fileError(file: sources[$0.key].name, fileError: Remark($0.value))
            }
        scanned = scan.files
        zip = try Self.zip(of: sources, scan)
        size = zip.size
        identity = Self.identity(Entries(zip: zip, files: scanned))
    }

    private static func zip(of sources: [ExportSource], _ scan: ImageScan.Outcome) throws -> ZipImage {
        var zip = ZipImage(reservingCapacity: scan.files.count)
        for (index, source) in sources.enumerated() where scan.unreadable[index] == nil {
            let file = scan.files[zip.count]
            try zip.add(source.name, size: file.size, checksum: file.checksum)
        }
        return zip
    }

    /// A database whose file is the whole truth, and that the passphrase opens.
    private static func provenDatabase(
        _ database: AccountDatabase, _ reader: AccountReader, _ passphrase: borrowing SecretBytes?,
        _ fileSystem: FileSystem
    ) throws -> ExportedDatabase {
        let export = ArchiveExport(fileSystem: fileSystem)
        let stored = try export.checked(reader, database)
        guard try !export.needsFolding(stored, reader, passphrase) else {
            throw AccountArchiveError(
                .failed,
                "a crash left a journal or write-ahead log beside this database, which must be merged first. "
                    + "Nothing was changed.",
                kind: .needsFolding, subject: stored.path.string,
                remedy: .compactAccount(Remedy.Account(ofDatabase: stored.path)))
        }
        let source = try reader.unfolded(database)
        if let given = try passphrase.duplicate() {
            _ = try ChatDatabase.connect(source, passphrase: given)
        }
        return ExportedDatabase(stored: stored, source: source)
    }

    private static func identity(_ entries: Entries) -> [UInt8] {
        var hash = SHA256()
        var record = Array("valise archive image 1".utf8)
        record.append(bigEndian: UInt64(entries.count))
        for entry in entries {
            let name = Array(entry.name.utf8)
            record.append(bigEndian: UInt64(name.count))
            record += name
            record.append(bigEndian: UInt64(entry.size))
            record.append(bigEndian: entry.checksum)
            record += entry.digest
            unsafe record.withUnsafeBytes { unsafe hash.update($0) }
            record.removeAll(keepingCapacity: true)
        }
        unsafe record.withUnsafeBytes { unsafe hash.update($0) }
        return hash.finalize()
    }

    // MARK: Reading

    /// Fills the buffer from `offset`: fewer bytes only where the archive ends. Any thread may, at any place.
    /// - Throws: ``AccountArchiveError`` of the kind `sourceChanged` where a file is not as it was in the beginning,
    ///   of another for one that can no longer be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try unsafe zip.read(into: buffer, at: offset) { index, part, position in
            do {
                let source = try files.source(index) { try open(index) }
                let count = try unsafe source.read(into: part, at: position)
                // After the read: what was there before a change that is not seen yet is the right content.
                try check(index, source.attributes())
                guard count == part.count else { throw changed(index) }
            } catch let error as FileError {
                throw unreadable(index, error)
            }
        }
    }

    private func open(_ index: Int) throws -> FileSource {
        let source = try FileSource(path(of: index), fileSystem: fileSystem)
        try check(index, source.attributes())
        return source
    }

    /// Checks that every file is there as it was read, and that no database got a journal or a log.
    /// - Throws: ``AccountArchiveError`` of the kind `sourceChanged`, with the file; `FileError` where the system
    ///   does not let us look.
    package func checkUnchanged() throws {
        for index in 0..<zip.count {
            guard let found = try fileSystem.attributes(of: path(of: index)) else { throw gone(index) }
            try check(index, found)
        }
        for database in AccountDatabase.allCases {
            let stored = try reader.stored(database)
            guard !stored.needsFolding else {
                throw Self.changed(stored.path, "a program wrote to this database")
            }
        }
    }

    private func check(_ index: Int, _ attributes: FileAttributes) throws {
        guard ImageStamp(attributes) == scanned[index].stamp else { throw changed(index) }
    }

    /// Where the file of the entry of that number is.
    private func path(of index: Int) -> FilePath {
        switch ArchiveLayout.role(of: zip[index].name) {
        case .database(let database): location.path(of: database)
        case .file(let name): location.filesFolder.appending(name)
        case .wallpaper(let name): location.wallpapersFolder.appending(name)
        case .other: location.directory
        }
    }

    // MARK: Failures

    private func changed(_ index: Int) -> AccountArchiveError {
        Self.changed(path(of: index), "this file was changed or replaced")
    }

    private func gone(_ index: Int) -> AccountArchiveError {
        Self.changed(path(of: index), "this file was removed or renamed")
    }

    private static func changed(
        _ path: FilePath, _ what: String, cause: (any Error)? = nil
    ) -> AccountArchiveError {
        AccountArchiveError(
            .failed,
            "\(what) since the account was read. The account is intact, but the result so far is out of date.",
            kind: .sourceChanged, subject: path.string, cause: cause, remedy: .closeProgram)
    }

    private func unreadable(_ index: Int, _ error: FileError) -> AccountArchiveError {
        if error.code == .notFound { return gone(index) }
        return AccountArchiveError(
            error.code,
            "this account file can no longer be read. The account is intact.",
            subject: path(of: index).string, cause: error, remedy: .makeReadable(path(of: index)))
    }
}
