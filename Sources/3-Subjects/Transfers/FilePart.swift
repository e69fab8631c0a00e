import ValiseEncoding

/// Which part of a divided file a file is: in the header of each (Documentation/formats/transfer.md), where the official
/// programs do not look.
package struct FilePart: Sendable, Hashable, Codable {
    /// The same for all parts of a file: 22 characters.
    package let id: String
    /// From 1.
    package let part: Int
    /// How many parts there are.
    package let of: Int
    /// Where the part begins in the whole, in bytes.
    package let offset: Int64
    /// Of the whole, in bytes.
    package let size: Int64
    // The name of the whole is that of the part without its number.

    /// What the header holds: at most 255 bytes.
    func text() throws -> String { try JSONText.encode(self) }

    /// - Returns: nil for what is no part, or one that cannot be.
    init?(text: String) {
        guard let part = try? JSONText.decode(FilePart.self, from: text), part.isPossible else { return nil }
        self = part
    }

    init(id: String, part: Int, of count: Int, offset: Int64, size: Int64) {
        self.id = id
        self.part = part
        self.of = count
        self.offset = offset
        self.size = size
    }

    /// So many parts a file has at most.
    static let most = 10_000

    private var isPossible: Bool {
        (1...Self.most).contains(of) && (1...of).contains(part) && offset >= 0 && offset <= size
            && id.utf8.count <= 64
    }

    /// `name.001`
    static func name(_ name: String, part: Int) -> String {
        let digits = String(part)
        return name + "." + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }

    /// `name` of `name.001`
    static func wholeName(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            name[dot...].dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
        else { return name }
        return String(name[..<dot])
    }
}
