import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

/// Damaged databases: unpacked as far as they exist, and salvaged where that is possible.
struct DamagedDatabases {
    /// A file that goes into the new archive.
    struct Product {
        let name: String
        let path: FilePath
        let modificationTime: Int64
    }

    let archive: any ByteSource
    let workplace: SalvageWorkplace
    let fileSystem: FileSystem
    private(set) var space: SalvageSpace
    /// What goes into the new archive.
    private(set) var products: [Product] = []
    /// Those whose checksums hold, and for whose salvage there is no space.
    private(set) var left: [AccountDatabase] = []
    /// Whether the passphrase opens one, or one needs none.
    private(set) var isOneOpened = false
    /// Whether the passphrase does not open one.
    private(set) var isOneRefused = false

    /// Where they go in the new archive when they are not salvaged: nothing takes them for databases there.
    private static let folderName = "damaged"

    init(
        archive: any ByteSource, workplace: SalvageWorkplace, fileSystem: FileSystem, space: SalvageSpace
    ) {
        self.archive = archive
        self.workplace = workplace
        self.fileSystem = fileSystem
        self.space = space
    }

    /// The report says of each database what became of it.
    /// - Throws: ``FileError``; what `progress` throws.
    mutating func run(
        _ damaged: [AccountDatabase: SalvagedEntries.Damaged], _ passphrase: borrowing SecretBytes?,
        _ report: inout ArchiveSalvageReport, _ progress: ProgressHandler
    ) throws {
        for (database, found) in damaged.sorted(by: { $0.key.rawValue > $1.key.rawValue }) {
            try withReport(of: database, &report) { $0.reason = found.reason }
            guard !found.entry.data.isEmpty else {
                report.lost.append(SalvagedEntries.lost(found.entry, Remark(found.reason)))
                continue
            }
            let location = AccountLocation(directory: try workplace.damagedFolder(of: database))
            guard let size = try unpack(found.entry, database, to: location.path(of: database), progress)
            else {
                try withReport(of: database, &report) { leave(database, found, &$0) }
                if !found.isProven {
                    report.lost.append(
                        SalvagedEntries.lost(
                            found.entry,
                            Remark(
                                "\(found.reason); its remaining data does not fit beside the "
                                    + "intact entries, with \(Count.bytes(space.free)) free")))
                }
                continue
            }
            space.take(database: size)
            try withReport(of: database, &report) {
                $0.damagedSize = size
                try rescue(database, found.entry, location, passphrase, &$0, progress)
            }
        }
    }

    /// For lack of space. What its checksum proves goes into the new archive as it was packed.
    private mutating func leave(
        _ database: AccountDatabase, _ found: SalvagedEntries.Damaged,
        _ report: inout ArchiveSalvageReport.Database
    ) {
        guard found.isProven else { return report.state = .noSpace }
        left.append(database)
        space.take(packed: Int64(found.entry.data.count))
        report.state = .faulty
        report.entry = database.archiveName
        report.failure = "not enough free space to unpack it: \(Count.bytes(space.free)) free"
    }

    private mutating func rescue(
        _ database: AccountDatabase, _ entry: ZipScannedEntry, _ location: AccountLocation,
        _ passphrase: borrowing SecretBytes?, _ report: inout ArchiveSalvageReport.Database,
        _ progress: ProgressHandler
    ) throws {
        let time = entry.modificationTime
        let saved = AccountLocation(directory: workplace.savedFolder(of: database))
        let outcome = try DatabaseRescue(
            location: location, target: saved.directory, fileSystem: fileSystem
        ).run(database, passphrase, progress)
        switch outcome {
        case .salvaged(let part):
            isOneOpened = true
            report.state = .salvaged
            report.entry = database.archiveName
            report.salvage = part
            products.append(
                Product(name: database.archiveName, path: saved.path(of: database), modificationTime: time))
            if let file = part.lostAndFoundFile {
                products.append(
                    Product(
                        name: "\(Self.folderName)/\(file)", path: saved.directory.appending(file),
                        modificationTime: time))
            }
            return
        case .refused:
            isOneRefused = true
            report.failure = "wrong passphrase, or damaged salt"
        case .failed(let reason):
            isOneOpened = true
            report.failure = reason
        case .nothing: break
        }
        report.state = .keptDamaged
        report.entry = "\(Self.folderName)/\(database.archiveName)"
        products.append(
            Product(
                name: "\(Self.folderName)/\(database.archiveName)", path: location.path(of: database),
                modificationTime: time))
    }

    private struct NoSpace: Error {}

    /// - Returns: the unpacked size; nil where there is no space for it, and nothing is left of it then.
    private func unpack(
        _ entry: ZipScannedEntry, _ database: AccountDatabase, to path: FilePath, _ progress: ProgressHandler
    ) throws -> Int64? {
        let available = space.databaseSpace
        guard entry.method != .stored || entry.data.count <= available else { return nil }
        var file = try fileSystem.create(path)
        var size: Int64 = 0
        var isTooLarge = false
        do {
            try unsafe entry.unpackRest(from: archive) { bytes in
                guard Int64(bytes.count) <= available - size else { throw NoSpace() }
                try progress(
                    OperationProgress(
                        "unpacking the damaged \(database.rawValue) database", completed: size))
                try unsafe file.write(bytes)
                size += Int64(bytes.count)
            }
        } catch is NoSpace {
            isTooLarge = true
        }
        try file.close()
        guard isTooLarge else { return size }
        try fileSystem.remove(path)
        return nil
    }

    private func withReport(
        of database: AccountDatabase, _ report: inout ArchiveSalvageReport,
        _ change: (inout ArchiveSalvageReport.Database) throws -> Void
    ) throws {
        guard let index = report.databases.firstIndex(where: { $0.database == database }) else { return }
        try change(&report.databases[index])
    }
}
