import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

extension FoundAccount {
    /// Looks at an account in a folder. Nothing is changed, and no database is opened as one.
    init(_ location: AccountLocation, _ program: AccountProgram, _ fileSystem: FileSystem) {
        var look = Look()
        let isRetired = look.value(otherwise: false) {
            try RetiredMark.isThere(location, fileSystem: fileSystem)
        }
        let files = look.value(otherwise: [:]) { try Self.files(of: location, isRetired, fileSystem) }
        let databases = look.value(otherwise: Databases()) { try Databases(files, fileSystem) }
        let inUse = look.value(otherwise: nil) { try Self.holder(of: location, fileSystem) }
        let isInterrupted = look.value(otherwise: false) {
            try AccountRecovery.pending(location, fileSystem: fileSystem) != nil
        }
        let isReadOnly = look.value(otherwise: false) {
            try ReadOnlyMark.isThere(location, fileSystem: fileSystem)
        }
        self.init(
            location: location, program: program, files: files, size: databases.size,
            changed: databases.changed, encryption: databases.encryption, inUse: inUse,
            isInterrupted: isInterrupted, isRetired: isRetired, isReadOnly: isReadOnly, backup: nil,
            problem: look.problem)
    }

    /// Looks at an account in the backup of a phone.
    init(
        _ prefix: String, _ files: [AccountDatabase: FilePath], in backup: IOSBackup, _ fileSystem: FileSystem
    ) {
        var look = Look()
        let databases = look.value(otherwise: Databases()) { try Databases(files, fileSystem) }
        self.init(
            location: AccountLocation(directory: backup.folder, prefix: prefix, style: .ios), program: .ios,
            files: files, size: databases.size, changed: databases.changed,
            // Of the files of an encrypted backup each is encrypted once more.
            encryption: backup.isEncrypted ? .unknown : databases.encryption, inUse: nil,
            isInterrupted: false, isRetired: false, isReadOnly: false,
            backup: backup.isEncrypted ? .encrypted : .unencrypted, problem: look.problem)
    }

    private static func files(
        of location: AccountLocation, _ isRetired: Bool, _ fileSystem: FileSystem
    ) throws(FileError) -> [AccountDatabase: FilePath] {
        var files: [AccountDatabase: FilePath] = [:]
        for database in AccountDatabase.allCases {
            let usual = location.path(of: database)
            let path = isRetired ? location.retiredPath(of: database) : usual
            if try fileSystem.exists(path) {
                files[database] = path
            } else if isRetired, try fileSystem.exists(usual) {
                files[database] = usual
            }
        }
        return files
    }

    /// Who uses it, by the locks alone. Nobody is waited for.
    private static func holder(of location: AccountLocation, _ fileSystem: FileSystem) throws -> String? {
        do {
            try AccountWaiting.$current.withValue(nil) {
                _ = try AccountLock(location, .shared, takesRetired: true, fileSystem: fileSystem)
            }
            return nil
        } catch let error as AccountError where error.code == .inUse {
            return error.holder ?? "another process"
        }
    }

    /// What cannot be looked at is left open, and the first reason kept.
    private struct Look {
        var problem: String?

        mutating func value<Value>(otherwise: Value, _ look: () throws -> Value) -> Value {
            do {
                return try look()
            } catch {
                if problem == nil { problem = error.sentence }
                return otherwise
            }
        }
    }

    /// What the files of the databases say together.
    private struct Databases {
        var size: Int64 = 0
        var changed: UTCTime?
        var encryption = Encryption.unknown

        init() {}

        init(_ files: [AccountDatabase: FilePath], _ fileSystem: FileSystem) throws(FileError) {
            var forms: Set<DatabaseFile.Form> = []
            for path in files.values {
                guard let found = try fileSystem.attributes(of: path) else { continue }
                size += found.size
                let time = UTCTime(seconds: found.modificationTime)
                changed = max(changed ?? time, time)
                forms.insert(try DatabaseFile(path, fileSystem: fileSystem).form)
            }
            // What is empty says nothing.
            let said = forms.subtracting([.empty, .missing])
            if said == [.encrypted] { encryption = .encrypted }
            if said == [.unencrypted] { encryption = .unencrypted }
        }
    }
}
