import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia

/// What the chat database says of the files in the media folder: whose they are, and which of them are meant.
struct SelectedMedia {
    /// What is known of a file.
    enum Answer {
        case selected, notSelected
        /// No message refers to it, so it belongs to no chat and no time.
        case unreferenced
    }

    /// By name: true where one of the messages that have the file is meant.
    private var names: [NameDigest: Bool] = [:]

    /// - Parameters:
    ///   - connection: to the chat database.
    ///   - progress: called now and then; throw to stop.
    /// - Throws: ``AccountArchiveError``: `unsupported` for a database without files; ``AccountMediaError``:
    ///   `notFound` for a chat that is not there; ``DatabaseError``; ``FileError``; whatever `progress` throws.
    init(
        _ selection: MediaSelection, _ location: AccountLocation, _ connection: borrowing Connection,
        _ fileSystem: FileSystem, _ progress: ProgressHandler
    ) throws {
        guard let table = try MediaTable(connection) else {
            throw AccountArchiveError(
                .unsupported,
                "not an account's chat database: the table 'files' is missing",
                subject: location.path(of: .chat).string, remedy: .exportCompleteAccount)
        }
        let filter = try MediaFilter(selection, connection)
        let store = try MediaFolder(location, fileSystem: fileSystem)
        var rows = 0
        // A row that is not as its schema says belongs to no chat and has no time.
        try table.forEach(connection, damaged: { _ in }) { reference in
            if rows % 256 == 0 { try progress(OperationProgress("scanning media")) }
            rows += 1
            guard let name = try Self.name(reference, store) else { return }
            // Several messages may have one file: it goes along for each of them.
            names[name] = filter.matches(reference) || names[name] == true
        }
    }

    /// A path that leads elsewhere may be from where the account was before: then the last component counts.
    private static func name(_ reference: MediaReference, _ store: MediaFolder) throws -> NameDigest? {
        if let name = try store.find(reference.filePath).name { return NameDigest(name) }
        return reference.filePath.utf8.split(separator: UInt8(ascii: "/")).last.map {
            NameDigest(String(Substring($0)))
        }
    }

    /// - Parameter name: of a file that lies directly in the media folder.
    func answer(_ name: String) -> Answer {
        switch names[NameDigest(name)] {
        case true?: .selected
        case false?: .notSelected
        case nil: .unreferenced
        }
    }
}
