import Valise
import ValiseEncoding

/// The result of an audit, for the user.
struct MediaAuditText {
    private let report: MediaAuditReport
    private static let mostLines = 20

    init(_ report: MediaAuditReport) {
        self.report = report
    }

    var text: String {
        var lines = [heading]
        let listed = report.problems.prefix(Self.mostLines)
        lines += listed.map { "  \($0.path): \($0.message)" }
        if report.problemCount > listed.count {
            lines.append("  and \(report.problemCount - listed.count) more; \(rest)")
        }
        lines += Self.words.compactMap(count)
        lines.append(conclusion)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private var heading: String {
        var text = "\(report.count(.ok)) of \(Count.text(report.references, "file")) OK"
        if report.verified.count > 0 {
            text +=
                "; \(Count.text(report.verified.count, "tag")) valid, "
                + ByteCount.text(report.verified.bytes)
        }
        return text
    }

    private var rest: String {
        report.leftOut == 0 ? "--json lists them" : "--json lists the first \(report.problems.count)"
    }

    private static let words: [(MediaVerdict, String)] = [
        (.damaged, "damaged"), (.wrongKey, "with a wrong key"), (.wrongSize, "of the wrong size"),
        (.encryptedWithoutKey, "encrypted without a key"), (.unencryptedWithKey, "unencrypted, with a key"),
        (.brokenKey, "with an incomplete key"), (.missing, "missing"), (.unreferenced, "unreferenced"),
        (.nameCollision, "with an ambiguous name"), (.elsewhere, "outside the account"), (.link, "links"),
        (.notAFile, "not regular files"), (.impossibleName, "with invalid names"),
        (.unreadable, "unreadable"),
    ]

    private func count(_ verdict: MediaVerdict, _ words: String) -> String? {
        guard let tally = report.counts[verdict], tally.count > 0 else { return nil }
        return "\(tally.count) \(words), \(ByteCount.text(tally.bytes))"
    }

    private var conclusion: String {
        if report.hasDamage { return "some files are damaged, or have the wrong key or size" }
        return report.isClean
            ? "the media are intact" : "nothing is damaged; some media are missing or have other problems"
    }
}
