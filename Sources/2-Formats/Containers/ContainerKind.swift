package import ValiseFiles

/// What an archive is by its first bytes, whatever its name says.
package enum ContainerKind: String, Sendable, Codable {
    case tar, cpio, gzip, xz, zstd
    case sevenZip = "7z"

    /// So many bytes tell.
    package static let headSize = 512

    /// - Parameter head: the first ``headSize`` bytes, or all where there are fewer.
    /// - Returns: nil for a zip, and for everything else.
    package init?(head: some Collection<UInt8>) {
        let head = Array(head.prefix(Self.headSize))
        if head.starts(with: [0x1f, 0x8b]) {
            self = .gzip
        } else if head.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]) {
            self = .xz
        } else if head.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
            self = .zstd
        } else if head.starts(with: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]) {
            self = .sevenZip
        } else if Self.isCpio(head) {
            self = .cpio
        } else if Self.isTar(head) {
            self = .tar
        } else {
            return nil
        }
    }

    /// - Throws: errors of the source.
    package init?(of source: any ByteSource) throws {
        self.init(head: try source.bytes(at: 0, upTo: Self.headSize))
    }

    /// What stands before its name in a sentence.
    package var article: String { self == .xz ? "an" : "a" }

    /// Whether something else is packed inside.
    var isPacking: Bool { [.gzip, .xz, .zstd].contains(self) }

    /// Its ending, as names have it.
    var suffix: String {
        switch self {
        case .gzip: "gz"
        case .zstd: "zst"
        default: rawValue
        }
    }

    /// New and portable ASCII, and the old binary form in both orders of bytes.
    private static func isCpio(_ head: [UInt8]) -> Bool {
        ["070701", "070702", "070707"].contains { head.starts(with: $0.utf8) }
            || head.starts(with: [0xc7, 0x71]) || head.starts(with: [0x71, 0xc7])
    }

    /// By the checksum of the header: the oldest form has no mark.
    private static func isTar(_ head: [UInt8]) -> Bool {
        guard head.count == headSize else { return false }
        let field = 148..<156
        let digits = head[field].drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        guard let declared = Int(String(decoding: digits, as: UTF8.self), radix: 8) else { return false }
        let sum = head.indices.reduce(0) { $0 + (field.contains($1) ? 0x20 : Int(head[$1])) }
        return declared == sum && head[0] != 0
    }
}
