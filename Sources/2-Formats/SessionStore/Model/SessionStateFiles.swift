package import SystemPackage
import ValiseFiles

/// The files of a store that an update of its program changes: the database, and what has its key. By their paths in the folder.
package struct SessionStateFiles: Sendable {
    /// The database, with its log beside it.
    package let database: FilePath
    /// What has its key, or says that there is a password. It need not be there.
    package let key: FilePath
    /// The folder of attachments.
    package let attachments: FilePath

    /// Of a profile of Session Desktop.
    package static let desktop = SessionStateFiles(
        database: "sql/db.sqlite", key: "config.json", attachments: "attachments.noindex")
    /// Of a folder of Session iOS.
    package static let phone = SessionStateFiles(
        database: FilePath(SessionBackupEntry.database), key: FilePath(SessionBackupEntry.key),
        attachments: FilePath(PhoneContainer.attachmentsName))

    /// What lies beside the database and is a part of its content.
    package var sides: [FilePath] { DatabaseSnapshot.sides.map(database.appendingSuffix) }
    /// The index of the log, which is made anew by whoever opens the database.
    package var index: FilePath { database.appendingSuffix(DatabaseSnapshot.index) }
    /// All that is copied, where it is there: what has the key comes first, the database last.
    package var all: [FilePath] { [key] + sides + [database] }
}
