import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValisePages

/// Checks the HMAC of every page, and tells of each that fails what became of it and whose it is.
struct PageCheck {
    private let file: EncryptedDatabaseFile
    private let source: any ByteSource
    private let other: EncryptedDatabaseFile?

    /// More pages than these are not compared with each other.
    private static let mostCompared = 64

    /// - Parameters:
    ///   - source: the bytes of the file.
    ///   - other: the account's other database, from which pages may come.
    init(_ file: EncryptedDatabaseFile, _ source: any ByteSource, other: EncryptedDatabaseFile?) {
        self.file = file
        self.source = source
        self.other = other
    }

    /// - Parameter known: what the HMACs say, where they were checked before.
    func run(
        _ checked: inout CheckedDatabase, _ known: PageVerification?, _ progress: ProgressHandler
    ) throws {
        let activity = "checking the pages of the \(checked.database.rawValue) database"
        let verification =
            try known
            ?? file.verify { done in
                try progress(OperationProgress(activity, completed: done, total: source.size))
            }
        checked.note(verification)
        if file.settings.hmacAlgorithm != nil { checked.findings.checkedHMACs = verification.pageCount }
        try noteLength(verification, &checked.findings)
        guard !verification.damaged.isEmpty else { return }
        let listed = Array(verification.damaged.pages.prefix(DatabaseFindings.mostProblems))
        let owners = try owners(of: listed, verification.damaged)
        for page in listed { checked.findings.add(try problem(page, listed, owners[page])) }
        checked.findings.problemCount += verification.damaged.count - listed.count
    }

    private func owners(
        of listed: [UInt32], _ damaged: PageSet
    ) throws -> [UInt32: String] {
        // The schema begins on the first page.
        guard !damaged.contains(1) else { return [1: TreeRoots.schemaName] }
        let pages = try SoundPages(file, damaged: damaged)
        var search = PageOwners(pages, try TreeRoots(pages))
        return try search.names(of: listed)
    }

    /// The header says how many pages there should be.
    private func noteLength(_ verification: PageVerification, _ findings: inout DatabaseFindings) throws {
        let expected = verification.damaged.contains(1) ? nil : try expectedPages()
        if let expected, expected > verification.pageCount {
            var problem = DatabaseProblem(
                .cutOff,
                "the file is cut off: the database has \(Count.text(expected, "page")), the file only "
                    + "\(verification.pageCount)")
            problem.page = verification.pageCount + 1
            problem.offset = file.offset(of: verification.pageCount + 1)
            findings.add(problem)
        } else if verification.trailingBytes > 0 {
            var problem = DatabaseProblem(
                .cutOff,
                "\(Count.bytes(Int64(verification.trailingBytes))) after the last complete "
                    + "page: the file was cut off there, or "
                    + "data was appended")
            problem.page = verification.pageCount + 1
            problem.offset = file.offset(of: verification.pageCount + 1)
            findings.add(problem)
        }
    }

    /// SQLite's own count, where the header says that it is valid.
    private func expectedPages() throws -> UInt32? {
        let header = try unsafe file.reader().withPage(1) { _, page in unsafe DatabaseHeader(Array(page)) }
        return header.flatMap { $0.isPageCountCurrent ? $0.pageCount : nil }
    }

    // MARK: One page

    private func problem(_ page: UInt32, _ listed: [UInt32], _ owner: String?) throws -> DatabaseProblem {
        let (state, belongsTo) = try state(of: page, listed)
        let what =
            switch state {
            case .altered: "was changed, or belongs to another file"
            case .zeros: "contains only zeros"
            case .moved: "belongs in the place of page \(belongsTo ?? 0)"
            case .foreign: "belongs to the account's other database"
            }
        let place = owner.map { " (\($0))" } ?? ""
        var problem = DatabaseProblem(
            .page, "page \(page)\(place), at byte \(file.offset(of: page)), \(what)")
        problem.page = page
        problem.offset = file.offset(of: page)
        problem.state = state
        problem.belongsTo = belongsTo
        problem.table = owner
        return problem
    }

    private func state(
        of page: UInt32, _ listed: [UInt32]
    ) throws -> (DatabaseProblem.PageState, UInt32?) {
        let bytes = try bytes(of: page)
        if bytes.allSatisfy({ $0 == 0 }) { return (.zeros, nil) }
        if let other, other.settings == file.settings, try Self.holds(bytes, at: page, other) {
            return (.foreign, nil)
        }
        guard page > 1, listed.count <= Self.mostCompared else { return (.altered, nil) }
        let place = try listed.first { try $0 > 1 && $0 != page && Self.holds(bytes, at: $0, file) }
        return place.map { (.moved, $0) } ?? (.altered, nil)
    }

    private func bytes(of page: UInt32) throws -> [UInt8] {
        let bytes = try source.bytes(at: file.offset(of: page), upTo: file.settings.pageSize)
        guard bytes.count == file.settings.pageSize else {
            throw PageCipherError(
                .damaged, "the file shrank while being read", file: file.path.string)
        }
        return bytes
    }

    /// Whether a page's HMAC holds under the key of a file at a place in it.
    private static func holds(
        _ bytes: [UInt8], at place: UInt32, _ file: EncryptedDatabaseFile
    ) throws -> Bool {
        var copy = bytes
        let codec = try PageCodec(file.settings, file.key)
        return try unsafe copy.withUnsafeMutableBytes {
            try unsafe codec.open($0, first: place, decrypts: false) == [.intact]
        }
    }
}
