import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccounts
import ValiseFiles

/// `valise mount` on a folder, where the system has FUSE, and by WebDAV.
struct MountCommandTests {
    private let world: StoreWorld
    private let text = String(repeating: "A line that is fetched when it is read.\n", count: 60_000)

    private static let hasFUSE =
        FileManager.default.isWritableFile(atPath: "/dev/fuse") && Program.tool("fusermount3") != nil

    init() throws {
        world = try StoreWorld()
        try world.write("big.txt", text)
        try world.write("folder/small.txt", "small")
        try FileSystem().makeDirectory(world.path("point"))
    }

    private func push(_ more: String...) throws {
        let pushed = try world.run(["store", "push", world.store, world.files.string] + more)
        #expect(pushed.status == 0, "\(pushed.errors)")
    }

    @Test(.enabled(if: MountCommandTests.hasFUSE))
    func `files of a store are read on a folder until Control-C`() throws {
        let key = try world.makeKey()
        try push("--key-file", key)
        let point = world.path("point")
        let mount = try RunningMount(
            [world.store, point.string, "--key-file", key], environment: world.environment)
        #expect(mount.document["type"] as? String == "mount")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: point.string).sorted() == [
                "big.txt", "folder",
            ])
        let read = try Data(contentsOf: URL(filePath: point.appending("big.txt").string))
        #expect(read == Data(text.utf8))
        #expect(
            try String(contentsOfFile: point.appending("folder/small.txt").string, encoding: .utf8) == "small"
        )
        #expect(throws: (any Error).self) {
            try Data("x".utf8).write(to: URL(filePath: point.appending("new").string))
        }
        let status = mount.interrupt()
        #expect(status == 0 || status == 130, "\(status)")
        #expect(try FileSystem().list(point).isEmpty, "it is mounted still")
    }

    @Test(.enabled(if: MountCommandTests.hasFUSE))
    func `a mount ends when it is unmounted by another program`() throws {
        try push()
        let point = world.path("point")
        let mount = try RunningMount([world.store, point.string], environment: world.environment)
        let fusermount = try #require(Program.tool("fusermount3"))
        #expect(try Program.run(fusermount, ["-u", point.string]).status == 0)
        mount.process.waitUntilExit()
        #expect(mount.process.terminationStatus == 0)
    }

    @Test func `files of a store are served by WebDAV to who knows the address`() throws {
        let curl = try #require(Program.tool("curl"))
        try push()
        let mount = try RunningMount([world.store, "--webdav"], environment: world.environment)
        let address = try #require(mount.document["address"] as? String)
        let base = address.hasSuffix("/") ? address : address + "/"
        let read = try Program.run(curl, ["-sf", base + "big.txt"])
        #expect(read.status == 0 && read.output == text)
        let part = try Program.run(curl, ["-sf", "-r", "2-5", base + "big.txt"])
        #expect(part.output == "line")
        let listed = try Program.run(curl, ["-sf", "-X", "PROPFIND", "-H", "Depth: 1", base])
        #expect(listed.output.contains("big.txt") && listed.output.contains("folder"))
        let port = try #require(mount.document["port"] as? Int)
        let stranger = try Program.run(curl, ["-sf", "http://127.0.0.1:\(port)/big.txt"])
        #expect(stranger.status != 0 && stranger.output.isEmpty)
        #expect(
            try Program.run(curl, ["-sf", "-T", world.files.appending("big.txt").string, base + "x"]).status
                != 0)
        let status = mount.interrupt()
        #expect(status == 0 || status == 130, "\(status)")
    }

    @Test func `an archive is served with its media decrypted`() throws {
        let curl = try #require(Program.tool("curl"))
        let account = world.path("account").string
        let key = "--passphrase-file=\(world.path("passphrase"))"
        try FileSystem().replace(world.path("passphrase"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.sample(at: account, "--messages", "60")
        let archive = world.path("a.zip").string
        #expect(try world.valise("archive", "export", account, archive, key).status == 0)
        let mount = try RunningMount([archive, "--webdav", key], environment: world.environment)
        let address = try #require(mount.document["address"] as? String)
        let base = address.hasSuffix("/") ? address : address + "/"
        let listed = try Program.run(curl, ["-sf", "-X", "PROPFIND", "-H", "Depth: 1", base])
        #expect(listed.output.contains("simplex_v1_chat.db"), "\(listed.output)")
    }

    @Test func `what cannot be mounted is refused with what would help`() throws {
        try push()
        let both = try world.valise("mount", world.store, world.path("point").string, "--webdav")
        #expect(both.status == 64)
        #expect(try world.valise("mount", world.store).status == 64)
        let unknown = try world.valise("mount", "s3:https://127.0.0.1:1/bucket", "--webdav")
        #expect(unknown.status == 64 && unknown.errors.contains("--type"), "\(unknown.errors)")
        #expect(try world.valise("mount", world.path("none").string, "--webdav").status == 10)
        let full = try world.valise("mount", world.store, world.files.string)
        #expect(full.status != 0, "a folder with files is mounted on")
    }
}
