import Testing

/// Accounts are opened in one place for reading and in one for changing (decision 44).
struct OpeningTests {
    /// What takes the lock of an account, looks at a file of a database, or opens a database in its place, by the pattern of
    /// `Scripts/figures.py`, and the files that may besides the reader and the writer.
    private static let openings: Set<String> = [
        // Under the exclusive lock of the account, which is changed.
        "AccountCompaction.swift", "AccountMigration.swift", "AccountRekey.swift", "CipherUpgrade.swift",
        "MediaConversion.swift", "MediaPurge.swift", "PassphraseVerification.swift", "RekeyProof.swift",
        "SendingSource.swift",
        // The account that an import would replace, under its lock.
        "AgeComparison.swift",
        // A copy that a salvage made.
        "EngineSalvage.swift",
        // The search for accounts tells whether one is in use, and looks at single files in the backup of a phone.
        "FoundAccount+Looking.swift",
        // A database of Session, which is no account of this kind.
        "DatabaseSnapshot.swift", "SessionProof.swift",
    ]

    private static func opening() throws -> Regex<AnyRegexOutput> {
        let script = try SourceTree.text(of: "Scripts/figures.py")
        let literals = try #require(
            script.firstMatch(of: #/(?m)^OPENING = re\.compile\(((?:\s*r"[^"]*")+)\)/#), "no pattern")
        let pattern = literals.1.matches(of: #/r"([^"]*)"/#).map { String($0.1) }.joined()
        // A word ends at a full stop, too.
        return try Regex(pattern).wordBoundaryKind(.simple)
    }

    @Test func `an account is opened by the reader and the writer, and in the named files`() throws {
        let opening = try Self.opening()
        var found: Set<String> = []
        for file in try SourceTree.files()
        where file.mentions("AccountLock", "DatabaseFile(", "FileSource(", "Connection(")
            && !file.path.contains("Accounts/Reading/") && !file.path.contains("Accounts/Writing/")
        {
            if file.code.firstMatch(of: opening) != nil { found.insert(file.name) }
        }
        #expect(found == Self.openings)
    }

    /// What the pattern sees.
    @Test(arguments: [
        ("AccountLock(location, .shared", true), ("AccountLock.forLooking(location", true),
        ("DatabaseFile(path", true), ("Connection(file.path, mode", true),
        ("Connection(\n    location.path(of: .chat), mode", true), ("Connection(path, mode: .readOnly", true),
        ("Connection(source, passphrase", false), ("FileSource(archive, fileSystem", false),
        ("AccountReader(location", false),
    ])
    func `an opening is seen`(_ code: String, _ isOpening: Bool) throws {
        let opening = try Self.opening()
        #expect((code.firstMatch(of: opening) != nil) == isOpening, "\(code)")
    }

    /// What else opens something of an account, and the files that may.
    private static var others: [(what: String, pattern: Regex<Substring>, files: Set<String>)] {
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
                "the schema of a database", #/\bSchemaStatus\(/#,
                [
                    "AccountReader.swift",
                    // On a connection that is open for something else: a check, a status, a migration.
                    "ImportProof.swift", "AccountInspection.swift", "AccountMigration.swift",
                ]
            ),
        ]
    }

    @Test func `archives and schemas are read in the named files only`() throws {
        var found: [String: Set<String>] = [:]
        for layer in ["3-Subjects", "4-Operations", "5-Commands", "6-Programs"] {
            for file in try SourceTree.files(in: "Sources/\(layer)")
            where file.mentions("ZipIndex(", "SchemaStatus(") {
                let code = file.code
                for opening in Self.others
                // A word ends at a full stop, too.
                where code.firstMatch(of: opening.pattern.wordBoundaryKind(.simple)) != nil {
                    found[opening.what, default: []].insert(file.name)
                }
            }
        }
        for opening in Self.others {
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
        // Imports and extractions; an import that is resumed; comparisons; mounts; and whatever reads an account.
        #expect(
            found == [
                "KeepArchive.swift": 1, "ArchiveImportJob.swift": 1, "CompareAccounts.swift": 1,
                "MountedTree.swift": 1, "ReadAccount.swift": 1,
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
