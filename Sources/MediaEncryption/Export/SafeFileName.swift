import Archives

/// A name that every file system takes, made of one that a stranger chose.
struct SafeFileName {
    /// Without the extension.
    private let stem: String
    /// With its dot; empty for none.
    private let suffix: String

    /// What every file system in use takes for one name, in bytes.
    static let longest = ZipName.longestComponent
    /// A longer extension is none: people would not miss it.
    private static let longestSuffix = 32

    /// - Parameters:
    ///   - name: any text.
    ///   - fallback: the name where nothing is left of it.
    init(_ name: String, fallback: String) {
        // By scalars throughout: that is how file systems see names.
        var scalars = String.UnicodeScalarView(name.unicodeScalars.prefix(Self.most).map(Self.replaced))
        while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
        // A name that begins with a dot would be hidden from the user.
        if scalars.first == "." { scalars.insert("_", at: scalars.startIndex) }
        let clean = scalars.isEmpty ? fallback : String(scalars)
        (stem, suffix) = Self.parts(Self.isDevice(clean) ? "_" + clean : clean)
    }

    /// No name needs more; what is behind is cut off before it costs time. The extension goes with it then.
    private static let most = 4096

    private static func replaced(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0..<32, 127..<160: "_"
        // Line breaks, and marks that turn the direction of text: with them `gpj.exe` looks like `exe.jpg`.
        case 0x2028...0x202e, 0x2066...0x2069: "_"
        default: "<>:\"/\\|?*".unicodeScalars.contains(scalar) ? "_" : scalar
        }
    }

    private static func isDevice(_ name: String) -> Bool {
        ZipName.fault(ofComponent: name).map { $0.0 == .nameDevice } ?? false
    }

    private static func parts(_ name: String) -> (stem: String, suffix: String) {
        let scalars = name.unicodeScalars
        guard let dot = scalars.lastIndex(of: "."), dot > scalars.startIndex else { return (name, "") }
        let suffix = String(scalars[dot...])
        guard suffix.utf8.count <= longestSuffix, suffix.utf8.count > 1 else { return (name, "") }
        return (String(scalars[..<dot]), suffix)
    }

    /// The name.
    var text: String { numbered(1) }

    /// The name for the n-th of its kind in a folder: `photo (2).jpg`; the first one has no number.
    func numbered(_ number: Int) -> String {
        let mark = number > 1 ? " (\(number))" : ""
        let room = Self.longest - mark.utf8.count - suffix.utf8.count
        let end = mark + suffix
        return Self.cut(stem, to: room, trims: end.isEmpty) + end
    }

    /// Cut between characters; within one only where it alone is too long.
    private static func cut(_ text: String, to room: Int, trims: Bool) -> String {
        guard text.utf8.count > room else { return text }
        var kept = String.UnicodeScalarView()
        var count = 0
        for character in text {
            guard count + character.utf8.count <= room else {
                if kept.isEmpty {
                    for scalar in character.unicodeScalars where count + UTF8.width(scalar) <= room {
                        kept.append(scalar)
                        count += UTF8.width(scalar)
                    }
                }
                break
            }
            kept.append(contentsOf: character.unicodeScalars)
            count += character.utf8.count
        }
        while trims, let last = kept.last, last == "." || last == " " { kept.removeLast() }
        return String(kept)
    }
}
