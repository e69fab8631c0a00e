package import ValiseDatabase

extension JobQueue {
    /// The schema of the queue's database, embedded from `Migrations/jobs`. SwiftPM replaces the first character of an
    /// embedded file's name, and gives no list: so the table is kept here, and a test compares it with the folder.
    package static let migrations: [Migration] = [
        migration("0001_jobs", PackageResources._001_jobs_up_sql, PackageResources._001_jobs_down_sql)
    ]

    private static func migration(_ name: String, _ up: [UInt8], _ down: [UInt8]) -> Migration {
        Migration(
            name: name, up: String(decoding: up, as: UTF8.self), down: String(decoding: down, as: UTF8.self))
    }
}
