import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

/// Whether an archive is older than the account that it replaces, and by what that is told.
struct ImportAgeTests {
    /// The plan and the import have to say the same.
    private func age(_ pair: ImportedPair, withKey: Bool = true) throws -> ImportAge? {
        let planned = try pair.plan(withKey: withKey).age
        let report = try pair.import(withKey: withKey)
        #expect(planned == report.age)
        return report.age
    }

    private func pair(archive: [String: Int], place: [String: Int]) throws -> ImportedPair {
        let pair = try ImportedPair { try ImportedPair.connect(archive, in: $0) }
        try ImportedPair.connect(place, in: pair.target)
        return pair
    }

    @Test func `a connection that went on in place makes the archive older, whatever others did`() throws {
        let older = try age(pair(archive: ["a": 3, "b": 9, "c": 1], place: ["a": 4, "b": 2, "d": 7]))
        #expect(older?.verdict == .older && older?.evidence == .connections)
        #expect(older?.connectionsMoved == 1)
    }

    @Test func `a connection that went on in the archive alone makes it newer`() throws {
        let newer = try age(pair(archive: ["a": 3, "b": 9], place: ["a": 3, "b": 8]))
        #expect(newer?.verdict == .newer && newer?.evidence == .connections)
    }

    @Test func `where no connections are, the newest message tells`() throws {
        for (time, verdict) in [
            ("2026-01-01 10:00:00", ImportAge.Verdict.newer), ("2026-01-02 10:00:00.5", .same),
            ("2026-01-03 10:00:00", .older),
        ] {
            let pair = try ImportedPair { try ImportedPair.say(at: "2026-01-02 10:00:00.5", in: $0) }
            try ImportedPair.say(at: time, in: pair.target)
            let found = try age(pair)
            #expect(found?.verdict == verdict && found?.evidence == .messages, "\(time)")
            #expect(found?.connectionsMoved == nil)
        }
    }

    @Test func `where the connections agree, a newer message in place makes the archive older`() throws {
        let pair = try ImportedPair {
            try ImportedPair.connect(["a": 3], in: $0)
            try ImportedPair.say(at: "2026-01-02 10:00:00", in: $0)
        }
        try ImportedPair.connect(["a": 3], in: pair.target)
        try ImportedPair.say(at: "2026-01-03 10:00:00", in: pair.target)
        let found = try age(pair)
        #expect(found?.verdict == .older && found?.evidence == .messages && found?.connectionsMoved == 0)
    }

    @Test func `accounts without a common connection are two accounts`() throws {
        let pair = try pair(archive: ["a": 3, "b": 9], place: ["c": 4])
        let found = try age(pair)
        #expect(found?.verdict == .otherAccount && found?.evidence == .connections)
    }

    @Test func `a connection that is only in place would be lost`() throws {
        let found = try age(pair(archive: ["a": 3, "x": 5], place: ["a": 3, "y": 1]))
        #expect(found?.verdict == .older && found?.evidence == .connections)
        #expect(found?.connectionsMoved == 0 && found?.connectionsMissing == 1)
        #expect(found?.warning(isDone: true)?.contains("it lacks 1 connection") == true)
    }

    @Test func `ratchets that differ where the counters do not are never the same age`() throws {
        for (state, verdict) in [("one", ImportAge.Verdict.same), ("two", .unknown)] {
            let pair = try ImportedPair {
                try ImportedPair.connect(["a": 3, "b": 4], in: $0)
                try ImportedPair.turn(["a": "one", "b": "one"], in: $0)
            }
            try ImportedPair.connect(["a": 3, "b": 4], in: pair.target)
            try ImportedPair.turn(["a": "one", "b": state], in: pair.target)
            #expect(try age(pair)?.verdict == verdict, "\(state)")
        }
    }

    @Test func `messages or a chat that were deleted in place do not make the archive newer`() throws {
        for place in [["a": 3, "b": 4], ["a": 3], [:]] {
            let pair = try ImportedPair {
                try ImportedPair.connect(["a": 3, "b": 4], in: $0)
                try ImportedPair.say(at: "2026-01-02 10:00:00", in: $0)
            }
            try ImportedPair.connect(place, in: pair.target)
            try ImportedPair.makeProfile(in: pair.target)
            let found = try age(pair)
            #expect(found?.verdict == .unknown && found?.evidence == nil, "\(place)")
        }
    }

    @Test func `over an account that nobody has used everything is newer`() throws {
        let pair = try ImportedPair {
            try ImportedPair.connect(["a": 3], in: $0)
            try ImportedPair.say(at: "2026-01-02 10:00:00", in: $0)
        }
        #expect(try age(pair)?.verdict == .newer)
    }

    @Test func `a newer account, or another one, is not lost unless that was asked for`() throws {
        for place in [["a": 4], ["b": 1]] {
            let pair = try pair(archive: ["a": 3], place: place)
            let before = try TemporaryFolder.contents(of: pair.target.directory)
            #expect {
                try pair.import(.init(replacesAccount: true))
            } throws: {
                let error = $0 as? AccountArchiveError
                return error?.code == .alreadyExists
                    && error?.remedy == .keepOrReplaceNewer(Remedy.Account(pair.target))
            }
            #expect(try TemporaryFolder.contents(of: pair.target.directory) == before)
            #expect(
                try pair.import(.init(replacesAccount: true, keepsPreviousAs: "former")).age?.losesWork
                    == true)
        }
    }

    @Test func `a copy to read takes no account's place unless that is kept`() throws {
        let pair = try ImportedPair()
        for plans in [true, false] {
            let options = ArchiveImport.Options(replacesAccount: true, isReadOnly: true, replacesNewer: true)
            #expect {
                if plans { _ = try pair.plan(options) } else { _ = try pair.import(options) }
            } throws: {
                ($0 as? AccountArchiveError)?.code == .alreadyExists
            }
        }
        let options = ArchiveImport.Options(
            replacesAccount: true, keepsPreviousAs: "former", isReadOnly: true)
        #expect(try pair.import(options).isReadOnly)
    }

    @Test func `without the passphrase the times of the files tell, and equal times tell nothing`() throws {
        let base: Int64 = 1_700_000_000
        for (difference, verdict) in [(Int64(-60), ImportAge.Verdict.newer), (0, .unknown), (60, .older)] {
            let pair = try ImportedPair { try ImportedPair.setTimes(base, of: $0) }
            try ImportedPair.setTimes(base + difference, of: pair.target)
            let found = try age(pair, withKey: false)
            #expect(found?.verdict == verdict, "\(difference)")
            #expect(found?.evidence == (verdict == .unknown ? nil : .times))
        }
    }

    @Test func `with the passphrase of the archive alone, the times tell`() throws {
        let pair = try ImportedPair {
            try ImportedPair.setTimes(1_700_000_000, of: $0)
        }
        for database in AccountDatabase.allCases {
            let path = pair.target.path(of: database)
            try pair.fileSystem.remove(path)
            let key = try SecretBytes(copying: Array(("x'" + String(repeating: "c3", count: 32) + "'").utf8))
            let connection = try Connection(path, mode: .create, passphrase: key)
            try connection.execute("CREATE TABLE t (x)")
        }
        let found = try age(pair)
        #expect(found?.verdict == .older && found?.evidence == .times)
    }

    @Test func `the same archive twice is the same account, with the passphrase or without`() throws {
        let pair = try ImportedPair()
        _ = try pair.import()
        #expect(try age(pair, withKey: false)?.verdict == .same)
        #expect(try age(pair)?.evidence == .bytes)
        // The times of the archive came along, so that a later comparison has something to go by.
        let made = try pair.fileSystem.attributes(of: pair.new.location.path(of: .chat))
        let arrived = try pair.fileSystem.attributes(of: pair.target.path(of: .chat))
        #expect(made?.modificationTime == arrived?.modificationTime)
    }

    @Test func `an import into an empty folder has nothing to compare`() throws {
        let pair = try ImportedPair()
        let report = try pair.import(to: AccountLocation(directory: pair.new.folder.appending("fresh")))
        #expect(report.age == nil)
        #expect(try JSONText.encode(report).contains("\"age\"") == false)
    }
}
