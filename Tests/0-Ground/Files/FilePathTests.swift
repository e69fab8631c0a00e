import SystemPackage
import Testing
import ValiseFiles

/// Paths that are made of others.
struct FilePathTests {
    @Test(arguments: [
        ("a", "."), ("/a", "/"), ("/", "/"), ("a/b", "a"), ("/a/b", "/a"), ("../a", ".."), ("a/b/", "a"),
        ("", "."),
    ])
    func `the folder of a path holds its last component`(_ path: String, _ folder: String) {
        #expect(FilePath(path).parentFolder == FilePath(folder))
    }

    @Test(arguments: [("a", "a.x"), ("/a/b", "/a/b.x"), ("a/b/", "a/b.x"), ("/", "/"), ("", "")])
    func `a suffix is added to the last component`(_ path: String, _ longer: String) {
        #expect(FilePath(path).appendingSuffix(".x") == FilePath(longer))
    }

    @Test func `names need not be UTF-8`() {
        let bytes: [CInterop.PlatformChar] = [47, -1, 47, -2]
        let path = FilePath(platformString: bytes + [0])
        #expect(path.parentFolder == FilePath(platformString: bytes.prefix(2) + [0]))
        #expect(path.appendingSuffix(".x") == FilePath(platformString: bytes + [46, 120, 0]))
    }
}
