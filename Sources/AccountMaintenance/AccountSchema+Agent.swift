import Migrations

extension AccountSchema {
    /// The agent database's migrations. SwiftPM replaces the first character of an embedded file's name, and
    /// gives no list: so the table is kept here, and a test compares it with the folder.
    static let agent: [Migration] = [
        migration(
            "0001_stub_a", PackageResources._001_stub_a_up_sql, PackageResources._001_stub_a_down_sql),
    ]
}
