import Valise
import ValiseEncoding
import ValiseTerminal

/// The result of a verification for a user: a line for each check, then a verdict, then a hint.
struct ArchiveVerifyText {
    let report: ArchiveVerificationReport
    private static let mostLines = 20

    /// Everything.
    var text: String {
        report.isNoArchive
            ? problems : joined([heading] + checks.flatMap(\.lines) + Self.unverified(report) + conclusion)
    }

    /// Only problems and what was not verified; empty for an intact archive.
    var problems: String {
        guard report.verdict != .intact else { return "" }
        if report.isNoArchive {
            return joined(
                ["\(report.archive): not an archive that can be read"]
                    + RemedyCommand.notes([.useKnownArchive]))
        }
        let failed = checks.filter { $0.state == .failed }
        let unverified = report.verdict == .unverified ? Self.unverified(report) : []
        return joined([heading] + failed.flatMap(\.lines) + unverified + conclusion)
    }

    private func joined(_ lines: [String]) -> String {
        lines.map(\.withoutControls).joined(separator: "\n")
    }

    private var conclusion: [String] { [Self.verdict(report)] + next.map { Hint.mark + $0 } }

    private var heading: String {
        "\(report.archive)  (\(Count.bytes(report.size)), modified \(report.modified))"
    }

    // MARK: Lines

    /// One check and its result.
    private struct Check {
        enum State: String {
            case passed = "ok"
            case failed = "BAD"
            case noted = "note"
        }

        let state: State
        let name: String
        let text: String
        let details: [String]

        init(_ state: State, _ name: String, _ text: String, _ details: [String] = []) {
            (self.state, self.name, self.text, self.details) = (state, name, text, details)
        }

        var lines: [String] {
            ["  \(state.rawValue.padded(to: 6))\(name.padded(to: 12))\(text)"]
                + details.map { "\("".padded(to: 20))\($0)" }
        }
    }

    private var checks: [Check] {
        var list = [structure]
        if let contents = report.contents { list.append(check(contents)) }
        list += hidden + flagDifferences + foreign
        list += report.missing.map { Check(.failed, $0.rawValue, "\($0.archiveName) is missing") }
        list += report.databases.map(check)
        if isHalfEncrypted {
            list.append(
                Check(
                    .failed, "both",
                    "only one database is encrypted; no app can open both with one passphrase"))
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
        FirstLines.of(lines, of: count, indent: "") { $0 }
    }

    private static func line(_ problem: EntryProblem) -> String {
        (problem.entry.map { "\($0): " } ?? "") + problem.message.text
    }

    // MARK: The zip file

    private var structure: Check {
        if let refusal = report.structure.refusal {
            return Check(.failed, "structure", Self.line(refusal))
        }
        return Check(
            .passed, "structure",
            "\(Count.text(report.structure.entries, "entry")), names, headers and sizes consistent")
    }

    private func check(_ contents: ContentsFindings) -> Check {
        guard contents.problemCount > 0 else {
            guard Self.hasChecksums(report) else {
                return Check(
                    .noted, "contents",
                    "\(Count.text(contents.files, "file")) read, \(Count.bytes(contents.bytes)); "
                        + "this kind of archive has no checksums")
            }
            return Check(
                .passed, "checksums",
                "\(Count.text(contents.files, "file")) valid, \(Count.bytes(contents.bytes))")
        }
        return Check(
            .failed, "checksums", "\(Count.text(contents.problemCount, "entry")) damaged",
            listed(contents.problems.map(Self.line), of: contents.problemCount))
    }

    private var hidden: [Check] {
        let count = report.structure.hiddenCount
        guard count > 0 else { return [] }
        return [
            Check(
                .failed, "hidden",
                "the zip has data that its directory does not list; an import refuses it without "
                    + "--allow-hidden-entries", listed(report.structure.hidden.map(\.sentence), of: count))
        ]
    }

    private var flagDifferences: [Check] {
        let count = report.structure.flagDifferenceCount
        guard count > 0 else { return [] }
        return [
            Check(
                .noted, "flags",
                "the two headers of \(Count.text(count, "entry")) have different flags; harmless",
                listed(report.structure.flagDifferences, of: count))
        ]
    }

    private var foreign: [Check] {
        let count = report.structure.foreignCount
        guard count > 0 else { return [] }
        return [
            Check(
                .noted, "others", "\(Count.text(count, "file")) outside the account, skipped by an import",
                listed(report.structure.foreign, of: count))
        ]
    }

    // MARK: Databases

    private func check(_ database: AccountDatabase, _ findings: DatabaseFindings) -> Check {
        let name = database.rawValue
        let size = Count.bytes(findings.size)
        switch findings.key {
        case .notGiven:
            return Check(.noted, name, "\(size), encrypted or damaged; no passphrase given")
        case .wrong where findings.problemCount == 0:
            return Check(.failed, name, "wrong passphrase")
        default: break
        }
        guard findings.isIntact else {
            return Check(
                .failed, name, "damaged, \(Count.text(findings.problemCount, "problem"))",
                listed(findings.problems.map(\.message), of: findings.problemCount))
        }
        var parts = [size, findings.form == .unencrypted ? "not encrypted" : encryption(findings)]
        let pages = Int(findings.checkedHMACs)
        if pages > 0 { parts.append("\(Count.text(pages, "page")) intact") }
        if findings.isWalked { parts.append("tables, indexes and references consistent") }
        return Check(.passed, name, parts.joined(separator: ", "))
    }

    private func encryption(_ findings: DatabaseFindings) -> String {
        findings.cipherFormat == 4
            ? "encrypted"
            : findings.cipherFormat.map { "encrypted in format \($0)" }
                ?? "encrypted with custom settings"
    }

    private func check(_ agreement: DatabaseAgreement) -> [Check] {
        guard agreement.isIntact else {
            return [
                Check(.failed, "both", "the databases do not belong together: \(agreement.contradiction)")
            ]
        }
        guard agreement.connectionsWithoutAgent > 0 else { return [] }
        return [
            Check(
                .noted, "both",
                "\(Count.text(Int(agreement.connectionsWithoutAgent), "connection")) missing from the "
                    + "agent database; the contacts cannot be reached")
        ]
    }

    private func check(_ database: AccountDatabase, _ schema: SchemaStatus) -> Check {
        let name = "schema"
        let count = Count.text(schema.applied, "migration")
        let whose = "\(database.rawValue): \(schema.origin == .official ? "official" : "Valise's")"
        if schema.isNewer {
            return Check(
                .failed, name, "\(whose), made by a newer program",
                listed(schema.unknown, of: schema.unknown.count))
        }
        switch schema.origin {
        case .otherDatabase:
            return Check(
                .failed, name,
                "\(database.rawValue): schema of the other database; the file has the wrong name")
        case .none, .unknown:
            return Check(.failed, name, "\(database.rawValue): unknown, \(count)")
        case .official:
            return Check(.passed, name, "\(whose), \(count), newest \(schema.newest ?? "")")
        case .valise:
            let pending = schema.pending.isEmpty ? "up to date" : "\(schema.pending.count) pending"
            guard let drift = schema.drift, !drift.isClean else {
                return Check(.passed, name, "\(whose), \(count), \(pending)")
            }
            return Check(.noted, name, "\(whose), \(count); differs from its migrations")
        }
    }

    private func check(_ users: [ArchivedUser]) -> Check {
        let hidden = users.count { $0.name == nil }
        var names = users.compactMap(\.name).prefix(Self.mostLines).map { "'\($0)'" }
        if hidden > 0 { names.append("\(hidden) hidden") }
        return Check(
            .passed, "users", users.isEmpty ? "none" : "\(users.count): \(names.joined(separator: ", "))")
    }

    // MARK: Media

    private func check(_ media: MediaAuditReport) -> [Check] {
        var list: [Check] = []
        let intact = media.count(.ok)
        let summary =
            "\(intact) of \(Count.text(media.references, "file")) \(Count.verb(intact, "match")) the messages; "
            + "\(Count.text(media.verified.count, "tag")) valid"
        let count = report.mediaProblemCount
        if count == 0 {
            list.append(Check(.passed, "media", summary))
        } else {
            let missing = media.count(.missing)
            var text = summary
            if missing > 0 { text += "; \(missing) missing from the archive" }
            if count > missing { text += "; \(count - missing) damaged or inconsistent" }
            let shown = media.problems.filter { $0.verdict != .unreferenced && $0.verdict != .elsewhere }
            list.append(
                Check(.failed, "media", text, listed(shown.map { "\($0.path): \($0.message)" }, of: count)))
        }
        if let unreferenced = media.counts[.unreferenced], unreferenced.count > 0 {
            list.append(
                Check(
                    .noted, "media",
                    "\(Count.text(unreferenced.count, "unreferenced file")), "
                        + "\(Count.bytes(unreferenced.bytes)); harmless"))
        }
        if media.count(.elsewhere) > 0 {
            list.append(
                Check(
                    .noted, "media",
                    "\(Count.text(media.count(.elsewhere), "file")) outside the account, not archived"))
        }
        return list
    }
}
