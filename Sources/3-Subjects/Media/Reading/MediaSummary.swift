package import ValiseAccounts
import ValiseDatabase

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
    /// How many rows are damaged: nobody knows of which files they are, and no other number has them. Nil for none.
    package let damagedRows: Int?

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
    /// - Parameters:
    ///   - rows: which files they are.
    ///   - store: where they should be.
    /// - Throws: `FileError`.
    package init(_ rows: MediaRows, _ store: any MediaStore) throws {
        damagedRows = rows.damaged > 0 ? rows.damaged : nil
        var seen: Set<NameDigest> = []
        for file in rows.files {
            let place = try store.find(file.path)
            guard seen.insert(NameDigest(place.name ?? file.path)).inserted else { continue }
            add(file, place)
        }
    }

    private mutating func add(_ file: MediaRows.File, _ place: MediaPlace) {
        switch place {
        case .file(_, let size) where size != file.size: differing.add(size)
        case .file(_, let size): if file.isEncrypted { encrypted.add(size) } else { plain.add(size) }
        case .elsewhere: elsewhere.add(file.size)
        case .missing, .link, .notAFile, .impossibleName: missing.add(file.size)
        }
    }
}
