/// One file in a `session.bak`.
package struct SessionBackupEntry: Sendable, Hashable {
    /// Below the folder that was saved, with `/` between names; checked, see ``SessionBackupPath``.
    package let path: String
    /// Of the content, in bytes.
    package let size: Int64
    /// Whether it was added by the export, and is no file of the app's folder: it is below `_extra/`.
    package let isExtra: Bool
    /// Where the first frame of its content begins in the backup.
    let start: Int64

    /// The database of the app.
    package static let database = "database/Session.sqlite"
    /// The key of the database, encrypted with the password of the backup.
    package static let key = "_extra/key.enc"
    /// What the paths of extra files begin with.
    static let extraFolder = "_extra/"
}
