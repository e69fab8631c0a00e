import ValiseFiles

/// Entries that a directory names: it knows their sizes and their checksum, whatever became of their own header.
extension ZipWalk {
    func takeNamed(_ place: KnownStarts.Place) throws -> Bool {
        let record = known[place.directory].records[place.record]
        let local = try ZipLooseHeader.local(at: position, bytes)
        var limit = nextStart
        guard let local, local.rawName == record.rawName else {
            // Of two names, one that no entry can have is the damaged one.
            if let local, !Self.isPossible(record.rawName), Self.isPossible(local.rawName) {
                try takeUnnamed(local)
                return true
            }
            try takeHeaderless(record, place, limit, other: local)
            return true
        }
        let start = local.dataStart(position)
        var walked = make(record, at: position, data: start)
        walked.entry.directory = place.directory
        let (end, overflow) = start.addingReportingOverflow(record.compressedSize)
        var fits = !overflow && end <= limit && !record.hasLostSizes
        if !fits, !overflow, !record.hasLostSizes, end <= bytes.size, try isIntact(walked, start..<end) {
            // Another record says that an entry begins in this one: the checksum tells who is right.
            limit = bytes.size
            fits = true
        }
        // Where the directory's record cannot be true, it may be the damaged one of the two.
        if !fits || walked.entry.state != .intact,
            make(local, at: position, data: start).entry.state == .intact
        {
            try takeUnnamed(local)
            return true
        }
        guard fits else {
            cut(&walked, start, limit)
            return true
        }
        walked.entry.data = start..<end
        walked.claim = end
        walked.isAnchored = true
        walked.isPending = walked.entry.state == .intact
        let descriptor =
            local.hasDescriptor
            ? try ZipDescriptor.find(
                at: end, compressedSize: record.compressedSize, size: record.size, bytes) : nil
        walked.entry.end = min(limit, end + (descriptor?.length ?? 0))
        if local.hasDescriptor, descriptor?.checksum != record.checksum {
            try believeDescriptor(of: local, &walked, start..<limit)
        }
        entries.append(walked)
        position = walked.entry.end
        return true
    }

    /// The record and what follows the data contradict each other: where the data prove another descriptor, the record is
    /// the damaged one of the two.
    ///
    /// - Parameter space: from the data's first byte to where they end at the latest.
    private func believeDescriptor(
        of local: ZipLooseHeader, _ walked: inout ZipWalkedEntry, _ space: Range<Int64>
    ) throws {
        guard walked.isPending, let method = local.knownMethod,
            let found = try proof.described(space, method: method)
        else { return }
        walked.entry.methodCode = method.rawValue
        walked.entry.data = found.data
        walked.entry.size = found.descriptor.size
        walked.entry.checksum = found.descriptor.checksum
        walked.entry.end = found.data.upperBound + found.descriptor.length
        walked.claim = found.data.upperBound
        walked.isPending = false
    }

    private static func isPossible(_ rawName: [UInt8]) -> Bool {
        let isFolder = rawName.last == UInt8(ascii: "/")
        return (try? ZipName.check(isFolder ? rawName.dropLast() : rawName)) != nil
    }

    /// The data lie before the next known thing, with a descriptor between them or not.
    ///
    /// - Parameter other: a header of another name at this place. It is believed where its data prove it and no data prove
    ///   the record: then the record's offset is what was damaged.
    private func takeHeaderless(
        _ record: ZipLooseHeader, _ place: KnownStarts.Place, _ limit: Int64, other: ZipLooseHeader?
    ) throws {
        var walked = make(record, at: position, data: position)
        walked.entry.directory = place.directory
        walked.entry.end = limit
        walked.isAnchored = true
        walked.claim = limit
        let first = position + Int64(ZipLooseHeader.localLength + record.rawName.count)
        walked.entry.data = min(first, limit)..<limit
        if walked.entry.state == .intact, let method = record.knownMethod {
            walked.entry.state = .lost(.data)
            for data in try places(of: record, from: first, to: limit) {
                let loss = try proof.loss(
                    of: data, method: method, size: record.size, checksum: record.checksum)
                walked.entry.state = loss.map { .lost($0) } ?? .intact
                walked.entry.data = data
                if loss == nil { break }
            }
        }
        if walked.entry.state != .intact, let other, try isIntact(other) { return try takeUnnamed(other) }
        let isExpected = entries.last.map { $0.isAnchored && $0.entry.end == position } ?? (position == 0)
        entries.append(walked)
        // Where bytes are missing in the middle of the file, the directory's offsets are wrong from there on. Where nothing
        // ended, the record's offset may be wrong, and other entries may begin before the next one that is known.
        let isPlaced = try walked.entry.state == .intact || isExpected && isConfirmed(limit)
        position = isPlaced ? limit : position + 1
    }

    /// Whether what is known to begin here does.
    private func isConfirmed(_ offset: Int64) throws -> Bool {
        guard let place = starts.at(offset) else {
            return try bytes.signature(at: offset) == ZipSignature.central
        }
        return try ZipLooseHeader.local(at: offset, bytes)?.rawName
            == known[place.directory].records[place.record].rawName
    }

    /// Where the data may lie: the one place where a descriptor fits, if one does.
    private func places(
        of record: ZipLooseHeader, from first: Int64, to limit: Int64
    ) throws -> [Range<Int64>] {
        var places: [Range<Int64>] = []
        for length in record.hasDescriptor ? [16, 24, 12, 20] : [0] as [Int64] {
            let end = limit - length
            guard end >= first, record.compressedSize <= end - first else { continue }
            let place = end - record.compressedSize..<end
            if length > 0,
                try ZipDescriptor.find(
                    at: end, compressedSize: record.compressedSize, size: record.size, bytes) != nil
            {
                return [place]
            }
            places.append(place)
        }
        // Each is a proof of its own. Of a large entry only the usual form is tried.
        return record.compressedSize <= Self.smallEntry ? places : Array(places.prefix(1))
    }

    private static let smallEntry: Int64 = 1 << 20

    /// Another entry begins, or the file ends, before this one does.
    func cut(_ walked: inout ZipWalkedEntry, _ start: Int64, _ limit: Int64) {
        walked.entry.data = min(start, limit)..<limit
        walked.entry.end = limit
        walked.isAnchored = true
        walked.isPending = false
        if walked.entry.state == .intact { walked.entry.state = .lost(.cutOff) }
        entries.append(walked)
        position = limit
    }

    func make(_ header: ZipLooseHeader, at offset: Int64, data: Int64) -> ZipWalkedEntry {
        var rawName = header.rawName
        let isFolder = rawName.last == UInt8(ascii: "/")
        if isFolder { rawName.removeLast() }
        var state = ZipScannedEntry.State.intact
        if header.isEncrypted {
            state = .lost(.encrypted)
        } else if header.knownMethod == nil {
            state = .lost(.method)
        } else if header.isSpecial {
            state = .lost(.special)
        } else if header.hasLostSizes {
            state = .lost(.unverifiable)
        } else if proof.isBomb(size: header.size, compressedSize: header.compressedSize),
            !header.hasUnknownSize
        {
            state = .lost(.ratio)
        } else if header.knownMethod == .stored, header.size != header.compressedSize,
            !header.hasDescriptor
        {
            state = .lost(.data)
        }
        let entry = ZipScannedEntry(
            rawName: rawName, isFolder: isFolder, methodCode: header.method,
            modificationTime: header.modificationTime, headerOffset: offset, data: data..<data,
            size: header.size, checksum: header.checksum, end: data, state: state)
        return ZipWalkedEntry(entry: entry, flags: header.flags)
    }
}

extension ZipLooseHeader {
    var knownMethod: ZipMethod? { ZipMethod(rawValue: method) }
}
