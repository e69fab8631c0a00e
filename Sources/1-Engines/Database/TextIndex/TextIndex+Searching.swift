import ValiseEncoding

extension TextIndex {
    /// The rows whose texts may contain all of these, in their order: all that do, and few others.
    ///
    /// - Parameters:
    ///   - wanted: in small letters, none of them empty.
    ///   - look: called now and then; throw to stop.
    /// - Throws: ``DatabaseError``; whatever `look` throws.
    package func rows(containing wanted: [[UInt8]], look: () throws -> Void = {}) throws -> [Int64] {
        let parts = wanted.map(IndexWord.parts)
        var found: Set<Int64>?
        // The longest is the rarest, mostly.
        for part in parts.flatMap({ $0 }).sorted(by: { $0.bytes.count > $1.bytes.count }) {
            try look()
            guard found.map({ $0.count > Self.fewRows }) ?? true else { break }
            guard let rows = try rows(of: part) else { continue }
            found = found.map { $0.intersection(rows) } ?? rows
        }
        let isExact = parts.count == 1 && parts[0].count == 1 && parts[0][0].bytes == wanted[0]
        var rows: [Int64] =
            if let found, isExact {
                Array(found)
            } else if let found {
                try check(found, wanted, look)
            } else {
                try scan(wanted, look)
            }
        rows += try rowsWithoutText()
        return rows.sorted()
    }

    /// So few are looked at one by one.
    private static let fewRows = 200
    /// A part that is in more words of the index says too little.
    private static let mostWords = 5000

    /// - Returns: nil where it says too little.
    private func rows(of part: IndexWord) throws(DatabaseError) -> Set<Int64>? {
        var expressions: [String] = []
        switch part.place {
        case .whole: expressions = [IndexWord.expression(part.bytes)]
        case .start: expressions = [IndexWord.expression(part.bytes) + " *"]
        case .end, .inside:
            guard let words = try words(with: part) else { return nil }
            expressions = words.map(IndexWord.expression)
        }
        let statement = try connection.prepare("SELECT rowid FROM texts WHERE texts MATCH ?")
        var rows: Set<Int64> = []
        for expression in expressions {
            try statement.bind([.text(expression)])
            while try statement.step() {
                if let row = statement.value(0).integer { rows.insert(row) }
            }
        }
        return rows
    }

    /// The words that have it.
    /// - Returns: nil where they are too many.
    private func words(with part: IndexWord) throws(DatabaseError) -> [[UInt8]]? {
        let statement: Statement
        if part.length >= Self.trigram {
            statement = try connection.prepare("SELECT word FROM parts WHERE parts MATCH ?")
            try statement.bind([.text(IndexWord.expression(part.bytes))])
        } else {
            statement = try connection.prepare("SELECT word FROM words")
        }
        var words: [[UInt8]] = []
        while try statement.step() {
            let word = unsafe statement.withBytes(0) { unsafe Array($0) }
            guard part.isIn(word) else { continue }
            guard words.count < Self.mostWords else { return nil }
            words.append(word)
        }
        return words
    }

    /// The characters of what FTS5 calls a trigram.
    private static let trigram = 3

    // MARK: Looking at texts

    private func check(
        _ rows: Set<Int64>, _ wanted: [[UInt8]], _ look: () throws -> Void
    ) throws -> [Int64] {
        let statement = try connection.prepare("SELECT text FROM texts WHERE rowid = ?")
        var found: [Int64] = []
        for (number, row) in rows.sorted().enumerated() {
            if number % Self.lookInterval == 0 { try look() }
            try statement.bind([.integer(row)])
            guard try statement.step() else { continue }
            if unsafe statement.withBytes(0, { unsafe Self.contains($0, wanted) }) { found.append(row) }
        }
        return found
    }

    private func scan(_ wanted: [[UInt8]], _ look: () throws -> Void) throws -> [Int64] {
        let statement = try connection.prepare("SELECT rowid, text FROM texts")
        var found: [Int64] = []
        var number = 0
        while try statement.step() {
            if number % Self.lookInterval == 0 { try look() }
            number += 1
            guard unsafe statement.withBytes(1, { unsafe Self.contains($0, wanted) }),
                let row = statement.value(0).integer
            else { continue }
            found.append(row)
        }
        return found
    }

    private static let lookInterval = 4096

    private static func contains(_ text: UnsafeRawBufferPointer, _ wanted: [[UInt8]]) -> Bool {
        wanted.allSatisfy { unsafe ByteSearch.contains(text, $0) }
    }
}
