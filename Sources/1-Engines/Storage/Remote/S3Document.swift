/// What answers of S3 say in XML.
enum S3Document {
    /// One page of a list (`ListObjectsV2`).
    struct Page: Equatable {
        struct File: Equatable {
            var key = ""
            /// Nil where none was given, or no number.
            var size: Int64?
            /// Its ETag, in quotes mostly; nil where none was given.
            var tag: String?
            /// Such as `2026-11-28T18:25:37.123Z`; nil where none was given.
            var modified: String?
        }

        var files: [File] = []
        /// What the keys begin with that go on with the delimiter.
        var prefixes: [String] = []
        var isTruncated = false
        /// What asks for the next page.
        var continuation: String?
    }

    /// A rule of a lifecycle, as far as it is of objects that expire.
    struct LifecycleRule: Equatable {
        var name = ""
        /// What the keys begin with that it is for.
        var prefix = ""
        var isEnabled = false
        /// After how many days; nil where it does something else.
        var days: Int?
        /// Whether it has more to it than all that.
        var hasMore = false
    }

    /// Why a request was refused.
    struct Refusal: Equatable {
        /// Such as `NoSuchKey`.
        var code = ""
        var message = ""
        /// Where the bucket is, if that is what was wrong.
        var region: String?
    }

    /// - Throws: `XMLReader.Invalid` for anything but such a document.
    static func page(_ bytes: [UInt8]) throws(XMLReader.Invalid) -> Page {
        var page = Page()
        try read(bytes, root: "ListBucketResult") { path, text in
            switch path {
            case ["Contents"]: page.files.append(.init())
            case ["Contents", "Key"]: page.updateLast { $0.key = text }
            case ["Contents", "Size"]: page.updateLast { $0.size = Int64(text) }
            case ["Contents", "ETag"]: page.updateLast { $0.tag = text }
            case ["Contents", "LastModified"]: page.updateLast { $0.modified = text }
            case ["CommonPrefixes", "Prefix"]: page.prefixes.append(text)
            case ["IsTruncated"]: page.isTruncated = text == "true"
            case ["NextContinuationToken"]: page.continuation = text
            default: break
            }
        }
        return page
    }

    /// - Throws: `XMLReader.Invalid` for anything but such a document.
    static func lifecycle(_ bytes: [UInt8]) throws(XMLReader.Invalid) -> [LifecycleRule] {
        var rules: [LifecycleRule] = []
        try read(bytes, root: "LifecycleConfiguration") { path, text in
            guard path != ["Rule"] else { return rules.append(LifecycleRule()) }
            guard path.first == "Rule", !rules.isEmpty else { return }
            let last = rules.count - 1
            switch path.dropFirst().joined(separator: "/") {
            case "ID": rules[last].name = text
            case "Prefix", "Filter/Prefix": rules[last].prefix = text
            case "Status": rules[last].isEnabled = text == "Enabled"
            case "Expiration/Days": rules[last].days = Int(text)
            case "Filter", "Expiration": break
            default: rules[last].hasMore = true
            }
        }
        return rules
    }

    /// Nil for anything but such a document.
    static func refusal(_ bytes: [UInt8]) -> Refusal? {
        var refusal = Refusal()
        do {
            try read(bytes, root: "Error") { path, text in
                switch path {
                case ["Code"]: refusal.code = text
                case ["Message"]: refusal.message = text
                case ["Region"]: refusal.region = text
                default: break
                }
            }
        } catch {
            return nil
        }
        return refusal.code.isEmpty ? nil : refusal
    }

    /// - Parameter take: gets each element below the root twice at most: where it begins, if it has elements, with an empty text;
    ///   and where it ends, if it has none, with its text.
    private static func read(
        _ bytes: [UInt8], root: String, _ take: (_ path: [String], _ text: String) -> Void
    ) throws(XMLReader.Invalid) {
        var reader = XMLReader(bytes)
        guard try reader.start() == root else { throw XMLReader.Invalid() }
        var path: [String] = []
        var text = ""
        var isLeaf = false
        while let piece = try reader.next() {
            switch piece {
            case .start(let name):
                // The one around it has elements: it has no text of its own.
                if isLeaf { take(path, "") }
                path.append(name)
                (text, isLeaf) = ("", true)
            case .text(let more): text += more
            case .end:
                if isLeaf { take(path, text) }
                isLeaf = false
                if !path.isEmpty { path.removeLast() }
            }
        }
    }
}

extension XMLReader {
    /// The name of the root.
    fileprivate mutating func start() throws(Invalid) -> String? {
        guard case .start(let name) = try next() else { return nil }
        return name
    }
}

extension S3Document.Page {
    fileprivate mutating func updateLast(_ change: (inout File) -> Void) {
        guard !files.isEmpty else { return }
        change(&files[files.count - 1])
    }
}
