/// A body that records say is here.
struct ExpectedBody: Sendable {
    let body: StoredBody
    /// SHA-256 that was announced.
    let digest: [UInt8]
    /// One of the chunk's recipients, by whom it is found quickly; nil where it has none.
    let recipient: StoredID?
}

/// The bodies that records name, in the order of their names' texts, which is that of ``ChunkBytes/list(after:_:)``.
///
/// Records are in the order of their names' bytes. Base64url has another order: `-` is the first of its characters and stands for 62.
/// But chunks whose texts begin with the same characters are neighbors in both orders. So records are read in such groups,
/// which are as small as the bound of memory asks, the groups in the order of texts, and each is sorted.
struct ExpectedBodies {
    /// Some ten megabytes.
    static let usualGroupSize = 32_768

    /// Chunks whose texts begin with the same characters.
    private struct Group {
        /// With one character more a group might divide what belongs together: the last one has bits of the upload's number.
        static let mostCharacters = 21

        /// Its lowest possible name: zeros behind the characters.
        let first: BodyName
        let characters: Int

        var last: StoredID {
            let bits = UInt64(characters * 6)
            let chunk = first.chunk
            return StoredID(
                high: bits < 64 ? chunk.high | .max >> bits : chunk.high,
                low: bits < 64 ? .max : chunk.low | .max >> (bits - 64))
        }

        /// Those with one more character, in the order of their texts.
        var parts: [Group] {
            let part = (0..<64).map { value in
                Group(first: BodyName(chunk: chunk(with: UInt64(value))), characters: characters + 1)
            }
            return part.sorted { $0.first < $1.first }
        }

        private func chunk(with value: UInt64) -> StoredID {
            // How far the six bits of the character are from the lowest of 128.
            let place = UInt64(128 - (characters + 1) * 6)
            let chunk = first.chunk
            let high = place >= 64 ? value << (place - 64) : value >> (64 - place)
            return StoredID(
                high: chunk.high | high, low: place >= 64 ? chunk.low : chunk.low | value << place)
        }
    }

    private let records: any ChunkRecords
    private let groupSize: Int
    /// The next one is the last.
    private var groups: [Group]
    /// The next one is the last.
    private var bodies: [ExpectedBody] = []
    /// What the records had, as far as they were read.
    private(set) var tally = StoreTally()

    /// - Parameter groupSize: how many bodies are in memory at a time.
    init(_ records: any ChunkRecords, groupSize: Int = usualGroupSize) {
        self.records = records
        self.groupSize = groupSize
        groups = [Group(first: BodyName(chunk: StoredID(high: 0, low: 0)), characters: 0)]
    }

    /// The next one, which stays; nil at the end.
    /// - Throws: ``XFTPStoreError``.
    mutating func peek() throws -> ExpectedBody? {
        while bodies.isEmpty, let group = groups.popLast() { try read(group) }
        return bodies.last
    }

    /// How many are in memory.
    var waiting: Int { bodies.count }

    /// Goes on behind the next one.
    mutating func skip() { _ = bodies.popLast() }

    private mutating func read(_ group: Group) throws {
        let (last, groupSize) = (group.last, groupSize)
        var (found, tally, isTooLarge) = ([ExpectedBody](), StoreTally(), false)
        try records.forEach(after: group.first.chunk.predecessor) { chunk in
            guard chunk.chunk.id <= last else { return false }
            tally.add(chunk)
            guard let body = chunk.body else { return true }
            isTooLarge = found.count >= groupSize && group.characters < Group.mostCharacters
            guard !isTooLarge else { return false }
            tally.add(body)
            found.append(
                ExpectedBody(
                    body: body, digest: chunk.chunk.digest, recipient: chunk.recipients.first?.id))
            return true
        }
        guard !isTooLarge else { return groups += group.parts.reversed() }
        self.tally.add(tally)
        bodies = found.sorted { $0.body.name > $1.body.name }
    }
}

extension StoredID {
    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The name before this one; nil for the first.
    var predecessor: StoredID? {
        if low > 0 { return StoredID(high: high, low: low - 1) }
        return high > 0 ? StoredID(high: high - 1, low: .max) : nil
    }
}
