import CValisePostgres
import ValiseFailures

/// Where a server is and who connects: a connection string of libpq, either words such as `host=db user=relay dbname=relay`
/// or a URI such as `postgresql://relay@db/relay`.
///
/// It has no password, so that it can be shown and stored: see ``PostgresPassword``.
package struct PostgresAddress: Sendable, Hashable {
    /// The text as it was given.
    package let text: String

    /// - Parameter text: see PostgreSQL's documentation, "Connection Strings".
    /// - Throws: ``PostgresError``: `invalid` for anything else, and for a text with a password in it; where libpq cannot be
    ///   loaded. The text is not in the message.
    package init(_ text: String) throws(PostgresError) {
        try PostgresLibrary.load()
        guard !text.utf8.contains(0), let words = Self.words(of: text) else {
            throw PostgresError(.general, .invalid, "not a connection string of PostgreSQL")
        }
        guard Self.secrets.isDisjoint(with: words.keys) else {
            throw PostgresError(
                .general, .invalid,
                "the connection string of PostgreSQL contains a password, which others could see")
        }
        // Characters of a password that a URI needs encoded make parts of it something else, which libpq would quote.
        guard Self.isPort(words["port"]), !text.hasPrefix("postgres") || !Self.hasAt(words) else {
            throw PostgresError(.general, .invalid, "not a valid URI of PostgreSQL")
        }
        self.text = text
    }

    private static let secrets: Set = ["password", "sslpassword"]

    private static func isPort(_ text: String?) -> Bool {
        (text ?? "").utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ",")
        }
    }

    private static func hasAt(_ words: [String: String]) -> Bool {
        ["host", "hostaddr", "dbname"].contains { words[$0]?.contains("@") == true }
    }

    /// The values by their words; nil for what is no connection string.
    private static func words(of text: String) -> [String: String]? {
        // A plain name is one of a database.
        guard text.contains("=") || text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
            return nil
        }
        var words: [String: String] = [:]
        let isValid = unsafe withUnsafeMutablePointer(to: &words) { words in
            unsafe valise_postgres_read_address(text, words) { context, keyword, value in
                guard let context = unsafe context, let keyword = unsafe keyword, let value = unsafe value
                else {
                    return
                }
                let words = unsafe context.assumingMemoryBound(to: [String: String].self)
                unsafe words.pointee[String(cString: keyword)] = unsafe String(cString: value)
            }
        }
        return isValid ? words : nil
    }
}

extension PostgresAddress: CustomStringConvertible {
    package var description: String { text }
}
