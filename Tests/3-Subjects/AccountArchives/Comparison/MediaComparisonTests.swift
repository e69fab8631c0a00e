import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseCryptography
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia

/// Files that are missing, changed, or the same behind different encryption; archives that are none.
struct MediaComparisonTests {
    private let fixture: ComparedFixture

    init() throws {
        fixture = try ComparedFixture()
    }

    /// The encrypted files of an account whose row has a key: name, key and nonce.
    private func encrypted(
        _ location: AccountLocation
    ) throws -> [(id: Int64, name: String, key: [UInt8], nonce: [UInt8])] {
        try fixture.connect(location).rows(
            """
            SELECT file_id, file_path, file_crypto_key, file_crypto_nonce FROM files
            WHERE file_crypto_key IS NOT NULL AND ci_file_status = 'rcv_complete'
                AND file_path NOT IN (SELECT file_path FROM files WHERE file_path IS NOT NULL
                    GROUP BY file_path HAVING count(*) > 1) ORDER BY file_id
            """
        ).compactMap {
            guard case (.blob(let key), .blob(let nonce)) = ($0[2], $0[3]) else { return nil }
            return ($0[0].integer ?? 0, $0[1].text ?? "", key, nonce)
        }
    }

    private func bytes(_ location: AccountLocation, _ name: String) throws -> [UInt8] {
        try fixture.fileSystem.contents(of: location.filesFolder.appending(name), limit: 1 << 26)
    }

    private func write(_ bytes: [UInt8], _ location: AccountLocation, _ name: String) throws {
        try fixture.fileSystem.replace(location.filesFolder.appending(name), with: bytes)
    }

    /// The stream cipher is its own opposite.
    private func plain(_ bytes: [UInt8], key: [UInt8], nonce: [UInt8]) throws -> [UInt8] {
        var content = Array(bytes.dropLast(16))
        try SecretBox.sealWithTagAtEnd(&content, key: key, nonce: nonce)
        return Array(content.dropLast(16))
    }

    @Test(arguments: [false, true])
    func `missing, added and changed files are named`(inArchive: Bool) throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        let names = try fixture.fileSystem.list(second.filesFolder).compactMap(\.name).sorted()
        try fixture.fileSystem.remove(second.filesFolder.appending(names[0]))
        var changed = try bytes(second, names[1])
        changed[changed.count - 1] ^= 1
        try write(changed, second, names[1])
        try write(try bytes(second, names[2]) + [1], second, names[2])
        try write([1, 2, 3], second, "new file")
        let other = inArchive ? try fixture.archive(second) : second.directory
        let media = try fixture.compare(first.directory, other).entries(.media)
        #expect(media.onlyInFirst.items.map(\.name) == ["simplex_v1_files/\(names[0])"])
        #expect(media.onlyInSecond.items.map { "\($0.name) \($0.size)" } == ["simplex_v1_files/new file 3"])
        #expect(media.different.items.map(\.name) == names[1...2].map { "simplex_v1_files/\($0)" })
        #expect(media.identical == names.count - 3)
        #expect(media.sameContent.isEmpty && media.unreadable.isEmpty)
    }

    @Test func `content that is encrypted under another key, or on one side only, is the same content`()
        throws
    {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        let files = try encrypted(first)
        try #require(files.count >= 3)
        let connection = try fixture.connect(second)
        for file in files.prefix(3) { #expect(try bytes(second, file.name).count >= 16) }
        // Under another key.
        var again = try plain(bytes(second, files[0].name), key: files[0].key, nonce: files[0].nonce)
        let (key, nonce) = ([UInt8](repeating: 9, count: 32), [UInt8](repeating: 8, count: 24))
        try SecretBox.sealWithTagAtEnd(&again, key: key, nonce: nonce)
        try write(again, second, files[0].name)
        try connection.run(
            "UPDATE files SET file_crypto_key = ?, file_crypto_nonce = ? WHERE file_id = ?",
            [.blob(key), .blob(nonce), .integer(files[0].id)])
        // Without a key.
        try write(
            plain(bytes(second, files[1].name), key: files[1].key, nonce: files[1].nonce), second,
            files[1].name)
        // Under another key, and another content.
        var changed = try plain(bytes(second, files[2].name), key: files[2].key, nonce: files[2].nonce)
        changed[0] ^= 1
        try SecretBox.sealWithTagAtEnd(&changed, key: key, nonce: nonce)
        try write(changed, second, files[2].name)
        try connection.run(
            "UPDATE files SET file_crypto_key = NULL, file_crypto_nonce = NULL WHERE file_id = ?",
            [.integer(files[1].id)])
        try connection.run(
            "UPDATE files SET file_crypto_key = ?, file_crypto_nonce = ? WHERE file_id = ?",
            [.blob(key), .blob(nonce), .integer(files[2].id)])

        let report = try fixture.compare(fixture.archive(first), second.directory)
        let media = try report.entries(.media)
        #expect(
            Dictionary(uniqueKeysWithValues: media.sameContent.items.map { ($0.name, $0.how) }) == [
                "simplex_v1_files/\(files[0].name)": .otherKey,
                "simplex_v1_files/\(files[1].name)": .encryptedInFirst,
            ])
        #expect(media.different.items.map(\.name) == ["simplex_v1_files/\(files[2].name)"])
        #expect(report.mediaLookedInto)
        let back = try fixture.compare(second, first).entries(.media)
        #expect(back.sameContent.items.map(\.how).contains(.encryptedInSecond))
    }

    @Test func `names that Unicode calls equivalent are two names`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try write([1], first, "caf\u{e9}.txt")
        try write([1], second, "cafe\u{301}.txt")
        let media = try fixture.compare(first, second).entries(.media)
        #expect(media.onlyInFirst.count == 1 && media.onlyInSecond.count == 1)
    }

    @Test func `what no archive could hold is left out and counted`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try write([1], second, "target")
        try fixture.fileSystem.link(
            second.filesFolder.appending("target"), as: second.filesFolder.appending("x"))
        try fixture.fileSystem.remove(second.filesFolder.appending("target"))
        try SymbolicLink.make("elsewhere", at: second.filesFolder.appending("a link"))
        let report = try fixture.compare(first, second)
        #expect(report.second.leftOut.items == ["simplex_v1_files/a link"])
        #expect(try report.entries(.media).onlyInSecond.items.map(\.name) == ["simplex_v1_files/x"])
    }

    // MARK: Archives

    @Test func `an archive that is cut off is refused as everywhere else`() throws {
        let account = try fixture.account("a")
        let archive = try fixture.archive(account)
        let bytes = try fixture.fileSystem.contents(of: archive, limit: 1 << 26)
        let cut = fixture.folder.appending("cut.zip")
        try fixture.fileSystem.replace(cut, with: Array(bytes.dropLast(100)))
        let error = #expect(throws: ZipError.self) { try fixture.compare(cut, account.directory) }
        #expect(error?.code == .damaged)
    }

    @Test func `an archive without databases is compared as far as it goes`() throws {
        let account = try fixture.account("a")
        let path = fixture.folder.appending("media.zip")
        let writer = try ZipWriter(try fixture.fileSystem.create(path))
        var isDone = false
        try writer.add("notes/readme.txt", size: 3, modificationTime: 0, method: .stored) { buffer in
            defer { isDone = true }
            if !isDone { buffer.copyBytes(from: [1, 2, 3]) }
            return isDone ? 0 : 3
        }
        _ = try writer.finish()
        let report = try fixture.compare(path, account.directory)
        #expect(report.databases.map(\.state) == [.onlyInSecond, .onlyInSecond])
        #expect(try report.entries(.other).onlyInFirst.items.map(\.name) == ["notes/readme.txt"])
        #expect(report.relation == .unknown && !report.isSame)
        // Two that are alike in having none.
        #expect(try fixture.compare(path, path).isSame)
    }
}
