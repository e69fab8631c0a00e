/// Entries of which only their own header tells.
extension ZipWalk {
    func takeUnnamed(_ header: ZipLooseHeader) throws {
        let start = header.dataStart(position)
        var walked = make(header, at: position, data: start)
        if header.hasLostSizes { return scanInside(&walked, start, nextStart, .unverifiable) }
        if header.hasUnknownSize {
            // Zeros are read as a descriptor of nothing anywhere: it must not reach into what a directory knows.
            if let empty = try ZipDescriptor.find(at: start, compressedSize: 0, size: 0, bytes),
                empty.checksum == 0, start + empty.length <= nextStart
            {
                walked.entry.size = 0
                walked.entry.checksum = empty.checksum
                return try accept(&walked, start..<start, end: start + empty.length)
            }
            forgetNested(in: start..<Int64.max, dataStart: start)
            return try takeUnknownEnd(&walked, header, start)
        }
        let (end, overflow) = start.addingReportingOverflow(header.compressedSize)
        walked.claim = overflow ? .max : end
        forgetNested(in: start..<(overflow ? .max : end), dataStart: start)
        var limit = nextStart
        if !overflow, end > limit, end <= bytes.size {
            // A directory says that another entry begins in this one: the checksum tells who is right.
            if try isIntact(walked, start..<end) { limit = bytes.size }
        }
        guard !overflow, end <= limit else {
            // The inner of an entry that the file's end cuts is not its sibling; one before a known entry may be.
            if limit < bytes.size { return scanInside(&walked, start, limit, .cutOff) }
            return scanInside(&walked, start, bytes.size, .cutOff, isAnchored: true)
        }
        var entryEnd = end
        if header.hasDescriptor {
            let size = header.size == 0 ? nil : header.size
            if let found = try ZipDescriptor.find(
                at: end, compressedSize: header.compressedSize, size: size, bytes)
            {
                walked.entry.checksum = found.checksum
                walked.entry.size = found.size
                entryEnd = min(limit, end + found.length)
            } else if header.checksum == 0 {
                walked.entry.checksum = nil
            }
        }
        if try isAnchor(entryEnd) { return try accept(&walked, start..<end, end: entryEnd) }
        try verifyNow(&walked, start..<end, end: entryEnd)
    }

    /// Whether the header at the position says the size of its data, and their checksum holds.
    func isIntact(_ header: ZipLooseHeader) throws -> Bool {
        guard !header.hasLostSizes, !header.hasUnknownSize else { return false }
        let start = header.dataStart(position)
        let (end, overflow) = start.addingReportingOverflow(header.compressedSize)
        guard !overflow, end <= bytes.size else { return false }
        return try isIntact(make(header, at: position, data: start), start..<end)
    }

    func isIntact(_ walked: ZipWalkedEntry, _ data: Range<Int64>) throws -> Bool {
        guard walked.entry.state == .intact, let method = walked.entry.method, let size = walked.entry.size
        else { return false }
        let descriptor = try ZipDescriptor.find(
            at: data.upperBound, compressedSize: Int64(data.count), size: nil, bytes)
        guard let checksum = descriptor?.checksum ?? walked.entry.checksum else { return false }
        return try proof.loss(
            of: data, method: method, size: descriptor?.size ?? size, checksum: checksum) == nil
    }

    /// Passes over the entry; its checksum is compared later, together with those of all others.
    private func accept(_ walked: inout ZipWalkedEntry, _ data: Range<Int64>, end: Int64) throws {
        walked.entry.data = data
        walked.entry.end = end
        walked.claim = end
        walked.isAnchored = true
        if walked.entry.checksum == nil, walked.entry.state == .intact {
            walked.entry.state = .lost(.unverifiable)
        }
        walked.isPending = walked.entry.state == .intact
        entries.append(walked)
        position = end
    }

    /// Nothing follows where the entry is said to end: only its checksum can tell whether it does.
    private func verifyNow(_ walked: inout ZipWalkedEntry, _ data: Range<Int64>, end: Int64) throws {
        walked.entry.data = data
        walked.entry.end = end
        guard walked.entry.state == .intact, let method = walked.entry.method, let size = walked.entry.size
        else { return scanInside(&walked, data.lowerBound, data.upperBound, .unverifiable) }
        guard let checksum = walked.entry.checksum else {
            return scanInside(&walked, data.lowerBound, data.upperBound, .unverifiable)
        }
        if let loss = try proof.loss(of: data, method: method, size: size, checksum: checksum) {
            return scanInside(&walked, data.lowerBound, data.upperBound, loss)
        }
        walked.isAnchored = true
        entries.append(walked)
        position = end
    }

    private func takeUnknownEnd(
        _ walked: inout ZipWalkedEntry, _ header: ZipLooseHeader, _ start: Int64
    ) throws {
        let limit = nextStart
        walked.entry.size = nil
        walked.entry.checksum = nil
        guard walked.entry.state == .intact, let method = walked.entry.method else {
            return scanInside(&walked, start, limit, .unverifiable)
        }
        if method == .stored {
            open.append(entries.count)
            return scanInside(&walked, start, limit, .unverifiable)
        }
        switch try unsafe proof.inflated(from: start, limit: limit) {
        case .failure(let refusal): scanInside(&walked, start, limit, refusal.loss)
        case .success(let content):
            let data = start..<content.end
            walked.entry.size = content.checksum.count
            walked.entry.checksum = content.checksum.value
            walked.entry.data = data
            walked.entry.end = content.end
            walked.claim = content.end
            walked.isAnchored = true
            let found = try ZipDescriptor.find(
                at: content.end, compressedSize: content.end - start, size: content.checksum.count, bytes)
            if let found {
                walked.entry.end = min(limit, content.end + found.length)
                if found.checksum != content.checksum.value { walked.entry.state = .lost(.checksum) }
            } else {
                walked.entry.state = .lost(.unverifiable)
            }
            entries.append(walked)
            position = walked.entry.end
        }
    }

    /// The entry is not whole, or its end is not found yet: what lies behind its header is looked at.
    private func scanInside(
        _ walked: inout ZipWalkedEntry, _ start: Int64, _ limit: Int64, _ loss: ZipScannedEntry.Loss,
        isAnchored: Bool = false
    ) {
        walked.entry.data = min(start, limit)..<limit
        walked.entry.end = limit
        walked.isAnchored = isAnchored
        if walked.entry.state == .intact { walked.entry.state = .lost(loss) }
        entries.append(walked)
        position = max(position + 1, min(start, limit))
    }

    // MARK: Stored entries without a size

    private static let mostOpen = 16

    /// A descriptor lies here: whether it ends an entry whose end is searched.
    func closeOpen(at offset: Int64) throws -> Bool {
        for index in open.suffix(Self.mostOpen).reversed() {
            let start = entries[index].entry.data.lowerBound
            guard
                let found = try ZipDescriptor.find(
                    at: offset, compressedSize: offset - start, size: offset - start, bytes),
                try close(index, offset, found)
            else { continue }
            position = offset + found.length
            return true
        }
        return false
    }

    /// A record begins here: whether a descriptor without a signature lies before it.
    func closeOpen(before offset: Int64) throws {
        for index in open.suffix(Self.mostOpen).reversed() {
            let start = entries[index].entry.data.lowerBound
            guard let found = try ZipDescriptor.ending(at: offset, dataStart: start, bytes) else { continue }
            if try close(index, offset - found.length, found) { return }
        }
    }

    private func close(_ index: Int, _ end: Int64, _ descriptor: ZipDescriptor) throws -> Bool {
        let data = entries[index].entry.data.lowerBound..<end
        guard let content = try unsafe proof.stored(data), content.checksum.value == descriptor.checksum
        else {
            return false
        }
        var walked = entries[index]
        walked.entry.data = data
        walked.entry.size = Int64(data.count)
        walked.entry.checksum = descriptor.checksum
        walked.entry.end = end + descriptor.length
        walked.entry.state = .intact
        walked.isAnchored = true
        // What seemed to be entries is its content.
        entries.removeSubrange(index...)
        entries.append(walked)
        directories.removeAll { $0.start >= data.lowerBound }
        open.removeAll { $0 >= index }
        return true
    }

    // MARK: Archives in entries

    /// Forgets directories of archives that lie in the data of an entry, which they do not name.
    ///
    /// - Parameter claim: what the entry says is its own.
    private func forgetNested(in claim: Range<Int64>, dataStart: Int64) {
        var isChanged = false
        for (number, directory) in known.enumerated() where !directory.isNested {
            let begin = max(0, directory.base)
            guard begin >= claim.lowerBound, directory.end <= claim.upperBound else { continue }
            // Where the entry is cut off or has no end, a second archive behind it looks the same; but that does
            // not begin where the data do.
            guard claim.upperBound <= bytes.size || begin - dataStart <= Self.nestedSlack else { continue }
            known[number].isNested = true
            isChanged = true
        }
        if isChanged { starts = KnownStarts(known) }
    }

    /// How far in the data of an entry an archive begins that is all of them: one that is deflated without
    /// packing has a block's header before it.
    static let nestedSlack: Int64 = 5
}
