import ValiseStorage

/// The places and lengths of all blobs, in the order of packs and of offsets within them.
///
/// In a pack one blob begins where the last one ended, so that lengths alone say all. They are numbers of variable length: a
/// page of 4 KiB takes two bytes instead of twelve. 32 blobs are a block, which begins with its pack and its offset, so
/// that a place is found by reading at most sixteen pairs of lengths. What has gaps or mixes kinds is kept in blocks of
/// another form.
///
/// A position is the number of the block and the place in it. The last block of a pack may have fewer blobs; its other
/// positions are not used.
struct BlobLengths {
    /// As a pack has it, without the pack.
    struct Place {
        let kind: BlobKind
        let offset: UInt32
        let length: UInt32
        /// 0 where it is not compressed.
        let uncompressedLength: UInt32
    }

    private struct Block {
        /// The number of the pack, and the form in the three lowest bits.
        let packAndForm: UInt32
        /// Of the first blob in the pack.
        let offset: UInt32
        /// The first byte: the piece and the place in it, 16 bits each.
        let start: UInt32
    }

    /// How the blobs of a block are written.
    private struct Form {
        /// Of all of them; nil where they are of both kinds, or have gaps: then each says its kind and offset.
        let kind: BlobKind?
        /// Whether they all have one uncompressed length, which is then written once, before the first one.
        let isUniform: Bool

        init(kind: BlobKind?, isUniform: Bool) {
            self.kind = kind
            self.isUniform = isUniform
        }

        init(bits: UInt32) {
            kind = bits & 2 == 0 ? nil : bits & 1 == 0 ? .data : .tree
            isUniform = bits & 4 != 0
        }

        static let bitCount: UInt32 = 3

        var bits: UInt32 { (kind.map { 2 | UInt32($0.rawValue) } ?? 0) | (isUniform ? 4 : 0) }
    }

    /// Blobs of a full block.
    static let blockSize = 32
    private static let pieceSize = 65_536
    /// Of the worst block: kind, offset and both lengths of all blobs.
    private static let largestBlock = blockSize * 16
    private static let mostPacks = 1 << 29
    private static let mostBlocks = 1 << 27

    private var blocks: [Block] = []
    /// In pieces, so that growth does not copy all of them.
    private var pieces: [[UInt8]] = []

    /// One behind the last position.
    var endPosition: UInt32 {
        UInt32(truncatingIfNeeded: min(blocks.count, Self.mostBlocks - 1) * Self.blockSize)
    }

    /// Memory that is taken.
    var byteCount: Int {
        blocks.capacity * MemoryLayout<Block>.stride + pieces.reduce(0) { $0 + $1.capacity + 32 }
    }

    /// - Parameters:
    ///   - blobs: of one pack, sorted by their offsets.
    ///   - pack: its number.
    /// - Returns: the position of the first blob; the others have the next ones, without a gap.
    mutating func append(_ blobs: [IndexedBlob], pack: Int) throws(RepositoryError) -> UInt32 {
        let count = (blobs.count + Self.blockSize - 1) / Self.blockSize
        guard pack < Self.mostPacks, blocks.count + count < Self.mostBlocks,
            pieces.count < Self.pieceSize - count
        else { throw RepositoryError(.unsupported, "the index has too many blobs") }
        let first = endPosition
        // By an eighth, not by half: of millions of blocks the rest would never be used.
        if blocks.capacity < blocks.count + count {
            blocks.reserveCapacity(blocks.count + count + blocks.count / 8)
        }
        for start in stride(from: 0, to: blobs.count, by: Self.blockSize) {
            append(
                block: blobs[start..<min(start + Self.blockSize, blobs.count)],
                UInt32(truncatingIfNeeded: pack))
        }
        return first
    }

    private mutating func append(block blobs: ArraySlice<IndexedBlob>, _ pack: UInt32) {
        guard let first = blobs.first else { return }
        if (pieces.last?.count ?? Self.pieceSize) + Self.largestBlock > Self.pieceSize {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.pieceSize)
        }
        let form = Self.form(of: blobs, first)
        let last = pieces.count - 1
        blocks.append(
            Block(
                packAndForm: pack << Form.bitCount | form.bits, offset: first.offset,
                start: UInt32(truncatingIfNeeded: last << 16 | pieces[last].count)))
        if form.isUniform { pieces[last].append(variable: first.uncompressedLength ?? 0) }
        for blob in blobs {
            if form.kind == nil {
                pieces[last].append(blob.kind.rawValue)
                pieces[last].append(variable: blob.offset)
            }
            pieces[last].append(variable: blob.length)
            if !form.isUniform { pieces[last].append(variable: blob.uncompressedLength ?? 0) }
        }
    }

    private static func form(of blobs: ArraySlice<IndexedBlob>, _ first: IndexedBlob) -> Form {
        var end = UInt64(first.offset)
        var isRegular = true
        var isUniform = true
        for blob in blobs {
            isRegular = isRegular && blob.kind == first.kind && UInt64(blob.offset) == end
            isUniform = isUniform && blob.uncompressedLength == first.uncompressedLength
            end += UInt64(blob.length)
        }
        return Form(kind: isRegular ? first.kind : nil, isUniform: isUniform)
    }

    /// The number of the pack of a position.
    func pack(at position: UInt32) -> Int {
        Int(blocks[Int(position) / Self.blockSize].packAndForm >> Form.bitCount)
    }

    /// - Parameter position: one that has a blob.
    func place(at position: UInt32) -> Place {
        let block = blocks[Int(position) / Self.blockSize]
        let form = Form(bits: block.packAndForm)
        let piece = Int(block.start >> 16)
        var byte = Int(block.start & 0xffff)
        var (kind, offset) = (form.kind ?? .data, block.offset)
        var uncompressedLength = form.isUniform ? pieces[piece].variable(at: &byte) : 0
        var rest = Int(position) % Self.blockSize
        while true {
            if form.kind == nil {
                kind = pieces[piece][byte] == BlobKind.tree.rawValue ? .tree : .data
                byte += 1
                offset = pieces[piece].variable(at: &byte)
            }
            let length = pieces[piece].variable(at: &byte)
            if !form.isUniform { uncompressedLength = pieces[piece].variable(at: &byte) }
            if rest == 0 {
                return Place(
                    kind: kind, offset: offset, length: length, uncompressedLength: uncompressedLength)
            }
            rest -= 1
            // Of a regular block all sums but the one behind its last blob fit.
            offset &+= length
        }
    }

    /// The kind of a blob.
    func kind(at position: UInt32) -> BlobKind {
        let form = Form(bits: blocks[Int(position) / Self.blockSize].packAndForm)
        return form.kind ?? place(at: position).kind
    }
}

extension [UInt8] {
    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    fileprivate mutating func append(variable number: UInt32) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    fileprivate func variable(at place: inout Int) -> UInt32 {
        var (number, shift): (UInt32, UInt32) = (0, 0)
        while true {
            let byte = self[place]
            place += 1
            number |= UInt32(byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }
}
