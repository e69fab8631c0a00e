import Valise
import ValiseEncoding

/// What a verification found, for the user.
struct BackupVerifyText {
    let report: VerifiedRepository

    private static let mostExamples = 3

    var text: String {
        let errors = report.errors
        let remarks = report.findings.filter { !$0.isError }
        let count = errors.count + (errors.isEmpty ? 0 : report.omitted)
        var lines = FirstLines.of(errors, of: count, indent: "") { "error: \(text($0))" }
        lines += FirstLines.of(remarks, of: remarks.count, indent: "") { "note: \(text($0))" }
        lines += FirstLines.of(report.losses, of: report.losses.count, indent: "", text: text)
        lines.append(work)
        lines.append(report.isIntact ? "the repository is intact" : "the repository is damaged")
        lines += hints.map(\.note)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func text(_ finding: VerifiedRepository.Finding) -> String {
        finding.file.map { "\($0): \(finding.message)" } ?? finding.message
    }

    private func text(_ loss: VerifiedRepository.Loss) -> String {
        let examples = loss.examples.prefix(Self.mostExamples).joined(separator: ", ")
        let more = loss.entries > Self.mostExamples ? ", …" : ""
        let names = examples.isEmpty ? "" : ": \(examples)\(more)"
        return "snapshot \(loss.snapshot.prefix(8)) lacks \(Count.text(loss.entries, "entry"))\(names)"
    }

    private var work: String {
        let all =
            "\(Count.text(report.snapshots, "snapshot")), \(Count.text(report.packs, "pack")), "
            + Count.bytes(report.storedBytes)
        guard let extent = report.extent else {
            return all + (report.isReadToday ? "; the data of today was read before" : "; no data read")
        }
        return "\(all); read \(extent): \(Count.text(report.readPacks, "pack")), "
            + "\(Count.bytes(report.readBytes))"
    }

    private var hints: [Hint] {
        guard !report.isIntact else { return [] }
        var hints: [Hint] = []
        if report.isIndexWrong { hints.append(Hint("correct the index", command: "backup repair index", "")) }
        if report.hasDamagedPacks {
            hints.append(Hint("save what is intact in damaged packs", command: "backup repair packs", ""))
        }
        if !report.losses.isEmpty {
            hints.append(.backUpAgain)
            hints.append(
                Hint(
                    "write snapshots anew without what is still lost then",
                    command: "backup repair snapshots", ""))
        }
        return hints
    }
}

extension Hint {
    /// After damage.
    static let backUpAgain = Hint("store again what the accounts still have", command: "backup run", "")
}
