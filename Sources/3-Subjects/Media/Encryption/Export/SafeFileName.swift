import ValiseArchives
import ValiseFailures

/// A name that every file system takes, made of one that a stranger chose.
package struct SafeFileName {
    /// Without the extension.
    private let stem: String
    /// With its dot; empty for none.
    private let suffix: String
    private let fallback: String

    /// What every file system in use takes for one name, in bytes.
    static let longest = ZipName.longestComponent
    /// A longer extension is none: people would not miss it.
    private static let longestSuffix = 32

    /// - Parameters:
    ///   - name: any text.
    ///   - fallback: the name where nothing is left of it.
    package init(_ name: String, fallback: String) {
        // By scalars throughout: that is how file systems see names.
        var scalars = String.UnicodeScalarView(name.unicodeScalars.prefix(Self.most).map(Self.replaced))
        while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
        // A name that begins with a dot would be hidden from the user.
        if scalars.first == "." { scalars.insert("_", at: scalars.startIndex) }
        self.fallback = fallback
        (stem, suffix) = Self.parts(scalars.isEmpty ? fallback : String(scalars))
    }

    /// No name needs more; what is behind is cut off before it costs time. The extension goes with it then.
    private static let most = 4096

    private static func replaced(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.isControl || "<>:\"/\\|?*".unicodeScalars.contains(scalar) ? "_" : scalar
    }

    private static func parts(_ name: String) -> (stem: String, suffix: String) {
        let scalars = name.unicodeScalars
        guard let dot = scalars.lastIndex(of: "."), dot > scalars.startIndex else { return (name, "") }
        let suffix = String(scalars[dot...])
        guard suffix.utf8.count <= longestSuffix, suffix.utf8.count > 1 else { return (name, "") }
        return (String(scalars[..<dot]), suffix)
    }

    /// The name.
    package var text: String { numbered(1) }

    /// The name for the n-th of its kind in a folder: `photo (2).jpg`; the first one has no number.
    package func numbered(_ number: Int) -> String {
        let end = (number > 1 ? " (\(number))" : "") + suffix
        let name = joined(stem, end)
        // Also what was cut may be a device of Windows now, such as `con`.
        let isDevice = ZipName.fault(ofComponent: name).map { $0.0 == .nameDevice } ?? false
        return isDevice ? joined("_" + stem, end) : name
    }

    /// The name with an end that is never cut off.
    /// - Parameters:
    ///   - end: with its dot, and shorter than any name.
    ///   - reserved: bytes that are left for what is appended until the file is complete.
    package func ending(in end: String, reserving reserved: Int) -> String {
        joined(stem + suffix, end, reserving: reserved)
    }

    private func joined(_ stem: String, _ end: String, reserving reserved: Int = 0) -> String {
        var kept = Self.cut(stem, to: Self.longest - end.utf8.count - reserved)
        if end.isEmpty {
            while let last = kept.last, last == "." || last == " " { kept.removeLast() }
        }
        return (kept.isEmpty ? fallback : String(kept)) + end
    }

    /// A character of more bytes is none that people write; it may be cut itself.
    private static let longestCharacter = 64

    /// Cut between characters.
    private static func cut(_ text: String, to available: Int) -> String.UnicodeScalarView {
        guard text.utf8.count > available else { return text.unicodeScalars }
        var kept = String.UnicodeScalarView()
        var count = 0
        for character in text {
            let size = character.utf8.count
            guard count + size > available else {
                kept.append(contentsOf: character.unicodeScalars)
                count += size
                continue
            }
            for scalar in character.unicodeScalars where size > longestCharacter {
                count += UTF8.width(scalar)
                guard count <= available else { break }
                kept.append(scalar)
            }
            break
        }
        return kept
    }
}
