import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseMedia

struct MediaSummaryTests {
    @Test func `sizes tell plain, encrypted, missing and other files`() throws {
        let media = try OfficialMedia()
        let file = try media.add("encrypted", media.noise(100))
        try media.row(90, "encrypted", 100, [.blob(file.key), .blob(file.nonce)])
        try media.add("plain", media.noise(50), isEncrypted: false)
        try media.add("gone", media.noise(10), hasFile: false)
        try media.add("differs", media.noise(10))
        try media.write("differs", [1, 2, 3])
        try media.add("part", media.noise(10), status: "rcv_transfer 1 10")
        try media.row(95, "/elsewhere/y", 7, [.null, .null])
        // It looks at sizes only.
        try media.write("encrypted", media.noise(116))
        let summary = try media.summary()
        #expect(summary.encrypted.count == 1 && summary.encrypted.bytes == 116)
        #expect(summary.unencrypted.count == 1 && summary.unencrypted.bytes == 50)
        #expect(summary.missing.count == 1 && summary.missing.bytes == 26)
        #expect(summary.differing.count == 1 && summary.differing.bytes == 3)
        #expect(summary.elsewhere.count == 1 && summary.elsewhere.bytes == 7)
        #expect(summary.here.count == 3 && summary.here.bytes == 169)
    }

    @Test func `a database without the table has none`() throws {
        let media = try OfficialMedia()
        try media.connection.execute("DROP TABLE files")
        #expect(try MediaRows(media.connection) == nil)
    }

    @Test func `damaged rows are counted, and the others as ever`() throws {
        let media = try OfficialMedia()
        try media.add("whole", media.noise(50), isEncrypted: false)
        #expect(try media.summary().damagedRows == nil)
        let damaged: [[Value]] = [[.text("a"), .text("much")], [.text("b"), .blob([0xff])]]
        for row in damaged {
            try media.connection.run(
                "INSERT INTO files (file_path, file_size, ci_file_status) VALUES (?, ?, 'rcv_complete')", row)
        }
        let summary = try media.summary()
        #expect(summary.damagedRows == 2)
        #expect(summary.unencrypted.count == 1 && summary.missing.count == 0)
    }

    @Test func `reading the rows can be stopped at each`() throws {
        struct Enough: Error {}
        let media = try OfficialMedia()
        for name in ["a", "b", "c"] { try media.add(name, media.noise(10)) }
        var seen = 0
        #expect(throws: Enough.self) {
            _ = try MediaRows(media.connection) {
                seen += 1
                if seen == 2 { throw Enough() }
            }
        }
        #expect(seen == 2)
    }
}
