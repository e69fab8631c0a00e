extension Unicode.Scalar {
    /// Whether a terminal does something else with it than to show it: control characters, line breaks of other kinds, and
    /// marks that turn the direction of text, with which `gpj.exe` looks like `exe.jpg`.
    package var isControl: Bool {
        switch value {
        case 0..<32, 127..<160: true
        case 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x206f: true
        default: false
        }
    }
}

extension String {
    /// The text with another one in the place of each control character: names from outside could drive the terminal.
    ///
    /// - Parameters:
    ///   - kept: control characters that stay.
    ///   - replacement: what stands for one.
    package func replacingControls(
        but kept: Set<Unicode.Scalar> = [], with replacement: (Unicode.Scalar) -> String
    ) -> String {
        // By the first bytes that they can have. Most texts have none of them.
        guard utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == 0xc2 || $0 == 0xd8 || $0 == 0xe2 }) else {
            return self
        }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isControl, !kept.contains(scalar) {
                text.append(contentsOf: replacement(scalar).unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
