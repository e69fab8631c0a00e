import Testing

/// Accounts are opened in one place for reading and in one for changing (decision 44).
struct OpeningTests {
    /// What opens something of an account, and the files that may.
    private static var openings: [(what: String, pattern: Regex<Substring>, files: Set<String>)] {
        [
            (
                "the structure of an archive", #/\bZipIndex\(/#,
                [
                    "ArchiveStorage.swift",
                    // What was written just now, and what is about to be replaced.
                    "ExportOutput.swift", "SalvageWorkplace.swift", "ReplaceableContent+Archive.swift",
                ]
            ),
            (
                "the lock of an account", #/\bAccountLock(?:\.forLooking)?\(/#,
                [
                    "FolderStorage.swift", "AccountWriter.swift", "AccountLock.swift",
                    // Only tell whether the account is in use.
                    "AccountInspection.swift", "FoundAccount+Looking.swift", "VerifyPassphrase.swift",
                ]
            ),
            (
                "a database in its place", #/\b(?:FileSource|Connection)\(\s*[^)]*\bpath\(of: \.?\w+\)/#,
                [
                    // Under the exclusive lock, while the account is changed.
                    "CipherUpgrade.swift", "MediaPurge.swift", "PassphraseVerification.swift",
                    // Files of an image, each compared with what it was when the reader was opened.
                    "ArchiveImage.swift",
                ]
            ),
            (
                "a database by the file that was found",
                #/\b(?:FileSource|Connection)\(\s*(?:file|previous|found)\.path/#,
                [
                    // Under the exclusive lock, while the account is changed.
                    "AccountMigration.swift", "AccountRekey.swift", "AccountWriter.swift",
                    "CipherUpgrade.swift",
                    // The account that an import would replace, under its lock; and what is wrong with any account.
                    "AgeComparison.swift", "AccountInspection.swift",
                ]
            ),
            (
                "the schema of a database", #/\bSchemaStatus\(/#,
                [
                    "AccountReader.swift",
                    // On a connection that is open for something else: a check, a status, a migration.
                    "ImportProof.swift", "AccountInspection.swift", "AccountMigration.swift",
                ]
            ),
        ]
    }

    @Test func `accounts are opened in the named files only`() throws {
        var found: [String: Set<String>] = [:]
        for layer in ["3-Subjects", "4-Operations", "5-Commands", "6-Programs"] {
            for file in try SourceTree.files(in: "Sources/\(layer)")
            where file.mentions(
                "ZipIndex(", "AccountLock(", "AccountLock.forLooking(", "FileSource(", "Connection(",
                "SchemaStatus(")
            {
                let code = file.code
                for opening in Self.openings
                // A word ends at a full stop, too.
                where code.firstMatch(of: opening.pattern.wordBoundaryKind(.simple)) != nil {
                    found[opening.what, default: []].insert(file.name)
                }
            }
        }
        for opening in Self.openings {
            #expect(found[opening.what] == opening.files, "\(opening.what)")
        }
    }

    /// What was looked at before a question is what is read after it, whatever has its name by then: an operation opens an
    /// archive in one place, and hands on what is open.
    @Test func `an operation opens an archive in one place`() throws {
        let opening = #/\bArchiveStorage\(|\bAccountReader\(\s*\.archive\(/#.wordBoundaryKind(.simple)
        var found: [String: Int] = [:]
        for file in try SourceTree.files(in: "Sources/4-Operations")
        where file.mentions("ArchiveStorage(", "AccountReader(") {
            let count = file.code.matches(of: opening).count
            if count > 0 { found[file.name] = count }
        }
        // Imports and extractions; an import that is resumed; comparisons; and whatever reads an account.
        #expect(
            found == [
                "KeepArchive.swift": 1, "ArchiveImportJob.swift": 1, "CompareAccounts.swift": 1,
                "ReadAccount.swift": 1,
            ])
        // A path would be opened again.
        let path = #/\.(?:import|plan|extract)\(\s*(?:archive|path|source\.path)\b/#.wordBoundaryKind(.simple)
        for file in try SourceTree.files(in: "Sources/4-Operations/Valise/Archives") {
            #expect(file.code.firstMatch(of: path) == nil, "\(file.path)")
        }
    }

    /// A move asks for a passphrase between its looks at an archive.
    @Test func `a move opens what it received in one place`() throws {
        let opening = #/\bArchiveStorage\(|\bAccountReader\(\s*\.archive\(/#.wordBoundaryKind(.simple)
        let path = #/\.import\(\s*archive\.path\b/#.wordBoundaryKind(.simple)
        var found: Set<String> = []
        for file in try SourceTree.files(in: "Sources/3-Subjects/Moves")
        where file.mentions("ArchiveStorage(", "AccountReader(", ".import(") {
            if file.code.firstMatch(of: opening) != nil { found.insert(file.name) }
            #expect(file.code.firstMatch(of: path) == nil, "\(file.path)")
        }
        // The other one looks at what was written to be sent.
        #expect(found == ["ReceivedArchive.swift", "SendingDelivery.swift"])
    }

    /// A new kind of place is one conformance to `AccountStorage`, and nothing else.
    @Test func `nobody asks which type the storage of an account has`() throws {
        let question = #/\b(?:is|as[?!]) (?:any )?\w*Storage\b|\bcase (?:let \w+ as|is) \w*Storage\b/#
            .wordBoundaryKind(.simple)
        var storages = 0
        for file in try SourceTree.files() {
            let code = file.code
            if code.contains(": AccountStorage {") { storages += 1 }
            guard file.mentions("Storage") else { continue }
            #expect(code.firstMatch(of: question) == nil, "\(file.path)")
        }
        #expect(storages >= 2, "the sources were not read")
    }
}
