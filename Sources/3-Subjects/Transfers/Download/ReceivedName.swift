/// The name of a received file, made safe: it comes from a stranger.
package enum ReceivedName {
    /// Leaves space for a number and a suffix behind it on file systems that take 255 bytes.
    static let longest = 200
    private static let fallback = "file"
    private static let reserved: Set<String> = {
        let numbered = ["com", "lpt"].flatMap { name in (0...9).map { "\(name)\($0)" } }
        return Set(["con", "prn", "aux", "nul", "conin$", "conout$"] + numbered)
    }()

    /// One component of a path that names a usual, visible file on every system.
    ///
    /// Folders before it are dropped, and characters that steer a terminal, reverse text or mean something to a file
    /// system are replaced or left out.
    package static func sanitised(_ name: String) -> String {
        let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map(Array.init) ?? []
        var scalars = last.filter { !isInvisible($0) }.map { forbidden.contains($0) ? "_" : $0 }
        while let end = scalars.last, end == "." || end.properties.isWhitespace { scalars.removeLast() }
        scalars = Array(scalars.drop { $0.properties.isWhitespace })
        // What a name must not be is looked at when it is as long as it stays.
        scalars = shortened(scalars)
        if scalars.first == "." { scalars[0] = "_" }
        let text = string(scalars)
        if reserved.contains(string(scalars.prefix { $0 != "." }).lowercased()) { return "_" + text }
        return text.isEmpty ? fallback : text
    }

    /// The n-th name to try where others are taken: `name_1.tar.gz`, as the official command does.
    static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 0 else { return name }
        let (stem, suffix) = split(Array(name.unicodeScalars))
        return string(stem) + "_\(number)" + string(suffix)
    }

    private static let forbidden: Set<Unicode.Scalar> = ["<", ">", ":", "\"", "|", "?", "*"]

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Joiners of emoji are format characters, as are those that reverse text.
        case .format: scalar != "\u{200d}"
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
        default: scalar == "\u{fffd}"
        }
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Cuts the stem and keeps what looks like an extension. A character may be of any length: by scalars.
    private static func shortened(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard size(scalars) > longest else { return scalars }
        var (stem, suffix) = split(scalars)
        if size(suffix) > longest / 2 { (stem, suffix) = (scalars[...], []) }
        let available = longest - size(suffix)
        var used = 0
        stem = stem.prefix { scalar in
            used += UTF8.width(scalar)
            return used <= available
        }
        while let end = stem.last, end == "." || end.properties.isWhitespace { stem.removeLast() }
        return (stem.isEmpty ? Array(fallback.unicodeScalars) : Array(stem)) + suffix
    }

    private static func size(_ scalars: some Sequence<Unicode.Scalar>) -> Int {
        scalars.reduce(0) { $0 + UTF8.width($1) }
    }

    private static func split(
        _ scalars: [Unicode.Scalar]
    ) -> (stem: ArraySlice<Unicode.Scalar>, suffix: ArraySlice<Unicode.Scalar>) {
        guard let dot = scalars.lastIndex(of: "."), dot > scalars.startIndex else {
            return (scalars[...], [])
        }
        return (scalars[..<dot], scalars[dot...])
    }
}
