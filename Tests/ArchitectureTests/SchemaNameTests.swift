import Testing

/// Which tables and columns the chat and agent databases have is said in one place (decision 0045).
struct SchemaNameTests {
    /// The names of tables and columns, as the scripts that make them say.
    private struct Names {
        private(set) var tables: Set<String> = []
        private(set) var columns: Set<String> = []

        init(_ scripts: [SourceTree.File]) {
            for script in scripts {
                let code = script.text.replacing(#/--[^\n]*/#, with: "")
                tables.formUnion(
                    code.matches(of: #/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/#).map { String($0.1) })
                columns.formUnion(
                    code.matches(of: #/(?m)^\s+(\w+) (?:INTEGER|TEXT|BLOB|REAL)\b/#).map { String($0.1) })
                columns.formUnion(code.matches(of: #/ADD COLUMN (\w+)/#).map { String($0.1) })
            }
        }

        /// The literals of a file that are such a name, and nothing else.
        ///
        /// A name of one part is an everyday word as well: `files` is a folder, `status` a command, `name` a placeholder. So
        /// columns of one part are left out, and tables of one part count only where a file has to do with databases.
        func found(in file: SourceTree.File) -> [String] {
            let opensDatabases =
                file.text.firstMatch(
                    of: #/(?m)^(?:public |package )?import Valise(?:ChatSchema|Database)$/#) != nil
            return file.code.matches(of: #/"(\w+)"/#).map { String($0.1) }.filter { name in
                name.contains("_")
                    ? tables.contains(name) || columns.contains(name)
                    : opensDatabases && tables.contains(name)
            }
        }
    }

    private static func names() throws -> Names {
        let scripts = try ["chat", "agent"].flatMap {
            try SourceTree.files(in: "Migrations/\($0)", types: ["sql"])
        }
        // The tables of the migrations themselves.
        let ledger = try SourceTree.files(in: "Sources/1-Engines/Database/Migrations")
        return Names(scripts + ledger.filter { $0.name == "MigrationTables.swift" })
    }

    @Test func `the names of tables and columns are told from other literals`() throws {
        let names = try Self.names()
        #expect(names.tables.count > 70 && names.columns.count > 400, "the scripts were not read")
        #expect(names.tables.isSuperset(of: ["chat_items", "users", "snd_files", "migrations"]))
        #expect(names.columns.isSuperset(of: ["item_ts", "conn_id", "view_pwd_hash", "up_sha256"]))
        let code = #"f("chat_items", "\(g("item_ts"))", "users", "name", "of chat_items", "no_such_name")"#
        let plain = SourceTree.File(path: "Sources/Plain.swift", text: code)
        #expect(names.found(in: plain) == ["chat_items", "item_ts"])
        let opening = SourceTree.File(
            path: "Sources/Opening.swift", text: "package import ValiseDatabase\n\(code)")
        #expect(names.found(in: opening) == ["chat_items", "item_ts", "users"])
        let comment = SourceTree.File(path: "Sources/Comment.swift", text: "// \(code)")
        #expect(names.found(in: comment).isEmpty)
    }

    @Test(arguments: ["3-Subjects", "4-Operations", "5-Commands", "6-Programs"])
    func `no layer above the formats names a table or column`(layer: String) throws {
        let names = try Self.names()
        // Writes a sample, whose databases are like an app's.
        let sample = "Sources/3-Subjects/SampleAccounts/"
        for file in try SourceTree.files(in: "Sources/\(layer)") where !file.path.hasPrefix(sample) {
            let found = names.found(in: file)
            #expect(found.isEmpty, "\(file.path) names \(found): ValiseChatSchema has what it needs")
        }
    }
}
