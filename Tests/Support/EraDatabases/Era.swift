/// A month after which the official chat database had a certain schema.
package enum Era: String, CaseIterable, Sendable {
    /// Items, quotes by nothing yet.
    case february2022 = "2022-02"
    /// Quotes, edits and calls.
    case july2022 = "2022-07"
    /// Reactions, versions, live and disappearing messages, hidden users.
    case july2023 = "2023-07"
    /// Notes and forwards.
    case april2024 = "2024-04"
    /// Before tags of messages, mentions and reports.
    case november2024 = "2024-11"
    /// Chats with admins.
    case june2025 = "2025-06"
    /// Channels, signatures, strict tables.
    case july2026 = "2026-07"

    /// Whether a migration had been made, by its name or its day.
    package func has(_ migration: String) -> Bool {
        migration.prefix(6) <= rawValue.replacing("-", with: "").prefix(6)
    }
}
