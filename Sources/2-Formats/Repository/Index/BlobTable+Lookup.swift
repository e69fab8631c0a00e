package import ValiseStorage

extension BlobTable {
    /// Where a blob is; where several packs have it, the first one that was added. Nil for none.
    package func location(of id: ContentID, _ kind: BlobKind) -> BlobLocation? {
        position(of: id, kind).map(location(at:))
    }

    /// Whether a pack has a blob.
    package func contains(_ id: ContentID, _ kind: BlobKind) -> Bool { position(of: id, kind) != nil }

    /// As ``location(of:_:)``.
    package func position(of id: ContentID, _ kind: BlobKind) -> BlobPosition? {
        firstPosition(of: id) { lengths.kind(at: $0) == kind }
    }

    /// All places of a blob of either kind, in the order in which their packs were added.
    package func positions(of id: ContentID) -> [BlobPosition] {
        var found: [BlobPosition] = []
        _ = firstPosition(of: id) {
            found.append(BlobPosition(rawValue: $0))
            return false
        }
        return found.sorted()
    }

    /// What a position says.
    package func location(at position: BlobPosition) -> BlobLocation {
        let place = lengths.place(at: position.rawValue)
        return BlobLocation(
            pack: numbers.ids[lengths.pack(at: position.rawValue)], kind: place.kind, offset: place.offset,
            length: place.length,
            uncompressedLength: place.uncompressedLength == 0 ? nil : place.uncompressedLength)
    }

    private func firstPosition(of id: ContentID, where isWanted: (UInt32) -> Bool) -> BlobPosition? {
        let (high, low, _, _) = id.words
        for place in sorted.matches(high, low) {
            let position = sorted.position(at: place)
            if isWanted(position) { return BlobPosition(rawValue: position) }
        }
        for place in waitingMatches(high, low) where isWanted(waiting[place].position) {
            return BlobPosition(rawValue: waiting[place].position)
        }
        for entry in waiting[settledCount...]
        where entry.high == high && entry.low == low && isWanted(entry.position) {
            return BlobPosition(rawValue: entry.position)
        }
        return nil
    }

    /// In the sorted part of those that wait.
    private func waitingMatches(_ high: UInt64, _ low: UInt64) -> Range<Int> {
        var (lower, upper) = (0, settledCount)
        while lower < upper {
            let middle = (lower + upper) / 2
            if (waiting[middle].high, waiting[middle].low) < (high, low) {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        var past = lower
        while past < settledCount, waiting[past].high == high, waiting[past].low == low { past += 1 }
        return lower..<past
    }
}

extension BlobTable {
    /// Whether the table has a pack.
    package func hasPack(_ id: ContentID) -> Bool { numbers.number(of: id) != nil }

    /// All packs, in the order in which they were added.
    package var packIDs: [ContentID] {
        // A pack that was removed and added again has two numbers.
        numbers.ids.indices.filter { numbers.number(of: numbers.ids[$0]) == $0 }.map { numbers.ids[$0] }
    }

    /// The blobs of a pack in the order of their offsets; none for one that is not there. Their identifiers are in the header
    /// of the pack.
    package func positions(inPack id: ContentID) -> [BlobPosition] {
        guard let pack = numbers.number(of: id).map({ packs[$0] }) else { return [] }
        return (pack.first..<pack.first + pack.count).map(BlobPosition.init(rawValue:))
    }
}
