import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseCryptography
import ValiseEncoding
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The same files give the same archive.
struct ReproducibleExportTests {
    /// Other times of last change, names in another order on disk.
    private func copy(_ account: SampleAccountFixture, seed: UInt64) throws -> FilePath {
        let target = account.folder.appending("copy")
        var random = SeededGenerator(seed: seed)
        for (name, bytes) in try account.files().shuffled(using: &random) {
            let path = target.appending(name)
            try account.fileSystem.makeDirectories(path.removingLastComponent())
            var file = try account.fileSystem.create(path)
            try file.write(bytes)
            try file.setModificationTime(Int64.random(in: 0...4_000_000_000, using: &random))
        }
        return target
    }

    @Test(arguments: [true, false])
    func `a copy with other times has an archive of the same bytes`(compresses: Bool) throws {
        let account = try SampleAccountFixture(mediaBytes: 3_000_000)
        let seed = UInt64.random(in: 0...999_999)
        print("seed of the copy: \(seed)")
        let copy = try copy(account, seed: seed)
        let options = ArchiveExport.Options(compresses: compresses, isReproducible: true)
        let second = account.folder.appending("b.zip")
        let reports = [try account.export(options), try account.export(options, to: second, of: copy)]
        let bytes = try account.fileSystem.contents(of: account.archive, limit: 1 << 28)
        #expect(try account.fileSystem.contents(of: second, limit: 1 << 28) == bytes)
        #expect(reports.map(\.sha256) == Array(repeating: Hexadecimal.encode(SHA256.hash(bytes)), count: 2))

        #expect(reports.allSatisfy { $0.isReproducible == true })

        // Without the option the times make the difference.
        try account.fileSystem.remove(account.archive)
        try account.fileSystem.remove(second)
        #expect(try account.export(.init(compresses: compresses)).sha256 == nil)
        try account.export(.init(compresses: compresses), to: second, of: copy)
        #expect(try account.fileSystem.contents(of: account.archive, limit: 1 << 28) != bytes)
        #expect(
            try account.fileSystem.contents(of: account.archive, limit: 1 << 28)
                != account.fileSystem.contents(of: second, limit: 1 << 28))
    }

    @Test func `one byte more is another archive`() throws {
        let account = try SampleAccountFixture()
        let options = ArchiveExport.Options(replacesFile: true, isReproducible: true)
        let first = try account.export(options).sha256
        #expect(try account.export(options).sha256 == first)
        try account.fileSystem.replace(account.location.filesFolder.appending("new"), with: [])
        #expect(try account.export(options).sha256 != first)
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `every entry has the first moment of DOS and no other time`() throws {
        let account = try SampleAccountFixture()
        try account.export(.init(isReproducible: true))
        let (status, output) = try #require(OtherProgram("python3")).run(
            [
                "-c",
                """
                import struct, zipfile
                for i in zipfile.ZipFile('a.zip').infolist():
                    assert i.date_time == (1980, 1, 1, 0, 0, 0), i
                    e = i.extra
                    while e:
                        id, n = struct.unpack('<HH', e[:4])
                        assert id != 0x5455 or n == 1 and e[4] & 1 == 0, e
                        e = e[4 + n:]
                """,
            ], in: account.folder.path.string)
        #expect(status == 0, "\(output)")
    }
}
