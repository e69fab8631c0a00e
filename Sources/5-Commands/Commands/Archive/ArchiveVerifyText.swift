import Valise

/// What a verification found, for a user: a line for each check, then a verdict, then what to do.
struct ArchiveVerifyText {
    private let report: ArchiveVerificationReport
    private static let mostLines = 20

    init(_ report: ArchiveVerificationReport) {
        self.report = report
    }

    /// Everything.
    var text: String {
        joined([heading] + checks.flatMap(\.lines) + Self.unproved(report.notProved) + conclusion)
    }

    /// Only what is wrong or not proved; empty for a good archive.
    var problems: String {
        guard report.verdict != .good else { return "" }
        let failed = checks.filter { $0.state == .failed }
        let unproved = report.verdict == .unproved ? Self.unproved(report.notProved) : []
        return joined([heading] + failed.flatMap(\.lines) + unproved + conclusion)
    }

    private func joined(_ lines: [String]) -> String {
        lines.map(\.withoutControls).joined(separator: "\n")
    }

    private var conclusion: [String] { [Self.verdict(report)] + (Self.next(report).map { [$0] } ?? []) }

    private var heading: String {
        "\(report.archive)  (\(ByteCount.text(report.size)), modified \(report.modified))"
    }

    // MARK: Lines

    /// One check, with what is to be said of it.
    private struct Check {
        enum State: String {
            case passed = "ok"
            case failed = "BAD"
            case noted = "note"
        }

        let state: State
        let name: String
        let text: String
        var details: [String] = []

        var lines: [String] {
            ["  \(pad(state.rawValue, 6))\(pad(name, 12))\(text)"] + details.map { "\(pad("", 20))\($0)" }
        }

        private func pad(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
    }

    private var checks: [Check] {
        var list = [structure]
        if let contents = report.contents { list.append(check(contents)) }
        list += hidden + flagDifferences + foreign
        list += report.missing.map {
            Check(state: .failed, name: $0.rawValue, text: "\($0.archiveName) is missing")
        }
        list += report.databases.map(check)
        if isHalfEncrypted {
            list.append(
                Check(
                    state: .failed, name: "both",
                    text:
                        "one database is encrypted and the other is not: no app opens the two with one passphrase"
                ))
        }
        if let agreement = report.agreement { list += check(agreement) }
        list += report.schemas.map(check)
        if let users = report.users { list.append(check(users)) }
        if let media = report.media { list += check(media) }
        return list
    }

    private var isHalfEncrypted: Bool {
        Set(report.databases.map(\.1.form)) == [.encrypted, .unencrypted]
    }

    private func listed(_ lines: some Collection<String>, of count: Int) -> [String] {
        var shown = Array(lines.prefix(Self.mostLines))
        if count > shown.count {
            shown.append(Count.more(count - shown.count, listed: lines.count, of: count))
        }
        return shown
    }

    private static func line(_ problem: EntryProblem) -> String {
        (problem.entry.map { "\($0): " } ?? "") + problem.message.text
    }

    // MARK: The zip file

    private var structure: Check {
        if let refusal = report.structure.refusal {
            return Check(state: .failed, name: "structure", text: Self.line(refusal))
        }
        return Check(
            state: .passed, name: "structure",
            text: "\(entries(report.structure.entries)), names, headers and sizes agree")
    }

    private func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

    private func check(_ contents: ContentsFindings) -> Check {
        guard contents.problemCount > 0 else {
            return Check(
                state: .passed, name: "checksums",
                text: "of \(Count.text(contents.files, "file")) hold, \(ByteCount.text(contents.bytes))")
        }
        return Check(
            state: .failed, name: "checksums", text: "\(entries(contents.problemCount)) damaged",
            details: listed(contents.problems.map(Self.line), of: contents.problemCount))
    }

    private var hidden: [Check] {
        let count = report.structure.hiddenCount
        guard count > 0 else { return [] }
        return [
            Check(
                state: .failed, name: "hidden",
                text: "the bytes hold more than the directory names; an import refuses that without "
                    + "--allow-hidden-entries",
                details: listed(report.structure.hidden.map(\.sentence), of: count))
        ]
    }

    private var flagDifferences: [Check] {
        let count = report.structure.flagDifferenceCount
        guard count > 0 else { return [] }
        return [
            Check(
                state: .noted, name: "flags",
                text: "the two headers of \(entries(count)) have different flags, which changes nothing",
                details: listed(report.structure.flagDifferences, of: count))
        ]
    }

    private var foreign: [Check] {
        let count = report.structure.foreignCount
        guard count > 0 else { return [] }
        return [
            Check(
                state: .noted, name: "others",
                text: count == 1
                    ? "1 file is no part of an account; an import leaves it out"
                    : "\(count) files are no part of an account; an import leaves them out",
                details: listed(report.structure.foreign, of: count))
        ]
    }

    // MARK: Databases

    private func check(_ database: AccountDatabase, _ findings: DatabaseFindings) -> Check {
        let name = database.rawValue
        let size = ByteCount.text(findings.size)
        switch findings.key {
        case .notGiven:
            return Check(
                state: .noted, name: name, text: "\(size), encrypted or damaged; only the passphrase can tell"
            )
        case .wrong where findings.problemCount == 0:
            return Check(state: .failed, name: name, text: "the passphrase does not open it")
        default: break
        }
        guard findings.isWhole else {
            return Check(
                state: .failed, name: name, text: "damaged, \(Count.text(findings.problemCount, "problem"))",
                details: listed(findings.problems.map(\.message), of: findings.problemCount))
        }
        var parts = [size, findings.form == .unencrypted ? "not encrypted" : encryption(findings)]
        if findings.checkedHMACs > 0 { parts.append("\(findings.checkedHMACs) pages hold") }
        if findings.isWalked { parts.append("tables, indexes and references agree") }
        return Check(state: .passed, name: name, text: parts.joined(separator: ", "))
    }

    private func encryption(_ findings: DatabaseFindings) -> String {
        findings.cipherFormat == 4
            ? "encrypted"
            : findings.cipherFormat.map { "encrypted in format \($0)" }
                ?? "encrypted with settings of its own"
    }

    private func check(_ agreement: DatabaseAgreement) -> [Check] {
        guard agreement.isGood else {
            return [
                Check(
                    state: .failed, name: "both",
                    text: "the databases do not belong together: \(agreement.contradiction)")
            ]
        }
        guard agreement.connectionsWithoutAgent > 0 else { return [] }
        return [
            Check(
                state: .noted, name: "both",
                text: "\(agreement.connectionsWithoutAgent) connections of the chat database are not in the "
                    + "agent database; their contacts cannot be reached")
        ]
    }

    private func check(_ database: AccountDatabase, _ schema: SchemaStatus) -> Check {
        let name = "schema"
        let count = Count.text(schema.applied, "migration")
        let whose = "\(database.rawValue): \(schema.origin == .official ? "official" : "Valise's")"
        if schema.isNewer {
            return Check(
                state: .failed, name: name, text: "\(whose), made by a newer program",
                details: listed(schema.unknown, of: schema.unknown.count))
        }
        switch schema.origin {
        case .otherDatabase:
            return Check(
                state: .failed, name: name,
                text:
                    "\(database.rawValue): that of the account's other database, which stands here under a wrong "
                    + "name")
        case .none, .unknown:
            return Check(
                state: .failed, name: name,
                text: "\(database.rawValue): nobody's that this program knows, \(count)")
        case .official:
            return Check(
                state: .passed, name: name, text: "\(whose), \(count), newest \(schema.newest ?? "")")
        case .valise:
            let pending = schema.pending.isEmpty ? "up to date" : "\(schema.pending.count) to run"
            guard let drift = schema.drift, !drift.isClean else {
                return Check(state: .passed, name: name, text: "\(whose), \(count), \(pending)")
            }
            return Check(
                state: .noted, name: name, text: "\(whose), \(count); it is not what its migrations say")
        }
    }

    private func check(_ users: [ArchivedUser]) -> Check {
        let hidden = users.count { $0.name == nil }
        var names = users.compactMap(\.name).prefix(Self.mostLines).map { "'\($0)'" }
        if hidden > 0 { names.append("\(hidden) hidden") }
        return Check(
            state: .passed, name: "users",
            text: users.isEmpty ? "none" : "\(users.count): \(names.joined(separator: ", "))")
    }

    // MARK: Media

    private func check(_ media: MediaAuditReport) -> [Check] {
        var list: [Check] = []
        let summary =
            "\(media.count(.ok)) of \(Count.text(media.references, "file")) are as the messages say; "
            + "\(Count.text(media.verified.count, "tag")) hold"
        let count = report.mediaProblemCount
        if count == 0 {
            list.append(Check(state: .passed, name: "media", text: summary))
        } else {
            let missing = media.count(.missing)
            var text = summary
            if missing > 0 { text += "; \(missing) not in the archive" }
            if count > missing { text += "; \(count - missing) damaged or not in order" }
            let shown = media.problems.filter { $0.verdict != .unreferenced && $0.verdict != .elsewhere }
            list.append(
                Check(
                    state: .failed, name: "media", text: text,
                    details: listed(shown.map { "\($0.path): \($0.message)" }, of: count)))
        }
        if let unreferenced = media.counts[.unreferenced], unreferenced.count > 0 {
            list.append(
                Check(
                    state: .noted, name: "media",
                    text: "\(Count.text(unreferenced.count, "file")) in no message, "
                        + "\(ByteCount.text(unreferenced.bytes)); they harm nothing"))
        }
        if media.count(.elsewhere) > 0 {
            list.append(
                Check(
                    state: .noted, name: "media",
                    text:
                        "\(Count.text(media.count(.elsewhere), "file")) lay outside of the account, and are "
                        + "in no archive"))
        }
        return list
    }
}
