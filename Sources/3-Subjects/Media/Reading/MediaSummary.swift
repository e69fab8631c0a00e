package import ValiseAccounts
package import ValiseDatabase

/// How much of an account's media is encrypted, unencrypted, missing: by sizes alone, so that it is told at once.
package struct MediaSummary: Sendable, Equatable, Codable {
    /// How many, and how large.
    package typealias Tally = MediaAuditReport.Tally

    /// Plain files of the right size.
    package private(set) var plain = Tally()
    /// Encrypted files of the right size. Whether their tags hold, only an audit tells.
    package private(set) var encrypted = Tally()
    /// Files that should be here and are not; their size as it should be.
    package private(set) var missing = Tally()
    /// Files of another size than the database says.
    package private(set) var differing = Tally()
    /// Files that lie outside of the account; their size as the database says.
    package private(set) var elsewhere = Tally()

    /// How many files are here, and how large they are.
    package var here: Tally {
        var sum = Tally()
        for part in [plain, encrypted, differing] {
            sum.count += part.count
            sum.bytes = sum.bytes.addingCapped(part.bytes)
        }
        return sum
    }

    /// Looks at each file that should be here. One that several rows name counts once.
    ///
    /// - Returns: nil where the database has no table of files.
    /// - Throws: `DatabaseError`; `FileError`.
    package init?(_ connection: borrowing Connection, _ store: any MediaStore) throws {
        guard let table = try MediaTable(connection) else { return nil }
        var seen: Set<NameDigest> = []
        // Of rows that are not as their schema says, a check and an audit tell.
        try table.forEach(connection, damaged: { _ in }) { reference in
            guard reference.shouldBeHere else { return }
            let place = try store.find(reference.filePath)
            guard seen.insert(NameDigest(place.name ?? reference.filePath)).inserted else { return }
            add(reference, place)
        }
    }

    private mutating func add(_ reference: MediaReference, _ place: MediaPlace) {
        switch place {
        case .file(_, let size) where size != reference.expectedSize: differing.add(size)
        case .file(_, let size):
            if reference.keys == .complete { encrypted.add(size) } else { plain.add(size) }
        case .elsewhere: elsewhere.add(reference.expectedSize)
        case .missing, .link, .notAFile, .impossibleName: missing.add(reference.expectedSize)
        }
    }
}
