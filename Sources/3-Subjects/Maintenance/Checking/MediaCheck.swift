import ValiseAccounts
import ValiseDatabase
import ValiseMedia

/// Compares the rows of the table `files` with the files, by their sizes (Documentation/formats/account.md).
struct MediaCheck {
    private let store: any MediaStore
    private static let mostListed = 1000

    init(_ store: any MediaStore) {
        self.store = store
    }

    /// - Returns: nil where there is no such table.
    func run(_ connection: borrowing Connection) throws -> MediaFindings? {
        guard let table = try MediaTable(connection) else { return nil }
        var findings = MediaFindings()
        var names: Set<NameDigest> = []
        // Of rows that are not as their schema says, the check of the tables tells.
        try table.forEach(connection, damaged: { _ in }) { reference in
            let place = try store.find(reference.filePath)
            guard let name = place.name else {
                findings.elsewhere += 1
                return
            }
            let isNew = names.insert(NameDigest(name)).inserted
            guard isNew, reference.shouldBeHere else { return }
            compare(reference, place, &findings)
        }
        try noteUnreferenced(names, &findings)
        return findings
    }

    private func compare(
        _ reference: MediaReference, _ place: MediaPlace, _ findings: inout MediaFindings
    ) {
        findings.referenced += 1
        // What is no regular file counts as missing.
        let size: Int64? = if case .file(_, let size) = place { size } else { nil }
        if size == reference.expectedSize {
            findings.intactCount += 1
            return
        }
        if size == nil { findings.missingCount += 1 } else { findings.differingCount += 1 }
        guard findings.problems.count < Self.mostListed else { return }
        findings.problems.append(
            .init(name: reference.filePath, expectedSize: reference.expectedSize, size: size))
    }

    private func noteUnreferenced(_ names: Set<NameDigest>, _ findings: inout MediaFindings) throws {
        try store.forEach { name, size in
            guard !names.contains(NameDigest(name)) else { return }
            findings.unreferencedCount += 1
            findings.unreferencedSize += size
            if findings.unreferenced.count < Self.mostListed { findings.unreferenced.append(name) }
        }
        findings.unreferenced.sort()
    }
}
