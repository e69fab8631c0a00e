import Testing

@testable import ValiseBackups

struct PageGroupsTests {
    @Test func `larger databases have larger groups`() {
        let mebibyte: Int64 = 1 << 20
        let sizes: [(Int64, Int)] = [
            (4096, 1), (256 * mebibyte, 1), (257 * mebibyte, 2), (1024 * mebibyte, 2), (1025 * mebibyte, 4),
            (8192 * mebibyte, 4), (32768 * mebibyte, 16),
        ]
        for (bytes, pages) in sizes {
            #expect(PageGroups.size(of: bytes, pageSize: 4096) == pages)
        }
    }

    @Test func `a group stays what it was`() {
        #expect(PageGroups.size(of: 2 << 30, pageSize: 4096, previous: 4096, most: 512) == 1)
        #expect(PageGroups.size(of: 1 << 20, pageSize: 4096, previous: 16384, most: 512) == 4)
        // What restic cut, or another size of pages, is no group.
        #expect(PageGroups.size(of: 1 << 20, pageSize: 4096, previous: 700_001, most: 512) == 1)
        #expect(PageGroups.size(of: 1 << 20, pageSize: 4096, previous: 3 * 4096, most: 512) == 1)
        #expect(PageGroups.size(of: 1 << 20, pageSize: 4096, previous: 8 << 20, most: 512) == 1)
        // No folder could list so many.
        #expect(PageGroups.size(of: 16 << 30, pageSize: 4096, previous: 4096, most: 512) == 8)
    }
}
