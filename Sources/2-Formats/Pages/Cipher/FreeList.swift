/// The free pages of a database: those that hold no content, and may lie in the file as zeros.
struct FreeList {
    private(set) var leaves: Set<UInt32> = []

    /// Walks the list of trunk pages, which name the leaves. A list that does not hold together ends early.
    ///
    /// - Parameter wanted: only these leaves are remembered, so that memory follows what is asked.
    init(_ file: EncryptedDatabaseFile, among wanted: PageSet) throws {
        let reader = try file.reader()
        var trunk = try unsafe reader.withPage(1) { status, page in
            unsafe status == .intact ? Self.number(page, at: 32) : 0
        }
        var visited: UInt32 = 0
        while trunk > 1, trunk <= file.pageCount, visited < file.pageCount {
            visited += 1
            trunk = try unsafe reader.withPage(trunk) { status, page in
                guard status == .intact else { return 0 }
                let count = unsafe min(Int(Self.number(page, at: 4)), page.count / 4 - 2)
                for index in 0..<max(0, count) {
                    let leaf = unsafe Self.number(page, at: 8 + 4 * index)
                    if wanted.contains(leaf) { leaves.insert(leaf) }
                }
                return unsafe Self.number(page, at: 0)
            }
        }
    }

    private static func number(_ page: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        unsafe UInt32(bigEndian: page.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
