/// Which program's store it is.
package enum SessionKind: String, Sendable, Equatable, CaseIterable {
    case desktop = "session-desktop"
    case phone = "session-ios"

    /// In a sentence.
    package var name: String {
        switch self {
        case .desktop: "profile of Session Desktop"
        case .phone: "folder of Session iOS"
        }
    }

    /// Where the database is in its folder.
    package var database: String {
        switch self {
        case .desktop: "sql/db.sqlite"
        case .phone: "database/Session.sqlite"
        }
    }

    /// The file that may have its key.
    package var keyFile: String {
        switch self {
        case .desktop: "config.json"
        case .phone: SessionBackupEntry.key
        }
    }

    /// The folder of attachments.
    package var attachments: String {
        switch self {
        case .desktop: "attachments.noindex"
        case .phone: PhoneContainer.attachmentsName
        }
    }
}

/// What is known of a copy of a store: what the database says is nil where it was not opened.
package struct SessionFacts: Sendable, Equatable {
    package var kind: SessionKind
    /// Whether the database was opened with its key, and the tags of all its pages hold.
    package var isOpened = false
    /// Desktop's own number; of iOS, how many migrations the database has seen.
    package var schema: Int64?
    /// SQLite's number, which Desktop counts on; nil of iOS.
    package var userVersion: Int64?
    package var conversations: Int64?
    package var messages: Int64?
    /// How many files there are in the folder of attachments.
    package var attachments: Int64 = 0

    package init(_ kind: SessionKind) { self.kind = kind }
}
