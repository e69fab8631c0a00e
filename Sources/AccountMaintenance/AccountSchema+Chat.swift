import Migrations

extension AccountSchema {
    /// The chat database's migrations. SwiftPM replaces the first character of an embedded file's name, and
    /// gives no list: so the table is kept here, and a test compares it with the folder.
    static let chat: [Migration] = [
        migration(
            "0001_stub_c", PackageResources._001_stub_c_up_sql, PackageResources._001_stub_c_down_sql),
    ]
}
