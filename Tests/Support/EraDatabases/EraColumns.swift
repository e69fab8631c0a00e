/// Which columns the official chat database has since which migration.
///
/// In the texts, `= name` begins a table; each other line is a migration and what came with it. Behind a column is the class of
/// its values: `P` the integer that is the row's own, `I` another integer, `T` text, `B` bytes; and the day when it went.
enum EraColumns {
    /// A column and when it was there.
    struct Column {
        let table: String
        let name: String
        let type: String
        let since: String
        let until: String?

        func exists(in era: Era) -> Bool {
            era.has(since) && !(until.map { era.has($0) } ?? false)
        }
    }

    /// Of all tables; those of one stand together.
    static let all: [Column] = {
        var columns: [Column] = []
        var table = ""
        for line in [people, items, others].joined(separator: "\n").split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.first == "=" {
                table = words[1]
            } else {
                columns += words.dropFirst().map { column($0, of: table, since: words[0]) }
            }
        }
        return columns
    }()

    private static func column(_ text: String, of table: String, since migration: String) -> Column {
        let parts = text.split(separator: ":")
        let description = parts[1].split(separator: "-")
        let types = ["P": "INTEGER PRIMARY KEY", "I": "INTEGER", "T": "TEXT", "B": "BLOB"]
        return Column(
            table: table, name: String(parts[0]), type: types[String(description[0])] ?? "BLOB",
            since: migration,
            until: description.count > 1 ? String(description[1]) : nil)
    }
}
