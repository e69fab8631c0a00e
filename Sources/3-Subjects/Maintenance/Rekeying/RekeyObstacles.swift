import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// What must not lie beside an account whose databases are about to be encrypted anew.
struct RekeyObstacles {
    private let location: AccountLocation
    private let fileSystem: FileSystem

    init(_ location: AccountLocation, _ fileSystem: FileSystem) {
        self.location = location
        self.fileSystem = fileSystem
    }

    func refuse(keepsBackup: Bool) throws {
        try refuseMissing()
        if try AccountBackup(location, fileSystem: fileSystem) != nil {
            throw RekeyError.writing(
                .alreadyExists,
                "the databases from before the last migration are kept and open with the current passphrase. "
                    + "Nothing was changed.", location.directory,
                remedy: .confirmOrRollBack(Remedy.Account(location)))
        }
        guard keepsBackup else { return }
        for database in AccountDatabase.allCases {
            let copy = location.path(of: database).appendingSuffix(AccountChange.keptSuffix)
            guard try fileSystem.exists(copy) else { continue }
            throw RekeyError.writing(
                .alreadyExists,
                "a backup with this name already exists. Nothing was changed.",
                copy, remedy: .moveAway(copy))
        }
    }

    private func refuseMissing() throws {
        for database in AccountDatabase.allCases {
            let path = location.path(of: database)
            guard try !fileSystem.exists(path) else { continue }
            throw RekeyError(
                .notFound, "the \(database.rawValue) database is missing. Nothing was changed.", path,
                .errorNoFile(dbFile: path.string))
        }
    }
}
