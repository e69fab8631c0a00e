import Valise
import ValiseEncoding

/// The result of an audit, for the user.
struct MediaAuditText {
    let report: MediaAuditReport

    var text: String {
        var lines = [heading]
        lines += FirstLines.of(report.problems, of: report.problemCount) { "\($0.path): \($0.message)" }
        lines += Self.words.compactMap(count)
        lines.append(conclusion)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private var heading: String {
        var text = "\(report.count(.ok)) of \(Count.text(report.references, "file")) OK"
        if report.verified.count > 0 {
            text +=
                "; \(Count.text(report.verified.count, "tag")) valid, "
                + Count.bytes(report.verified.bytes)
        }
        return text
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
        return "\(tally.count) \(words), \(Count.bytes(tally.bytes))"
    }

    private var conclusion: String {
        if report.hasDamage { return "some files are damaged, or have the wrong key or size" }
        return report.isClean
            ? "the media are intact" : "nothing is damaged; some media are missing or have other problems"
    }
}
