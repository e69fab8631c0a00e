/// A page of one of SQLite's trees (https://www.sqlite.org/fileformat2.html, section 1.6), read without trust.
struct TreePage {
    private let bytes: UnsafeRawBufferPointer
    private let header: Int
    private let kind: UInt8

    private static let (indexInterior, tableInterior, indexLeaf, tableLeaf): (UInt8, UInt8, UInt8, UInt8) =
        (2, 5, 10, 13)

    /// - Parameters:
    ///   - bytes: the usable part of the page.
    ///   - number: the header of the first page lies behind the one of the database.
    /// - Returns: nil for a page that belongs to no tree.
    init?(_ bytes: UnsafeRawBufferPointer, number: UInt32) {
        self.bytes = bytes
        header = number == 1 ? 100 : 0
        guard bytes.count > header + 12 else { return nil }
        kind = bytes[header]
        guard [Self.indexInterior, Self.tableInterior, Self.indexLeaf, Self.tableLeaf].contains(kind) else {
            return nil
        }
    }

    var isInterior: Bool { kind == Self.indexInterior || kind == Self.tableInterior }

    private var cellCount: Int { bytes.bigEndian16(at: header + 3) }

    private var cells: [Int] {
        let start = header + (isInterior ? 12 : 8)
        return (0..<cellCount).compactMap { index in
            let place = start + 2 * index
            guard place + 2 <= bytes.count else { return nil }
            let cell = bytes.bigEndian16(at: place)
            return cell + 4 <= bytes.count ? cell : nil
        }
    }

    /// The pages below an interior one.
    var children: [UInt32] {
        guard isInterior else { return [] }
        return cells.map { bytes.bigEndian(at: $0) } + [bytes.bigEndian(at: header + 8)]
    }

    /// The first pages of content that did not fit into a cell.
    var overflows: [UInt32] {
        guard kind != Self.tableInterior else { return [] }
        return cells.compactMap { overflow(of: $0) }
    }

    /// The records of a table's leaf, as much of each as lies on the page.
    var records: [TreeRecord] {
        guard kind == Self.tableLeaf else { return [] }
        return cells.compactMap { cell in
            guard let content = content(of: cell) else { return nil }
            let end = min(content.place + content.local, bytes.count)
            guard content.place < end else { return nil }
            return TreeRecord(UnsafeRawBufferPointer(rebasing: bytes[content.place..<end]))
        }
    }

    private func overflow(of cell: Int) -> UInt32? {
        guard let content = content(of: cell), content.goesOn else { return nil }
        let place = content.place + content.local
        return place + 4 <= bytes.count ? bytes.bigEndian(at: place) : nil
    }

    /// Where the content of a cell begins, how much of it lies here, and whether more lies elsewhere.
    private func content(of cell: Int) -> (place: Int, local: Int, goesOn: Bool)? {
        var place = cell + (isInterior ? 4 : 0)
        guard let payload = bytes.number(&place) else { return nil }
        if kind == Self.tableLeaf, bytes.number(&place) == nil { return nil }
        if let local = localSize(of: payload) { return (place, local, true) }
        return (place, Int(clamping: payload), false)
    }

    /// How much of the content lies in the cell; nil where that is all of it.
    private func localSize(of payload: UInt64) -> Int? {
        let usable = bytes.count
        let most = kind == Self.tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard payload > UInt64(most), let payload = Int(exactly: payload) else { return nil }
        let least = (usable - 12) * 32 / 255 - 23
        let size = least + (payload - least) % (usable - 4)
        return size <= most ? size : least
    }
}

extension UnsafeRawBufferPointer {
    /// A 32-bit number; 0 behind the end.
    func bigEndian(at offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// SQLite's integers of one to nine bytes; nil where they run over the end.
    func number(_ place: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard place >= 0, place < count else { return nil }
            let byte = self[place]
            place += 1
            if index == 8 { return value << 8 | UInt64(byte) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte & 0x80 == 0 { return value }
        }
        return value
    }

    /// A 16-bit number; 0 behind the end.
    func bigEndian16(at offset: Int) -> Int {
        guard offset >= 0, offset + 2 <= count else { return 0 }
        return Int(UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }
}
