import SystemPackage
package import ValiseAccounts
import ValiseArchives
import ValiseDatabase
import ValiseFailures
package import ValiseFiles
import ValiseMedia
package import ValiseSecrets

/// Compares the account in an archive or a snapshot with the one that it is about to replace.
///
/// By what is in the databases, where the passphrase opens those in place too; else by the times of the files.
package struct AgeComparison {
    /// When a database was last written to.
    package struct Moment {
        /// Since 1970.
        let seconds: Int64
        /// False where it may be of any zone.
        let isExact: Bool

        package init(seconds: Int64, isExact: Bool = true) {
            self.seconds = seconds
            self.isExact = isExact
        }
    }

    private let location: AccountLocation
    private let written: (AccountDatabase) -> Moment?
    private let fileSystem: FileSystem
    /// Of the account in place, where it is another one.
    private var previousPassphrase: SharedSecret?

    init(_ location: AccountLocation, _ index: ZipIndex, _ fileSystem: FileSystem) {
        self.init(location, fileSystem) { database in
            index.entry(named: database.archiveName)?.modified.map {
                Moment(seconds: $0.seconds, isExact: $0.isExact)
            }
        }
    }

    /// - Parameters:
    ///   - location: the account in place.
    ///   - fileSystem: where it is.
    ///   - previousPassphrase: of the account in place; nil for that of the new one.
    ///   - written: when a new database was last written to; nil where that is not known.
    package init(
        _ location: AccountLocation, _ fileSystem: FileSystem, previousPassphrase: SharedSecret? = nil,
        written: @escaping (AccountDatabase) -> Moment?
    ) {
        self.location = location
        self.fileSystem = fileSystem
        self.previousPassphrase = previousPassphrase
        self.written = written
    }

    /// - Parameters:
    ///   - passphrase: of the new databases.
    ///   - new: the bytes of the new databases.
    /// - Throws: ``FileError``. What cannot be read of a database only leaves that evidence out.
    package func age(
        passphrase: borrowing SecretBytes?, new: (AccountDatabase) throws -> any ByteSource
    ) throws -> ImportAge {
        if let age = content(passphrase, new) { return age }
        return try byTimes()
    }

    // MARK: By content

    private func content(
        _ passphrase: borrowing SecretBytes?, _ new: (AccountDatabase) throws -> any ByteSource
    ) -> ImportAge? {
        // Without the passphrase of then, or damaged: the times of the files are left.
        guard
            let counters = try? ConnectionCounters(
                previous: connectPrevious(.agent, passphrase), new: connect(new(.agent), passphrase)),
            let messages = try? messages(counters, passphrase, new)
        else { return nil }
        return Self.age(counters, messages)
    }

    /// What the chat databases say. Each message moves a counter on, so that where connections are compared and none
    /// has moved, an archive with newer messages only has what was deleted in place.
    private func messages(
        _ counters: ConnectionCounters, _ passphrase: borrowing SecretBytes?,
        _ new: (AccountDatabase) throws -> any ByteSource
    ) throws -> ImportAge.Verdict {
        let place = try connectPrevious(.chat, passphrase)
        let verdict = try NewestMessage.compare(previous: place, new: connect(new(.chat), passphrase))
        guard verdict == .newer, counters.common + counters.newOnly > 0, counters.newAhead == 0,
            try !NewestMessage.isUnused(place)
        else { return verdict }
        return .unknown
    }

    private static func age(_ counters: ConnectionCounters, _ messages: ImportAge.Verdict) -> ImportAge {
        func age(_ verdict: ImportAge.Verdict, by evidence: ImportAge.Evidence?) -> ImportAge {
            ImportAge(
                verdict, by: evidence, connectionsMoved: counters.common > 0 ? counters.previousAhead : nil,
                connectionsMissing: counters.previousOnly)
        }
        if counters.areStrangers { return age(.otherAccount, by: .connections) }
        if counters.previousAhead + counters.previousOnly > 0 { return age(.older, by: .connections) }
        if counters.differing > 0 { return age(.unknown, by: nil) }
        if counters.newAhead > 0 {
            // A counter is further on here and a message there: deleted in one, or both were used.
            return [.older, .unknown].contains(messages)
                ? age(.unknown, by: nil) : age(.newer, by: .connections)
        }
        return age(messages, by: messages == .unknown ? nil : .messages)
    }

    private func previous(_ database: AccountDatabase) throws -> any ByteSource {
        let file = try DatabaseFile(existing: database, of: location, fileSystem: fileSystem)
        guard !file.needsFolding else {
            throw AccountError(.unsupported, "the newest changes are in a journal", file.path)
        }
        return try FileSource(file.path, fileSystem: fileSystem)
    }

    private func connectPrevious(
        _ database: AccountDatabase, _ passphrase: borrowing SecretBytes?
    ) throws -> Connection {
        guard let own = try previousPassphrase?.bytes.duplicate() else {
            return try connect(previous(database), passphrase)
        }
        return try ChatDatabase.connect(previous(database), passphrase: own)
    }

    private func connect(
        _ source: any ByteSource, _ passphrase: borrowing SecretBytes?
    ) throws -> Connection {
        guard let key = try passphrase.duplicate() else {
            return try Connection(source, passphrase: SecretBytes.empty())
        }
        return try ChatDatabase.connect(source, passphrase: key)
    }

    // MARK: By times

    private static let margin: Int64 = 2
    /// A time without a zone may be that of any.
    private static let zoneMargin: Int64 = 14 * 3600

    /// Equal times are no evidence: what differs was written within the same moment, or one of them was set.
    private func byTimes() throws -> ImportAge {
        var verdicts: Set<ImportAge.Verdict> = []
        for database in AccountDatabase.allCases {
            guard let archived = written(database),
                let found = try fileSystem.attributes(of: location.path(of: database))
            else { continue }
            let difference = found.modificationTime - archived.seconds
            let margin = archived.isExact ? Self.margin : Self.zoneMargin
            if difference > margin { verdicts.insert(.older) }
            if difference < -margin { verdicts.insert(.newer) }
        }
        // One that was written to since is enough to lose something by.
        guard let verdict = [.older, .newer].first(where: verdicts.contains) else {
            return ImportAge(.unknown)
        }
        return ImportAge(verdict, by: .times)
    }
}
