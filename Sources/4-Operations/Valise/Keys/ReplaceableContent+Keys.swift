package import ValiseFiles

extension ReplaceableContent {
    /// What images and sheets are written as.
    package enum Drawing {
        case pdf, svg, png
    }

    package static func drawing(_ drawing: Drawing) -> ReplaceableContent {
        switch drawing {
        case .pdf: beginning("a PDF document", with: Array("%PDF-".utf8))
        case .png: beginning("a PNG image", with: [0x89, 0x50, 0x4e, 0x47])
        case .svg:
            ReplaceableContent("an SVG image") { _, head, _ throws(FileError) in
                String(decoding: head, as: UTF8.self).contains("<svg")
            }
        }
    }

    private static func beginning(_ name: String, with bytes: [UInt8]) -> ReplaceableContent {
        ReplaceableContent(name) { _, head, _ throws(FileError) in head.starts(with: bytes) }
    }

    /// A file with a passphrase that this program made: nothing but 32 bytes as base64, and the end of the line.
    static let generatedPassphrase = ReplaceableContent("a generated passphrase") {
        _, head, _ throws(FileError) in
        let line = head.last == UInt8(ascii: "\n") ? head.dropLast() : head[...]
        let symbols = Set("+/=-_".utf8)
        return line.count == 44
            && line.allSatisfy { byte in
                symbols.contains(byte)
                    || (byte < 0x80
                        && (Character(UnicodeScalar(byte)).isLetter || (0x30...0x39).contains(byte)))
            }
    }
}
