import ValiseFailures

/// The templates of pages, each of which somebody can replace with one of their own.
package struct PageTemplates: Sendable {
    /// The names of the files that can be replaced.
    package static let names = defaults.keys.sorted()

    private static let defaults: [String: [UInt8]] = [
        "page.mustache": PackageResources.page_mustache,
        "conversation.mustache": PackageResources.conversation_mustache,
        "index.mustache": PackageResources.index_mustache,
        "results.mustache": PackageResources.results_mustache,
        "search.mustache": PackageResources.search_mustache,
        "head.mustache": PackageResources.head_mustache,
        "style.css": PackageResources.style_css,
        "page.js": PackageResources.page_js,
        "search.js": PackageResources.search_js,
    ]

    private let templates: [String: PageTemplate]
    /// The files that pages refer to, by their names.
    let files: [(name: String, bytes: [UInt8])]

    /// - Parameter own: files that replace those of the library, by their names.
    /// - Throws: ``HTMLExportError`` for a name that there is not, and for what is no template.
    package init(own: [String: [UInt8]] = [:]) throws(HTMLExportError) {
        for name in own.keys.sorted() where Self.defaults[name] == nil {
            throw HTMLExportError(
                .invalid, "no template has this name; there are \(Self.names.joined(separator: ", "))",
                subject: name)
        }
        var templates: [String: PageTemplate] = [:]
        var files: [(name: String, bytes: [UInt8])] = []
        for (name, bytes) in Self.defaults.merging(own, uniquingKeysWith: { $1 }).sorted(by: {
            $0.key < $1.key
        }) {
            guard name.hasSuffix(".mustache") else {
                files.append((name, bytes))
                continue
            }
            templates[String(name.dropLast(".mustache".count))] = try Self.template(name, bytes)
        }
        self.templates = templates
        self.files = files
    }

    private static func template(_ name: String, _ bytes: [UInt8]) throws(HTMLExportError) -> PageTemplate {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HTMLExportError(.damaged, "the template is not UTF-8", subject: name)
        }
        do {
            return try PageTemplate(text)
        } catch {
            throw HTMLExportError(.damaged, error.message, subject: name)
        }
    }

    /// A page.
    /// - Parameters:
    ///   - values: what the template can name. Texts in them are escaped by the template, and made visible here.
    ///   - content: the HTML that the template names `content`.
    /// - Throws: ``HTMLExportError`` where the template does not name it.
    func page(_ name: String, _ values: [String: Any], content: [UInt8] = []) throws(HTMLExportError)
        -> [UInt8]
    {
        // The content is put in afterwards: megabytes are not copied from text to text.
        let place = "\u{1}content\u{1}"
        var values = values
        values["content"] = place
        let frame = Array((templates[name]?.render(values, partials: templates) ?? "").utf8)
        guard !content.isEmpty else { return Self.removing(Array(place.utf8), from: frame) }
        guard let start = Self.place(of: Array(place.utf8), in: frame) else {
            throw HTMLExportError(
                .invalid, "the template does not contain {{{content}}}", subject: "\(name).mustache")
        }
        return frame[..<start] + content + frame[(start + place.utf8.count)...]
    }

    private static func place(of wanted: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= wanted.count else { return nil }
        return (0...(bytes.count - wanted.count)).first {
            bytes[$0] == 1 && bytes[$0...].starts(with: wanted)
        }
    }

    private static func removing(_ wanted: [UInt8], from bytes: [UInt8]) -> [UInt8] {
        guard let start = place(of: wanted, in: bytes) else { return bytes }
        return Array(bytes[..<start] + bytes[(start + wanted.count)...])
    }
}
