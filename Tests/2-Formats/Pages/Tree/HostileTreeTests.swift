import Testing
import ValisePages

struct HostileTreeTests {
    private static let size = 512

    /// Pages in memory; those that are nil are lost.
    private final class Pages: PageSource {
        var pages: [[UInt8]?]
        var reads = 0
        var pageCount: UInt32 { UInt32(pages.count) }
        var pageSize: Int { HostileTreeTests.size }
        var usableSize: Int { HostileTreeTests.size }

        init(_ count: Int) {
            pages = Array(repeating: [UInt8](repeating: 0, count: HostileTreeTests.size), count: count)
        }

        func page(_ number: UInt32) -> [UInt8]? {
            reads += 1
            return pages[Int(number) - 1]
        }

        func set(_ number: Int, _ bytes: [UInt8], at offset: Int = 0) {
            pages[number - 1]?.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
    }

    private final class Recorder: TreeVisitor {
        var rows: [TreeRow] = []
        var gaps: [TreeGap] = []
        func accepts(_ page: TreePage) -> Bool { true }
        func visit(_ row: TreeRow) { rows.append(row) }
        func miss(_ gap: TreeGap) { gaps.append(gap) }
    }

    private func walk(_ pages: Pages, from root: UInt32 = 2, _ kind: TreeKind = .table) throws -> Recorder {
        let recorder = Recorder()
        var walk = TreeWalk(pages, PageClaims(pageCount: pages.pageCount), kind, visitor: recorder)
        try walk.run(from: root)
        return recorder
    }

    @Test func `a page that is its own child is visited once`() throws {
        let pages = Pages(4)
        pages.set(2, [5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
        #expect(try walk(pages).gaps.map(\.reason) == [.claimed])
    }

    @Test func `a circle of inner pages ends`() throws {
        let pages = Pages(4)
        pages.set(2, [5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3])
        pages.set(3, [5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
        #expect(try walk(pages).gaps.map(\.reason) == [.claimed])
    }

    @Test func `a chain of inner pages deeper than any tree ends`() throws {
        let pages = Pages(60)
        for page in 2..<59 { pages.set(page, [5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(page + 1)]) }
        #expect(try walk(pages).gaps.map(\.reason) == [.tooDeep])
    }

    @Test func `a cell count that the page cannot hold makes it no page of a tree`() throws {
        let pages = Pages(4)
        pages.set(2, [13, 0, 0, 0xff, 0xff, 0, 0, 0])
        #expect(try walk(pages).gaps.map(\.reason) == [.notATree])
    }

    @Test(arguments: [
        [UInt8](arrayLiteral: 0xff, 0xff), [0x01, 0xff], [0, 0], [0, 3],
    ]) func `cells outside the page, in its header, or with endless numbers are passed over`(pointer: [UInt8])
        throws
    {
        let pages = Pages(4)
        pages.set(2, [13, 0, 0, 0, 1, 0, 0, 0] + pointer)
        pages.set(2, [0xff], at: 511)
        #expect(try walk(pages).gaps.map(\.reason) == [.cell])
    }

    @Test func `cells that overlap give no more than the page holds`() throws {
        let pages = Pages(4)
        let pointers: [UInt8] = (0..<140).map { $0 % 2 == 0 ? 1 : 0 }
        pages.set(2, [13, 0, 0, 0, 70, 0, 0, 0] + pointers)
        pages.set(2, [0x81, 0x00, 1], at: 256)
        let recorder = try walk(pages)
        #expect(recorder.rows.reduce(0) { $0 + $1.payload.count } <= Self.size)
        #expect(recorder.rows.count == 4 && recorder.gaps.count == 66)
    }

    @Test func `a damaged cell of an inner page does not hide the children beside it`() throws {
        let cells: [UInt8] = [0, 0, 0, 7, 1, 0, 0, 0, 8, 2]
        var bytes = [UInt8](repeating: 0, count: Self.size)
        bytes.replaceSubrange(0..<18, with: [5, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 9, 1, 0, 0xff, 0xff, 1, 5])
        bytes.replaceSubrange(256..<266, with: cells)
        let page = try #require(TreePage(2, bytes))
        #expect(page.children == [7, 8, 9])
        #expect(page.cells.map(\.rowID) == [1, 2])
        bytes[0] = 13
        #expect(TreePage(2, bytes)?.children == [])
    }

    @Test func `bytes that are too few for a page are none`() {
        // With 30 bytes the local part of this payload would have a size below zero.
        var bytes = [UInt8](repeating: 0, count: 30)
        bytes.replaceSubrange(0..<10, with: [13, 0, 0, 0, 1, 0, 0, 0, 0, 24])
        bytes.replaceSubrange(24..<26, with: [5, 1])
        #expect(TreePage(2, bytes) == nil)
        for count in 0..<480 {
            #expect(TreePage(2, [13] + [UInt8](repeating: 0, count: count)) == nil || count == 479)
        }
    }

    @Test func `a page count is current where it was written with the last change`() throws {
        var bytes = [UInt8](repeating: 0, count: 100)
        bytes.replaceSubrange(0..<18, with: Array("SQLite format 3\0".utf8) + [16, 0])
        bytes.replaceSubrange(28..<32, with: [0, 0, 1, 2])
        for (changes, isCurrent) in [(UInt8(0), true), (3, false)] {
            bytes[27] = changes
            let header = try #require(DatabaseHeader(bytes))
            #expect(header.pageCount == 258)
            #expect(header.isPageCountCurrent == isCurrent)
        }
    }

    @Test func `an overflow chain that bites its tail ends, and the row is said to be cut`() throws {
        let pages = Pages(4)
        // A payload of 5000 bytes: 488 % … lie in the cell, the rest on page 3, which follows itself.
        pages.set(2, [13, 0, 0, 0, 1, 0, 0, 0, 0x01, 0x00])
        pages.set(2, [0xa7, 0x08, 1], at: 256)
        let local = 39 + (5000 - 39) % 508
        pages.set(2, [0, 0, 0, 3], at: min(508, 259 + (local <= 477 ? local : 39)))
        pages.set(3, [0, 0, 0, 3])
        let recorder = try walk(pages)
        #expect(recorder.rows.allSatisfy { $0.lostOverflow != nil })
        #expect(recorder.rows.count + recorder.gaps.count == 1)
        #expect(pages.reads < 10)
    }

    @Test func `records that lie about their sizes are refused or cut`() {
        #expect(Record([]) == nil)
        #expect(Record([0]) == nil)
        #expect(Record([200, 1]) == nil)
        #expect(Record([2, 10]) == nil)
        #expect(Record([2, 13, 65])?.values == [.text([])])
        #expect(Record([2, 15, 65])?.values == [.text([65])])
        #expect(Record([2, 17, 65])?.isIntact == false)
        #expect(Record([10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) == nil)
    }

    @Test func `numbers of every width are read with their sign`() {
        let record = Record([7, 1, 2, 3, 4, 8, 9, 0xff, 0xff, 0xfe, 0x80, 0, 0, 0x7f, 0xff, 0xff, 0xff])
        #expect(
            record?.values == [
                .integer(-1), .integer(-2), .integer(-8_388_608), .integer(2_147_483_647), .integer(0),
                .integer(1),
            ])
    }

    @Test func `random pages never crash or hang a walk, a free list or a pointer map`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("random pages: seed \(seed)")
        var generator = Generator(state: seed)
        for _ in 0..<300 {
            let pages = Pages(20)
            for number in 1...20 {
                var bytes = (0..<Self.size).map { _ in UInt8.random(in: 0...255, using: &generator) }
                if Bool.random(using: &generator) {
                    bytes[0] = [2, 5, 10, 13].randomElement(using: &generator) ?? 13
                    bytes[3] = 0
                    bytes[4] = UInt8.random(in: 0...40, using: &generator)
                    for index in stride(from: 8, to: 80, by: 2) { bytes[index] &= 1 }
                    bytes.replaceSubrange(8..<11, with: [0, 0, 0])
                    bytes[11] &= 31
                }
                pages.pages[number - 1] = Int.random(in: 0..<10, using: &generator) == 0 ? nil : bytes
            }
            for kind in [TreeKind.table, .index] {
                for row in try walk(pages, kind).rows { _ = Record(row.payload) }
            }
            let claims = PageClaims(pageCount: 20)
            _ = try FreePages.claim(from: 3, in: pages, claims)
            let map = PointerMap(pages)
            for number in 1...20 { _ = try map.entry(of: UInt32(number)) }
            _ = try map.looksPresent()
            if let first = pages.pages[0] { _ = DatabaseHeader(first) }
        }
    }

    private func walk(_ pages: Pages, _ kind: TreeKind) throws -> Recorder { try walk(pages, from: 2, kind) }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) | (state << 31)
        }
    }
}
