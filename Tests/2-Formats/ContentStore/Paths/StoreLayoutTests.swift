import Testing
import ValiseFailures
import ValiseStorage

@testable import ValiseContentStore

struct StoreLayoutTests {
    private let layout = StoreLayout(prefix: "acct/demo")
    private let name = ObjectName.digest(.ofNothing)
    private let unique = "7b7c1d0e-52f1-4a57-9f0e-2f6f1a3f0c11"

    @Test func `everything has its place under the prefix`() throws {
        let path = try StorePath("chats/a.txt")
        #expect(try layout.chunk(name).text == "acct/demo/chunks/\(name)")
        #expect(try layout.manifest(name).text == "acct/demo/manifests/\(name)")
        #expect(try layout.entry(path).text == "acct/demo/index/chats/a.txt")
        #expect(try layout.marker(path).text == "acct/demo/index/chats/a.txt/.tcfs_dir")
        #expect(try layout.reservation(.ofNothing).text == "acct/demo/.tcfs-namespace/v1/\(name)")
        #expect(
            try layout.safetyCopy(path, time: 17, unique: unique).text
                == "acct/demo/.tcfs-trash/17-\(unique)/chats/a.txt")
        #expect(
            try layout.probe(unique: unique).text
                == "acct/demo/.tcfs-capability-probes/conditional-write-\(unique)")
        let staged = try layout.stagedManifest(name, unique: unique).text
        #expect(staged == "acct/demo/staging/manifests/\(unique)-\(name).json")
        #expect(layout.isStaged(staged, of: name))
        #expect(
            layout.index(of: nil) == "acct/demo/index/"
                && layout.index(of: path) == "acct/demo/index/chats/a.txt/")
    }

    @Test(arguments: [("", ""), ("/", ""), ("a/", "a/"), ("/a/b//", "a/b/")])
    func `slashes around the prefix do not count`(prefix: String, start: String) throws {
        #expect(try StoreLayout(prefix: prefix).chunk(name).text == "\(start)chunks/\(name)")
    }

    @Test func `keys lead back to what they are of`() throws {
        let path = try StorePath("chats/a.txt")
        #expect(try layout.chunk(at: layout.chunk(name)) == name)
        #expect(try layout.manifest(at: layout.manifest(name)) == name)
        #expect(try layout.place(at: layout.entry(path)) == .entry(path))
        #expect(try layout.place(at: layout.marker(path)) == .marker(path))
        for text in [
            "acct/demo/chunks", "acct/demo/chunks/a/b", "acct/demo2/chunks/a", "chunks/a",
            "acct/demo/manifests/a",
        ] {
            #expect(try layout.chunk(at: ObjectKey(text)) == nil, "\(text)")
        }
        for text in ["acct/demo/index", "acct/demo/chunks/a", "acct/demo/.tcfs-trash/1-x/a"] {
            #expect(try layout.place(at: ObjectKey(text)) == nil, "\(text)")
        }
        #expect(throws: ContentStoreError.self) { try layout.place(at: ObjectKey("acct/demo/index/a\\b")) }
        #expect(throws: ContentStoreError.self) {
            try layout.place(at: ObjectKey("acct/demo/index/.tcfs_dir"))
        }
    }

    @Test func `a key elsewhere is not that of a staged manifest`() {
        let start = "acct/demo/staging/manifests/"
        for key in [
            "other/staging/manifests/\(unique)-\(name).json", "\(start)\(unique)-\(name)",
            "\(start)\(unique)\(name).json",
            "\(start)\(unique.uppercased())-\(name).json", "\(start)\(unique.dropLast())-\(name).json",
            "\(start)../\(unique)-\(name).json", "\(start)x/\(unique)-\(name).json", "\(start)-\(name).json",
            "\(start)\(unique.replacing("-", with: "x"))-\(name).json",
            "\(start)\(unique)-\(String(repeating: "1", count: 64)).json", "",
        ] {
            #expect(!layout.isStaged(key, of: name), "\(key)")
        }
    }

    @Test func `a key that is too long is refused`() throws {
        let long = StoreLayout(prefix: String(repeating: "p", count: 1000))
        #expect(throws: StorageError.self) { try long.chunk(name) }
    }
}
