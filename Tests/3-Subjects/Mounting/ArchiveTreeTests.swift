import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseMounting

struct ArchiveTreeTests {
    private func contents(_ folder: FilePath) throws -> [String: [UInt8]] {
        try TemporaryFolder.contents(of: folder).compactMapValues(\.self)
    }

    @Test(arguments: [false, true])
    func `an archive shows the files that an extraction writes`(decrypts: Bool) throws {
        let fixture = try MountFixture()
        let tree = try fixture.archiveTree(decrypts: decrypts)
        let expected = try contents(fixture.extracted(decrypts: decrypts))
        let found = try TreeContents.of(try #require(tree.root.folder)).compactMapValues(\.self)
        #expect(Set(found.keys) == Set(expected.keys) && found.count > 10)
        for (name, bytes) in expected { #expect(found[name] == bytes, "\(name)") }
        #expect((tree.decryptedFiles > 5) == decrypts)
        #expect(tree.isConstant && tree.name == fixture.archive.string)
        // Databases are what they are in the account.
        #expect(try contents(fixture.location.directory)["simplex_v1_chat.db"] == found["simplex_v1_chat.db"])
    }

    @Test func `any part of a decrypted file is what it is as a whole`() throws {
        let fixture = try MountFixture()
        let tree = try fixture.archiveTree(decrypts: true)
        let found = try TreeContents.of(try #require(tree.root.folder)).compactMapValues(\.self)
        for name in ["simplex_v1_chat.db", found.max { $0.value.count < $1.value.count }?.key] {
            let name = try #require(name)
            let whole = try #require(found[name])
            try RandomReads.check(try TreeContents.file(tree, name), whole)
        }
    }

    @Test func `a wrong passphrase is refused, and so is one for what is no account`() throws {
        let fixture = try MountFixture()
        try fixture.export()
        #expect {
            _ = try ArchiveTree(fixture.archive, passphrase: SecretBytes(copying: Array("wrong".utf8)))
        } throws: {
            ($0 as? any Failure)?.code == .wrongPassphrase
        }
        let other = fixture.folder.appending("other.zip")
        try Self.zip(["a/b/c.txt": [1, 2, 3], "d": []], at: other)
        #expect {
            _ = try ArchiveTree(other, passphrase: SecretBytes.empty())
        } throws: {
            ($0 as? any Failure)?.code == .damaged
        }
        let tree = try ArchiveTree(other)
        #expect(
            try TreeContents.of(try #require(tree.root.folder)).keys.sorted() == [
                "a/", "a/b/", "a/b/c.txt", "d",
            ])
    }

    @Test func `what has a wrong checksum is not shown, and the rest is`() throws {
        let folder = try TemporaryFolder("valise-mount", inMemory: true)
        let path = folder.appending("a.zip")
        // The second and the fourth are stored as they are.
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) }
        let other = content.map { $0 &+ 1 }
        try Self.zip(["1": content, "2": other, "3": content, "4": content], at: path)
        var bytes = try FileSystem().contents(of: path, limit: 1 << 20)
        let head = Array(other.prefix(64))
        let place = try #require(
            bytes.indices.first { bytes[$0] == head[0] && bytes[$0...].starts(with: head) })
        bytes[place + 1000] ^= 0x40
        try FileSystem().replace(path, with: bytes)
        let tree = try ArchiveTree(path)
        #expect {
            _ = try TreeContents.file(tree, "2").bytes(at: 0, upTo: 10)
        } throws: {
            ($0 as? any Failure)?.code == .damaged
        }
        for name in ["1", "3", "4"] {
            #expect(try TreeContents.file(tree, name).bytes(at: 0, upTo: 1 << 20) == content)
        }
    }

    @Test func `a damaged medium is not shown, and no part of it`() throws {
        let fixture = try MountFixture()
        let media = try fixture.fileSystem.list(fixture.location.filesFolder).compactMap(\.name)
        let name = try #require(media.first { $0.hasSuffix(".jpg") })
        let path = fixture.location.filesFolder.appending(name)
        var bytes = try fixture.fileSystem.contents(of: path, limit: 1 << 24)
        bytes[bytes.count / 2] ^= 1
        try fixture.fileSystem.replace(path, with: bytes)
        let tree = try fixture.archiveTree(decrypts: true)
        #expect {
            _ = try TreeContents.file(tree, "simplex_v1_files/\(name)")
        } throws: {
            ($0 as? any Failure)?.code == .damaged
        }
        // As it is stored, it is what it is.
        let stored = try TreeContents.file(fixture.archiveTree(decrypts: false), "simplex_v1_files/\(name)")
        #expect(try stored.bytes(at: 0, upTo: bytes.count) == bytes)
    }

    @Test func `reading stops where whoever asked has gone`() throws {
        let fixture = try MountFixture()
        let tree = try fixture.archiveTree(decrypts: true)
        let found = try fixture.fileSystem.list(fixture.location.filesFolder).compactMap(\.name)
        let path = ["simplex_v1_files", try #require(found.first)].map { Array($0.utf8) }
        guard case .file(let content, let size)? = try tree.item(at: path)?.content else {
            Issue.record("no such file")
            return
        }
        #expect(throws: Interruption.self) { _ = try content.open { throw Interruption() } }
        #expect(try content.open().bytes(at: 0, upTo: Int(size)).count == Int(size))
    }

    static func zip(_ files: [String: [UInt8]], at path: FilePath) throws {
        let file = try FileSystem().create(path)
        try TestZip.write(files, to: file)
    }
}
