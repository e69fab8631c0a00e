import FaultInjection
import Testing
import ValiseFiles

struct ByteSourceTests {
    @Test(arguments: [
        (0, 3, [1, 2, 3]), (2, 3, [3, 4, 5]), (3, 9, [4, 5]), (5, 4, []), (9, 1, []), (1, 0, []),
    ])
    func `bytes come from a place, and fewer where the content ends`(
        offset: Int64, count: Int, expected: [UInt8]
    ) throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.appending("five")
        try FileSystem().replace(path, with: [1, 2, 3, 4, 5])
        #expect(try FileSource(path).bytes(at: offset, upTo: count) == expected)
    }
}
