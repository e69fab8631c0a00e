import FaultInjection
import SessionBuilders
import SystemPackage
import TestPeers
import Testing
import ValiseEncoding
import ValiseFiles
import ValiseSessionStore

@testable import Valise

/// Exports of stores of Session, and what a comparison with their manifest finds.
struct SessionExportTests {
    private let fixture: SessionBackupFixture
    private var out: FilePath { fixture.folder.appending("out") }

    init() throws { fixture = try SessionBackupFixture() }

    private func export(
        _ name: String, of store: FilePath? = nil, _ given: PassphraseSource.Given? = nil
    ) async throws -> SessionExportReport {
        var source = PassphraseSource(given)
        source.usesKeyStores = false
        return try await ExportSession(
            of: store ?? fixture.desktop, to: fixture.folder.appending(name), passphrase: source
        ).run(in: fixture.base.context)
    }

    private func verify(_ name: String) async throws -> VerifiedSessionExport {
        let path = fixture.folder.appending(name)
        #expect(try VerifySessionExport.takes(path))
        return try await VerifySessionExport(path).run(in: fixture.base.context)
    }

    @Test func `a folder has the store byte for byte and a manifest of it`() async throws {
        try fixture.writeDesktop()
        let before = try TemporaryFolder.contents(of: fixture.desktop)
        let report = try await export("out")
        #expect(!report.hasEntryErrors && report.session.databaseOpened)
        #expect(try TemporaryFolder.contents(of: fixture.desktop) == before)
        let expected = try fixture.contents(fixture.desktop)
        #expect(try TemporaryFolder.contents(of: out.appending("store")).compactMapValues { $0 } == expected)
        let bytes = try fixture.fileSystem.contents(of: out.appending("manifest.json"), limit: 1 << 20)
        let manifest = try SessionManifest(decoding: bytes, of: "manifest")
        #expect(manifest.encode() == bytes && manifest.facts.schema == 54)
        #expect(Set(manifest.files.map(\.path)) == Set(expected.keys.map { "store/\($0)" }))
        let verified = try await verify("out")
        #expect(!verified.hasEntryErrors && verified.files == expected.count)
        #expect(try !VerifySessionExport.takes(fixture.desktop))
        // A store again, and nothing is left beside it.
        #expect(try ExportSession.takes(out.appending("store")))
        #expect(try !fixture.fileSystem.exists(fixture.folder.appending("out.partial")))
        for (name, content) in try TemporaryFolder.contents(of: out) {
            let attributes = try fixture.fileSystem.attributes(of: out.pushing(FilePath(name)))
            #expect(attributes?.permissions.rawValue == (content == nil ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("bsdtar")), arguments: ["out.tar", "out.tar.zst"])
    func `a tar is read by bsdtar, and has the same files`(name: String) async throws {
        try fixture.writePhone()
        let key = PassphraseSource.Given.file(fixture.folder.appending("key"))
        let report = try await export(name, of: fixture.phone, key)
        #expect(!report.hasEntryErrors && report.exportedSize > 0)
        let bsdtar = try #require(OtherProgram("bsdtar"))
        let (status, output) = try bsdtar.run(["-tf", fixture.folder.appending(name).string])
        let names = output.split(separator: "\n").map(String.init)
        let expected = try fixture.contents(fixture.phone)
        #expect(status == 0 && names.last == "manifest.json")
        #expect(Set(names.dropLast()) == Set(expected.keys.map { "store/\($0)" }))
        try fixture.fileSystem.makeDirectory(out)
        let unpacked = try bsdtar.run(["-xf", fixture.folder.appending(name).string, "-C", out.string])
        #expect(unpacked.status == 0, "\(unpacked.output)")
        #expect(try TemporaryFolder.contents(of: out.appending("store")).compactMapValues { $0 } == expected)
        #expect(try await !verify(name).hasEntryErrors)
        #expect(try await !verify("out").hasEntryErrors)
    }

    @Test func `each kind of difference is found`() async throws {
        try fixture.writeDesktop()
        _ = try await export("out")
        let store = out.appending("store")
        let attachment = try #require(
            try fixture.contents(store).keys.filter { $0.hasPrefix("attachments.noindex/") }.min())
        try fixture.fileSystem.remove(store.pushing(FilePath(attachment)))
        try fixture.fileSystem.replace(store.appending("more"), with: [1])
        let database = DesktopBuilder.database(store)
        var bytes = try fixture.fileSystem.contents(of: database, limit: 1 << 24)
        bytes[bytes.count / 2] ^= 1
        try fixture.fileSystem.replace(database, with: bytes)
        let verified = try await verify("out")
        #expect(verified.missing == ["store/\(attachment)"] && verified.extra == ["store/more"])
        #expect(verified.differing == ["store/sql/db.sqlite"])
        #expect(verified.entryFailures.count == 3)
    }

    @Test func `a manifest that is gone or damaged is told`() async throws {
        try fixture.writeDesktop()
        _ = try await export("out")
        let manifest = out.appending("manifest.json")
        for content in ["{}", "no", "{\"format\":\"valise-session-export\",\"version\":1}"] {
            try fixture.fileSystem.replace(manifest, with: Array(content.utf8))
            let error = await #expect(throws: OperationError.self) { try await verify("out") }
            #expect(error?.code == .damaged)
        }
        try fixture.fileSystem.replace(
            manifest, with: Array("{\"format\":\"valise-session-export\",\"version\":2}".utf8))
        let newer = await #expect(throws: OperationError.self) { try await verify("out") }
        #expect(newer?.code == .newer)
        try fixture.fileSystem.remove(manifest)
        let gone = await #expect(throws: OperationError.self) {
            try await VerifySessionExport(out).run(in: fixture.base.context)
        }
        #expect(gone?.code == .notFound)
    }

    @Test func `sizes that nobody can have are no obstacle, and negative ones are damage`() async throws {
        try fixture.writeDesktop()
        _ = try await export("out")
        let path = out.appending("manifest.json")
        let bytes = try fixture.fileSystem.contents(of: path, limit: 1 << 20)
        let written = try SessionManifest(decoding: bytes, of: "manifest")
        func claim(_ size: Int64) throws {
            var manifest = written
            for name in ["a", "b"] {
                manifest.files.append(
                    .init(path: "store/\(name)", size: size, sha256: String(repeating: "0", count: 64)))
            }
            try fixture.fileSystem.replace(path, with: manifest.encode())
        }
        try claim(.max)
        let verified = try await verify("out")
        #expect(verified.size == .max && verified.missing == ["store/a", "store/b"])
        #expect(!verified.text.isEmpty)
        try claim(-1)
        let error = await #expect(throws: OperationError.self) { try await verify("out") }
        #expect(error?.code == .damaged)
    }

    @Test func `a manifest that would be too large to be read is not written`() async throws {
        try fixture.writeDesktop()
        _ = try await export("first")
        let manifest = fixture.folder.appending("first/manifest.json")
        let size = try #require(try fixture.fileSystem.attributes(of: manifest)).size
        for name in ["out", "out.tar"] {
            let target = fixture.folder.appending(name)
            var export = ExportSession(of: fixture.desktop, to: target)
            export.largestManifest = Int(size) - 1
            let refused = export
            let error = await #expect(throws: OperationError.self) {
                try await refused.run(in: fixture.base.context)
            }
            #expect(error?.code == .unsupported)
            await #expect(throws: OperationError.self) {
                try await refused.plan(in: fixture.base.context)
            }
            for path in [target, PendingFile.partialPath(of: target)] {
                #expect(try !fixture.fileSystem.exists(path))
            }
            export.largestManifest = Int(size)
            _ = try await export.run(in: fixture.base.context)
            var verification = VerifySessionExport(target)
            verification.largestManifest = Int(size)
            #expect(try await !verification.run(in: fixture.base.context).hasEntryErrors)
            verification.largestManifest -= 1
            let strict = verification
            let large = await #expect(throws: OperationError.self) {
                try await strict.run(in: fixture.base.context)
            }
            #expect(large?.code == .damaged)
        }
    }

    @Test func `nothing is replaced that is there, and nothing written into the store`() async throws {
        try fixture.writeDesktop()
        let before = try TemporaryFolder.contents(of: fixture.desktop)
        for name in ["Session", "Session/out", "Session/out.tar"] {
            await #expect(throws: (any Error).self) { try await export(name) }
        }
        #expect(try TemporaryFolder.contents(of: fixture.desktop) == before)
        for name in ["out.zip", "out.tar.gz", "out.7z"] {
            let error = await #expect(throws: OperationError.self) { try await export(name) }
            #expect(error?.code == .unsupported)
        }
        try fixture.fileSystem.replace(fixture.folder.appending("there.tar"), with: [1])
        let error = await #expect(throws: FileError.self) { try await export("there.tar") }
        #expect(error?.code == .alreadyExists)
    }

    @Test func `a plan writes nothing and says the same`() async throws {
        try fixture.writeDesktop()
        let before = try TemporaryFolder.contents(of: fixture.folder.path)
        let plan = try await ExportSession(of: fixture.desktop, to: out).plan(in: fixture.base.context)
        #expect(try TemporaryFolder.contents(of: fixture.folder.path) == before)
        let report = try await export("out")
        #expect(report.files == plan.files && report.size == plan.size)
    }

    @Test func `a backup of the phone is an archive already`() async throws {
        // The lengths of the first two frames tell it.
        let bytes = [UInt8(32)] + [UInt8](repeating: 0, count: 32) + [36, 0, 0, 0, 0, 0, 0, 0]
        let path = fixture.folder.appending("session.bak")
        try fixture.fileSystem.replace(path, with: bytes + [UInt8](repeating: 0, count: 100))
        let error = await #expect(throws: OperationError.self) { try await export("out", of: path) }
        #expect(error?.code == .unsupported && error?.message.contains("archive already") == true)
    }
}
