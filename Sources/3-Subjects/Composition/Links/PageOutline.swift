import ValiseFailures

/// What a page of the web says of itself in its head: its title, a description, a picture.
///
/// The head is scanned, and no tree is made of it: tags that are not closed, nested or broken otherwise cost nothing, and the time
/// is proportional to the length.
public struct PageOutline: Sendable, Equatable {
    /// Without white space at its ends; empty where the page has none.
    public let title: String
    /// Without white space at its ends; empty where the page has none.
    public let description: String
    /// The whole address of a picture; nil where the page names none.
    public let image: String?

    /// How many bytes of a page are looked at: heads are at the beginning.
    public static let mostBytes = 1 << 20
    /// How long titles and descriptions become, in characters.
    public static let mostCharacters = (title: 300, description: 500)

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - bytes: of the page, or of its beginning. Only ``mostBytes`` of them are read.
    ///   - address: where the page is, after all redirects.
    ///   - charset: what the server says; nil where it says nothing. UTF-8 is read, and else the one-byte alphabet of the
    ///     western languages.
    public init(html bytes: some Collection<UInt8>, at address: String, charset: String? = nil) {
        var scan = HeadScan(bytes.prefix(Self.mostBytes))
        scan.run()
        let isText = (charset ?? scan.charset).map { ["utf-8", "utf8"].contains($0.lowercased()) }
        func text(_ found: [UInt8]?, _ limit: Int) -> String {
            guard let found else { return "" }
            return HTMLText.decode(found, isUTF8: isText).shownLine(limit)
        }
        func first(_ names: String...) -> [UInt8]? {
            names.lazy.compactMap { scan.metas[$0] }.first { !$0.isEmpty }
        }
        title = text(first("og:title", "twitter:title") ?? scan.title, Self.mostCharacters.title)
        description = text(
            first("og:description", "twitter:description", "description"), Self.mostCharacters.description)
        let picture = first(
            "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src")
        image = picture.flatMap { WebPageAddress(address)?.resolve(text($0, WebPageAddress.longest)) }
    }

    /// Whether there is something to show.
    public var isEmpty: Bool { title.isEmpty && description.isEmpty && image == nil }
}

/// A walk through the tags of a head, forward only.
private struct HeadScan {
    private let bytes: [UInt8]
    private var place = 0
    private(set) var title: [UInt8]?
    /// By their names in small letters; the first one of each counts.
    private(set) var metas: [String: [UInt8]] = [:]
    private(set) var charset: String?

    init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    mutating func run() {
        while let open = next(UInt8(ascii: "<"), from: place) {
            place = open + 1
            if has(Self.comment.begin, at: place) {
                _ = skip(past: Self.comment.end, after: UInt8(ascii: "-"), at: 0)
            } else if let name = tagName() {
                switch name {
                case "title": title = title ?? content(of: name)
                case "meta": meta()
                case "script", "style", "noscript", "template": _ = content(of: name)
                case "body", "/head": return
                default: break
                }
            }
        }
    }

    private func next(_ byte: UInt8, from start: Int) -> Int? {
        start < bytes.count ? bytes[start...].firstIndex(of: byte) : nil
    }

    private func has(_ wanted: [UInt8], at start: Int) -> Bool {
        start + wanted.count <= bytes.count
            && bytes[start..<start + wanted.count].elementsEqual(wanted) { $0.lowercase == $1 }
    }

    private static let comment = (begin: Array("!--".utf8), end: Array("-->".utf8))

    /// Goes behind the next one of these; what is never closed goes to the end.
    ///
    /// - Returns: where it begins.
    private mutating func skip(past end: [UInt8], after first: UInt8, at offset: Int) -> Int {
        while let found = next(first, from: place) {
            if has(end, at: found + offset) {
                place = found + offset + end.count
                return found
            }
            place = found + 1
        }
        place = bytes.count
        return bytes.count
    }

    private mutating func tagName() -> String? {
        var end = place
        while end < bytes.count, end - place < 16,
            bytes[end].isOfTagName || end == place && bytes[end] == UInt8(ascii: "/")
        {
            end += 1
        }
        guard end > place else { return nil }
        let name = String(decoding: bytes[place..<end].map(\.lowercase), as: UTF8.self)
        place = end
        return name
    }

    /// The bytes up to the closing tag of that name.
    private mutating func content(of name: String) -> [UInt8] {
        guard let open = next(UInt8(ascii: ">"), from: place) else {
            place = bytes.count
            return []
        }
        place = open + 1
        let end = skip(past: Array("/\(name)".utf8), after: UInt8(ascii: "<"), at: 1)
        return end < bytes.count ? Array(bytes[(open + 1)..<end]) : []
    }

    private mutating func meta() {
        var attributes: [String: [UInt8]] = [:]
        while let (name, value) = attribute() {
            if attributes.count < 16, attributes[name] == nil { attributes[name] = value }
        }
        if charset == nil, let value = attributes["charset"] {
            charset = String(decoding: value, as: UTF8.self)
        }
        guard let name = attributes["property"] ?? attributes["name"], let content = attributes["content"]
        else { return }
        let key = String(decoding: name.map(\.lowercase), as: UTF8.self)
        if metas.count < 256, metas[key] == nil { metas[key] = content }
    }

    /// The next attribute of the tag; nil at its end.
    private mutating func attribute() -> (name: String, value: [UInt8])? {
        while place < bytes.count, bytes[place].isHTMLSpace || bytes[place] == UInt8(ascii: "/") {
            place += 1
        }
        guard place < bytes.count, bytes[place] != UInt8(ascii: ">"), bytes[place] != UInt8(ascii: "<") else {
            return nil
        }
        let start = place
        // A name may begin with a sign of equality.
        repeat { place += 1 } while place < bytes.count && !bytes[place].endsAttributeName
        let name = String(decoding: bytes[start..<place].prefix(64).map(\.lowercase), as: UTF8.self)
        var equals = place
        while equals < bytes.count, bytes[equals].isHTMLSpace { equals += 1 }
        guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else { return (name, []) }
        place = equals + 1
        while place < bytes.count, bytes[place].isHTMLSpace { place += 1 }
        return (name, value())
    }

    private mutating func value() -> [UInt8] {
        guard place < bytes.count else { return [] }
        let quote = bytes[place]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = place + 1
            let end = next(quote, from: start) ?? bytes.count
            place = min(end + 1, bytes.count)
            return Array(bytes[start..<end])
        }
        let start = place
        while place < bytes.count, !bytes[place].isHTMLSpace, bytes[place] != UInt8(ascii: ">") { place += 1 }
        return Array(bytes[start..<place])
    }
}

extension UInt8 {
    fileprivate var lowercase: UInt8 { (65...90).contains(self) ? self + 32 : self }
    fileprivate var isHTMLSpace: Bool { self == 32 || self == 9 || self == 10 || self == 12 || self == 13 }
    fileprivate var isOfTagName: Bool { (97...122).contains(lowercase) || (48...57).contains(self) }
    fileprivate var endsAttributeName: Bool {
        isHTMLSpace || self == UInt8(ascii: "=") || self == UInt8(ascii: ">") || self == UInt8(ascii: "/")
    }
}

extension String {
    /// On one line, without what cannot be seen, and cut at so many characters.
    fileprivate func shownLine(_ limit: Int) -> String {
        var line = ""
        var count = 0
        var hasSpace = false
        for character in self where count < limit {
            if character.isWhitespace || character.unicodeScalars.allSatisfy(\.isControl) {
                hasSpace = count > 0
                continue
            }
            if hasSpace {
                guard count + 1 < limit else { break }
                line.append(" ")
                count += 1
            }
            hasSpace = false
            line.append(character)
            count += 1
        }
        return line
    }
}
