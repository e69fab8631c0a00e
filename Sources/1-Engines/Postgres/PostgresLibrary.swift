import CValisePostgres
import ValiseFailures

/// libpq, which is loaded when a server is first asked for (decision 0072). Every connection comes from here.
package enum PostgresLibrary {
    /// The version of the loaded library, such as `15.18`.
    /// - Throws: ``PostgresError`` where it is missing.
    package static func version() throws(PostgresError) -> String {
        try load()
        return text(ofVersion: valise_postgres_version())
    }

    /// Loads it, if nobody did yet.
    static func load() throws(PostgresError) { try unsafe check(valise_postgres_load()) }

    /// Loads another library as if it were libpq. Nothing of it is used: this is for tests.
    /// - Throws: ``PostgresError`` where it is missing, or is not libpq.
    package static func tryLoading(_ name: String) throws(PostgresError) {
        try unsafe check(valise_postgres_try(name))
    }

    /// Of libraries and servers: since 10 a version has two parts.
    static func text(ofVersion number: Int32) -> String { "\(number / 10_000).\(number % 10_000)" }

    /// - Parameter reason: why it could not be loaded; nil if it was.
    private static func check(_ reason: UnsafePointer<CChar>?) throws(PostgresError) {
        guard let reason = unsafe reason else { return }
        let text = unsafe String(cString: reason).replacingControls { _ in "?" }
        throw PostgresError(
            .general, .failed, "cannot load libpq, which records in PostgreSQL need: \(text)",
            remedy: .installLibpq)
    }
}
