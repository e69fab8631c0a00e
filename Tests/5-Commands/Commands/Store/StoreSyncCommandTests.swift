import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise store push`, `pull` and `diff` of two devices with one store.
struct StoreSyncCommandTests {
    private let desk: StoreWorld
    private let phone: StoreWorld

    init() throws {
        desk = try StoreWorld()
        phone = desk.other("phone")
        try FileSystem().makeDirectory(phone.files)
    }

    private func push(_ world: StoreWorld, _ more: String...) throws -> Program.Outcome {
        try world.run(
            ["store", "push", world.store, world.files.string, "--device", world.files.lastComponent!.string]
                + more)
    }

    private func pull(_ world: StoreWorld, _ more: String...) throws -> Program.Outcome {
        try world.run(
            ["store", "pull", world.store, world.files.string, "--device", world.files.lastComponent!.string]
                + more)
    }

    @Test func `what one device pushes the other pulls, deletions too`() throws {
        try desk.write("a.txt", "one")
        try desk.write("sub/b.txt", "two")
        let plan = try push(desk, "--dry-run")
        #expect(plan.status == 0 && plan.output.contains("upload a.txt"), "\(plan.output)\(plan.errors)")
        #expect(try desk.valise("store", "list", desk.store).output == "", "a dry run stores nothing")
        let pushed = try push(desk, "--json")
        #expect(pushed.status == 0 && pushed.output.contains("\"uploaded\":2"), "\(pushed.errors)")
        let again = try push(desk)
        #expect(again.status == 0 && again.output.hasPrefix("up to date"), "\(again.output)")
        let pulled = try pull(phone)
        #expect(
            pulled.status == 0 && pulled.output.contains("2 downloaded"), "\(pulled.output)\(pulled.errors)")
        #expect(try phone.read(phone.files.appending("sub/b.txt")) == "two")
        let diff = try phone.valise("store", "diff", phone.store, phone.files.string, "--exit-code")
        #expect(diff.status == 0 && diff.output.contains("the same 2 files"), "\(diff.output)")

        try FileSystem().remove(phone.files.appending("a.txt"))
        try phone.write("sub/b.txt", "three")
        let unasked = try push(phone, "--no-input")
        #expect(unasked.status != 0 && unasked.errors.contains("--yes"), "\(unasked.errors)")
        let changed = try push(phone, "--yes", "--json")
        #expect(changed.status == 0 && changed.output.contains("\"removedFromStore\":1"), "\(changed.errors)")
        let back = try pull(desk, "--yes")
        #expect(back.status == 0, "\(back.output)\(back.errors)")
        #expect(try !FileSystem().exists(desk.files.appending("a.txt")))
        #expect(try desk.read(desk.files.appending("sub/b.txt")) == "three")
    }

    /// Both have changed the file since both had it.
    private func conflict() throws {
        try desk.write("a.txt", "one")
        #expect(try push(desk).status == 0)
        #expect(try pull(phone).status == 0)
        try desk.write("a.txt", "desk's")
        try phone.write("a.txt", "phone's")
        #expect(try push(desk).status == 0)
    }

    @Test func `a conflict is shown, and both versions stay`() throws {
        try conflict()
        for outcome in [try push(phone), try pull(phone)] {
            #expect(outcome.status == 3, "\(outcome.status) \(outcome.errors)")
            #expect(outcome.output.contains("conflict: a.txt") && outcome.output.contains("--conflicts"))
        }
        #expect(try phone.read(phone.files.appending("a.txt")) == "phone's")
        let json = try pull(phone, "--json")
        #expect(json.output.contains("\"conflicts\":[\"a.txt\"]"), "\(json.output)")
        let out = phone.path("out")
        #expect(try phone.valise("store", "get", phone.store, "a.txt", out.string).status == 0)
        #expect(try phone.read(out) == "desk's")
    }

    @Test(arguments: [("keep-local", "phone's"), ("keep-remote", "desk's")])
    func `a conflict ends as it is asked for`(rule: String, expected: String) throws {
        try conflict()
        let unasked = try pull(phone, "--conflicts", rule, "--no-input")
        #expect(unasked.status != 0, "a version is lost without a question")
        let ended = try pull(phone, "--conflicts", rule, "--yes")
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        #expect(try phone.read(phone.files.appending("a.txt")) == expected)
        #expect(try pull(desk, "--yes").status == 0)
        #expect(try desk.read(desk.files.appending("a.txt")) == expected)
    }

    @Test func `with keep-both, no version is lost`() throws {
        try conflict()
        let ended = try pull(phone, "--conflicts", "keep-both")
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        #expect(try phone.read(phone.files.appending("a.txt")) == "desk's")
        #expect(try phone.read(phone.files.appending("a.conflict-files-phone.txt")) == "phone's")
        #expect(try pull(desk).status == 0)
        #expect(try desk.read(desk.files.appending("a.conflict-files-phone.txt")) == "phone's")
    }

    @Test func `a difference is shown with the side that has it`() throws {
        try desk.write("a.txt", "one")
        try desk.write("b.txt", "two")
        #expect(try push(desk).status == 0)
        try desk.write("a.txt", "changed")
        try desk.write("c.txt", "new")
        try FileSystem().remove(desk.files.appending("b.txt"))
        let diff = try desk.valise("store", "diff", desk.store, desk.files.string, "--exit-code")
        #expect(diff.status == 20)
        #expect(diff.output.hasPrefix("M a.txt\n- b.txt\n+ c.txt\n"), "\(diff.output)")
    }
}
