import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValisePages
import ValiseSecrets

/// Saves what can be read of one damaged database. What fails in it is no failure of the other one, or of the media.
struct DatabaseRescue {
    enum Outcome {
        /// With what was saved of it into the folder.
        case salvaged(SalvageReport.Database)
        /// The passphrase does not open it.
        case refused
        /// Nothing in it is a database, or it takes a passphrase that was not given.
        case nothing
        case failed(Remark)
    }

    /// The account that has this database only.
    let location: AccountLocation
    /// Where the fresh one goes; not there yet.
    let target: FilePath
    let fileSystem: FileSystem

    /// - Throws: errors that are not of the database; ``DatabaseError`` and the like with `noSpace` or `interrupted`;
    ///   what `progress` throws.
    func run(
        _ database: AccountDatabase, _ passphrase: borrowing SecretBytes?, _ progress: ProgressHandler
    ) throws -> Outcome {
        let start = try fileSystem.openForReading(location.path(of: database)).bytes(
            at: 0, count: DatabaseFile.unencryptedHeader.count)
        if start == DatabaseFile.unencryptedHeader {
            return try run(database, with: SecretBytes.empty(), progress)
        }
        guard let key = try passphrase.duplicate() else { return .nothing }
        return try run(database, with: key, progress)
    }

    private func run(
        _ database: AccountDatabase, with passphrase: borrowing SecretBytes, _ progress: ProgressHandler
    ) throws -> Outcome {
        var options = SalvageOptions()
        options.copiesMedia = false
        do {
            let report = try AccountSalvage(fileSystem: fileSystem).run(
                location, to: target, passphrase: passphrase, options: options, progress: progress)
            let found = report.databases.first { $0.database == database && $0.state == .salvaged }
            return found.map(Outcome.salvaged) ?? .nothing
        } catch let error as MaintenanceError where error.code == .wrongPassphrase {
            return .refused
        } catch let error as MaintenanceError where error.code == .damaged {
            return .nothing
        } catch let error as any Failure where error.isOfDatabase {
            return .failed(Remark(error.message, remedy: error.remedy))
        }
    }
}

extension Failure {
    /// Whether it is about what is in a database, and not about the disk or the user's wish.
    var isOfDatabase: Bool {
        guard code != .noSpace, code != .interrupted else { return false }
        return self is DatabaseError || self is MaintenanceError || self is PageCipherError
    }
}
