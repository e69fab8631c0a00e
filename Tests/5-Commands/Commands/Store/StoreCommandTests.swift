import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise store` on a store in a folder: put, list, get, status, verify, remove, collect.
struct StoreCommandTests {
    private let world: StoreWorld
    private let text = String(repeating: "One line of a file that has several chunks.\n", count: 4000)

    init() throws { world = try StoreWorld() }

    private func put(_ name: String, _ text: String, _ path: String) throws {
        try world.write(name, text)
        let stored = try world.valise("store", "put", world.store, world.files.appending(name).string, path)
        #expect(stored.status == 0, "\(stored.errors)")
    }

    @Test func `a file is stored, listed, fetched and removed`() throws {
        try put("a.txt", text, "letters/")
        try put("b.txt", "small", "letters/deep/b.txt")
        let names = try world.valise("store", "list", world.store, "letters")
        #expect(names.output == "letters/a.txt\nletters/deep/\n", "\(names.output)\(names.errors)")
        let all = try world.valise("store", "list", world.store, "--recursive", "--long")
        #expect(all.output.contains("letters/a.txt") && all.output.contains("letters/deep/b.txt"))
        let lines = try world.valise("store", "list", world.store, "-r", "-l", "--json").output
            .split(separator: "\n")
        #expect(lines.count == 3 && lines[0].contains("\"path\":\"letters/a.txt\""))
        #expect(lines[0].contains("\"size\":\(text.utf8.count)") && lines[2].contains("\"storeListed\""))

        let out = world.path("out.txt")
        let fetched = try world.valise("store", "get", world.store, "letters/a.txt", out.string)
        #expect(try fetched.status == 0 && world.read(out) == text, "\(fetched.errors)")
        let again = try world.valise("store", "get", world.store, "letters/a.txt", out.string)
        #expect(again.status == 1 && again.errors.contains("--force"), "\(again.errors)")
        let forced = try world.valise("store", "get", world.store, "letters/a.txt", out.string, "--force")
        #expect(forced.status == 0, "\(forced.errors)")
        let folder = world.path("tree")
        let tree = try world.valise("store", "get", world.store, "letters", folder.string)
        #expect(tree.status == 0 && tree.output.contains("2 files"), "\(tree.errors)")
        #expect(try world.read(folder.appending("deep/b.txt")) == "small")

        let plan = try world.valise("store", "remove", world.store, "letters/a.txt", "--dry-run")
        #expect(plan.status == 0 && plan.output.contains("remove letters/a.txt"), "\(plan.errors)")
        let unasked = try world.valise("store", "remove", world.store, "letters/a.txt", "--no-input")
        #expect(unasked.status != 0)
        let removed = try world.valise("store", "remove", world.store, "letters/a.txt", "--yes")
        #expect(removed.status == 0 && removed.output == "removed 1 file\n", "\(removed.errors)")
        #expect(try world.valise("store", "get", world.store, "letters/a.txt", "-f").status != 0)
        #expect(try world.valise("store", "list", world.store, "letters").output == "letters/deep/\n")
    }

    @Test func `another content is replaced only with --force, and the same one is no change`() throws {
        try put("a.txt", text, "a.txt")
        let same = try world.valise(
            "store", "put", world.store, world.files.appending("a.txt").string, "--json")
        #expect(same.status == 0 && same.output.contains("\"outcome\":\"unchanged\""), "\(same.errors)")
        try world.write("a.txt", text + "more")
        let refused = try world.valise("store", "put", world.store, world.files.appending("a.txt").string)
        #expect(refused.status == 1 && refused.errors.contains("--force"), "\(refused.errors)")
        let replaced = try world.valise(
            "store", "put", world.store, world.files.appending("a.txt").string, "--force", "--json")
        #expect(replaced.status == 0 && replaced.output.contains("\"outcome\":\"replaced\""))
        let out = world.path("out")
        #expect(try world.valise("store", "get", world.store, "a.txt", out.string).status == 0)
        #expect(try world.read(out) == text + "more")
    }

    @Test func `a verification finds a damaged chunk and a missing one, and is remembered`() throws {
        try put("a.txt", text, "a.txt")
        let fresh = try world.valise("store", "status", world.store, "--exit-code")
        #expect(fresh.status == 20 && fresh.output.contains("never verified"), "\(fresh.errors)")
        let intact = try world.valise("store", "verify", world.store)
        #expect(intact.status == 0 && intact.output.hasSuffix("the store is intact\n"), "\(intact.errors)")
        #expect(try world.valise("store", "status", world.store, "--exit-code").status == 0)
        let chunk = try #require(try world.objects("chunks").first)
        var bytes = try FileSystem().contents(of: chunk, limit: 1 << 20)
        bytes[bytes.count / 2] ^= 1
        try FileSystem().replace(chunk, with: bytes)
        let damaged = try world.valise("store", "verify", world.store)
        #expect(damaged.status == 13 && damaged.output.contains("the store is damaged"), "\(damaged.errors)")
        #expect(damaged.output.contains("error: "))
        let json = try world.valise("store", "verify", world.store, "--json")
        #expect(json.status == 13 && json.output.contains("\"damaged-chunk\""), "\(json.output)")
        let status = try world.valise("store", "status", world.store, "--exit-code")
        #expect(status.status == 20 && status.output.contains("damaged"), "\(status.output)")
        let fetched = try world.valise("store", "get", world.store, "a.txt", world.path("out").string)
        #expect(fetched.status == 13, "\(fetched.errors)")
        #expect(try !FileSystem().exists(world.path("out")))
        try FileSystem().remove(chunk)
        let missing = try world.valise("store", "verify", world.store, "--structure", "--json")
        #expect(missing.status == 13 && missing.output.contains("\"missing-chunk\""), "\(missing.output)")
        // What is stored again is right again.
        let repaired = try world.valise(
            "store", "put", world.store, world.files.appending("a.txt").string, "--rewrite-chunks",
            "--force")
        #expect(repaired.status == 0, "\(repaired.errors)")
        #expect(try world.valise("store", "verify", world.store).status == 0)
    }

    @Test func `parts of a verification are together a complete one`() throws {
        for number in 1...6 { try put("\(number).txt", "\(number) \(text)", "\(number).txt") }
        var read = 0
        for part in 1...3 {
            let verified = try world.valise("store", "verify", world.store, "--part", "\(part)/3", "--json")
            #expect(verified.status == 0, "\(verified.errors)")
            let found = try #require(verified.output.firstMatch(of: #/"verifiedFiles":(\d+)/#))
            read += Int(found.1) ?? 0
        }
        #expect(read == 6)
        #expect(try world.valise("store", "status", world.store, "--exit-code").status == 0)
        #expect(try world.valise("store", "verify", world.store, "--part", "4/3").status == 64)
    }

    @Test func `nothing young is collected, and nothing that is used`() throws {
        try put("a.txt", text, "a.txt")
        try put("a.txt", "other", "b.txt")
        #expect(try world.valise("store", "remove", world.store, "b.txt", "--yes").status == 0)
        let young = try world.valise("store", "collect", world.store, "--dry-run", "--json")
        #expect(young.status == 0 && young.output.contains("\"isEmpty\":true"), "\(young.errors)")
        for name in ["chunks", "manifests"] {
            for object in try world.objects(name) { try age(object) }
        }
        let kept = try world.valise("store", "collect", world.store, "--yes")
        #expect(kept.status == 0 && kept.output.contains("nothing to remove"), "\(kept.output)\(kept.errors)")
        try world.write("orphan", "nobody's", in: world.path("store").appending("chunks"))
        try age(world.path("store/chunks/orphan"))
        let plan = try world.valise("store", "collect", world.store, "--dry-run")
        #expect(plan.output.contains("remove 1 chunk"), "\(plan.output)\(plan.errors)")
        #expect(try world.valise("store", "collect", world.store, "--no-input").status != 0)
        let collected = try world.valise("store", "collect", world.store, "--yes", "--json")
        #expect(
            collected.status == 0 && collected.output.contains("\"removedChunks\":1"), "\(collected.errors)")
        #expect(try world.valise("store", "verify", world.store).status == 0)
        #expect(try world.valise("store", "collect", world.store, "--grace", "23h").status == 64)
    }

    /// Gives a file the time of three days ago.
    private func age(_ file: FilePath) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3 * 86_400)], ofItemAtPath: file.string)
    }

    @Test func `paths that lead elsewhere, and stores that are not there, are refused`() throws {
        try world.write("a.txt", "a")
        let file = world.files.appending("a.txt").string
        for path in ["../a.txt", "/a.txt", "a//b", "./a", "CON", "a.", ".tcfs_dir/a"] {
            let refused = try world.valise("store", "put", world.store, file, path)
            #expect(refused.status == 64, "\(path): \(refused.status) \(refused.errors)")
        }
        #expect(try world.valise("store", "get", world.store, "../../etc/passwd", "x").status == 64)
        #expect(try world.valise("store", "list", world.path("none").string).status == 10)
        #expect(try world.valise("store", "list", "ftp://host/x").status == 64)
        let unknown = try world.valise("store", "list", "s3:https://127.0.0.1:1/bucket")
        #expect(unknown.status == 1 && unknown.errors.contains("AWS_"), "\(unknown.errors)")
    }
}
