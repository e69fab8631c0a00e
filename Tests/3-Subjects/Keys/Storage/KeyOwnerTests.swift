import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

@testable import ValiseKeys

struct KeyOwnerTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `two ways to one folder are one owner, two prefixes are two`() throws {
        try fileSystem.makeDirectory(folder.appending("real"))
        let python = folder.appending("way")
        try symbolicLink(to: folder.appending("real"), at: python)
        let direct = try KeyOwner(directory: folder.appending("real"), prefix: "a")
        let linked = try KeyOwner(directory: folder.appending("way").appending("."), prefix: "a")
        #expect(direct == linked)
        #expect(direct.name.hasSuffix("/real/a"))
        #expect(try KeyOwner(directory: folder.appending("real"), prefix: "b") != direct)
    }

    @Test func `a folder that is gone is named as it was`() throws {
        try fileSystem.makeDirectories(folder.appending("x").appending("y"))
        let before = try KeyOwner(directory: folder.appending("x").appending("y"), prefix: "p")
        try fileSystem.removeTree(folder.appending("x"))
        #expect(try KeyOwner(directory: folder.appending("x").appending("y"), prefix: "p") == before)
    }

    @Test(arguments: [
        "plain", "with space", "per%cent", "new\nline", "caf\u{e9}", "\u{1F600}", "a%41b", "tab\t",
        "del\u{7F}",
    ])
    func `every name can be kept as one line and be read again`(name: String) throws {
        let owner = try KeyOwner(directory: folder.appending(name), prefix: "simplex_v1")
        #expect(owner.name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(KeyOwner(name: owner.name) == owner)
    }

    @Test func `a folder whose name is no text keeps its bytes`() throws {
        let name = try #require(FilePath.Component(bytes: [0x61, 0xFF, 0xC3, 0x28, 0x25]))
        let owner = try KeyOwner(directory: folder.path.appending(name), prefix: "p")
        #expect(owner.name.hasSuffix("/a%ff%c3(%25/p"))
        #expect(KeyOwner(name: owner.name)?.directory == owner.directory)
    }

    @Test(arguments: ["", "relative/p", "/", "/a/%", "/a/%0", "/a/%zz/p", "/a/%00/p", "/a/%41/p", "/a//p"])
    func `what no store of ours has written is no owner`(name: String) {
        #expect(KeyOwner(name: name) == nil)
    }
}
