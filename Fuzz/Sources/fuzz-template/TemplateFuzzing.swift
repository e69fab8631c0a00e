import Fuzzing

@testable import ValiseChatLog

/// Templates of pages: a template, and behind a NUL the partial `head`.
enum TemplateFuzzing {
    /// A mark of HTML that stands behind a control, which no template of ours has: so it is known whose it is.
    private static let mark = "\u{2}<"

    // Lists have one element: templates that repeat what they repeat are slow, which is their authors' choice.
    private static var values: [String: Any] {
        [
            "name": "\(mark)script>\(mark)/script>", "count": "3", "empty": "", "yes": true, "no": false,
            "list": [["name": "\(mark)b>", "number": "1"] as [String: Any]], "texts": ["\(mark)i>"],
            "none": [String](), "object": ["name": "\(mark)u>"] as [String: Any], "": "\(mark)",
        ]
    }

    static func run(_ bytes: [UInt8]) {
        let texts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            .compactMap { String(validating: $0, as: UTF8.self) }
        guard let text = texts.first, let template = try? PageTemplate(text) else { return }
        let partial = texts.count > 1 ? try? PageTemplate(texts[1]) : nil
        let partials = partial.map { ["head": $0, "page": template] } ?? ["page": template]
        let page = template.render(values, partials: partials)
        FuzzRun.require(
            page.utf8.elementsEqual(template.render(values, partials: partials).utf8),
            "a page is the same again")
        if !text.contains("{{") {
            FuzzRun.require(page.utf8.elementsEqual(text.utf8), "a template without tags is the page")
        }
        guard !texts.contains(where: isRaw) else { return }
        FuzzRun.require(
            !contains(Array(mark.utf8), in: Array(page.utf8)),
            "values are escaped where nothing else is asked for")
    }

    /// Whether the template asks for values as they are, or has the mark itself.
    private static func isRaw(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return ["{{{", "{{&", "\u{2}"].contains { contains(Array($0.utf8), in: bytes) }
    }

    private static func contains(_ wanted: [UInt8], in bytes: [UInt8]) -> Bool {
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
    }
}
