/// HTML as bytes. What is not written by ``markup(_:)`` is escaped.
struct HTMLBuffer {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// Empties it, and keeps its memory for the next page.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Writes markup as it is.
    mutating func markup(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes a number.
    mutating func number(_ number: some BinaryInteger) { markup(String(number)) }

    /// Writes what somebody wrote, as text or as the value of an attribute in quotes.
    ///
    /// Most texts have nothing to escape and are copied at once.
    mutating func text(_ text: String) {
        switch Care.needed(for: text) {
        case .none: bytes.append(contentsOf: text.utf8)
        case .entities: escape(text)
        case .scalars: escape(VisibleText.of(text))
        }
    }

    /// Writes a text without its line breaks, for names and attributes.
    mutating func line(_ text: String) {
        guard text.utf8.contains(UInt8(ascii: "\n")) else { return self.text(text) }
        let scalars = text.unicodeScalars.map { $0 == "\n" ? " " : $0 }
        self.text(String(String.UnicodeScalarView(scalars)))
    }

    /// Writes a name, isolated so that its direction does not reach what is around it.
    mutating func name(_ name: String) {
        markup("<bdi>")
        line(name.isEmpty ? "unnamed" : name)
        markup("</bdi>")
    }

    /// Writes a text in which nothing has to be made visible.
    mutating func escape(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: ">"): markup("&gt;")
            case UInt8(ascii: "\""): markup("&quot;")
            case UInt8(ascii: "'"): markup("&#39;")
            default: bytes.append(byte)
            }
        }
    }
}

extension HTMLBuffer {
    /// What has to be done with a text before it is HTML.
    private enum Care {
        case none, entities
        /// Characters have to be looked at, since one may have to be made visible.
        case scalars

        static func needed(for text: String) -> Care {
            var care = Care.none
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
                    UInt8(ascii: "'"):
                    care = .entities
                case UInt8(ascii: "\n"), UInt8(ascii: "\t"): break
                // Controls, and the first bytes of controls, marks of direction and noncharacters.
                case 0..<32, 127, 0xC2, 0xE2, 0xEF: return .scalars
                default: break
                }
            }
            return care
        }
    }
}
