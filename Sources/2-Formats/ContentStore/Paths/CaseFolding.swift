extension String {
    /// The text in normalization form C.
    ///
    /// Swift compares text by it and has it for that, with the underscore of what may get another name once.
    var composed: String {
        // Of ASCII it is the same.
        utf8.allSatisfy({ $0 < 128 }) ? self : String(decoding: _nfcCodeUnits, as: UTF8.self)
    }

    /// Whether its bytes are those of normalization form C.
    var isComposed: Bool { utf8.allSatisfy { $0 < 128 } || utf8.elementsEqual(_nfcCodeUnits) }

    /// Full case folding of Unicode, then normalization form C: what two texts have in common that differ in case only.
    var folded: String {
        var folded = ""
        for scalar in unicodeScalars { folded += scalar.caseFolding }
        return folded.composed
    }
}

extension Unicode.Scalar {
    /// The full case folding (status C and F of Unicode's CaseFolding.txt).
    ///
    /// It is the lower case of the upper case of the lower case, but for the `ı` without a dot, which folds to itself, and Cherokee,
    /// which folds to its upper case.
    fileprivate var caseFolding: String {
        switch value {
        case 0x131, 0x13a0...0x13f5: return String(self)
        case 0x13f8...0x13fd: return Self.text(value - 8)
        case 0xab70...0xabbf: return Self.text(value - 0xab70 + 0x13a0)
        default:
            var text = ""
            for lower in properties.lowercaseMapping.unicodeScalars {
                for upper in lower.properties.uppercaseMapping.unicodeScalars {
                    text += upper.properties.lowercaseMapping
                }
            }
            return text
        }
    }

    private static func text(_ value: UInt32) -> String { Unicode.Scalar(value).map { String($0) } ?? "" }
}
