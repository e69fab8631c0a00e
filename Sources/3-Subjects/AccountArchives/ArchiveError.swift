import ValiseEncoding
public import ValiseFailures

/// One entry that could not be exported or imported, in the official form (Documentation/formats/archive.md).
public enum ArchiveError: Sendable, Equatable {
    /// A whole step failed.
    case `import`(importError: String)
    /// One file failed.
    case fileError(file: String, fileError: Remark)
}

extension ArchiveError {
    /// The entry and what is wrong with it, for a user.
    /// - Parameter words: those of the remedies, which are left out without.
    package func text(_ words: RemedyWords = { _ in nil }) -> String {
        switch self {
        case .import(let text): text
        case .fileError(let file, let remark): "\(file): \(remark.text(words))"
        }
    }

    /// What can be done about it.
    package var remedy: Remedy? {
        switch self {
        case .import: nil
        case .fileError(_, let remark): remark.remedy
        }
    }
}

extension ArchiveError: Codable {
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .import(let text):
            try SumCoding.encode("import", to: encoder) { try $0.encode(text, forKey: "importError") }
        case .fileError(let file, let text):
            try SumCoding.encode("fileError", to: encoder) {
                try $0.encode(file, forKey: "file")
                try $0.encode(text, forKey: "fileError")
            }
        }
    }

    /// Older cores wrote `chatError` where newer ones write the name of the case.
    public init(from decoder: any Decoder) throws {
        let (name, fields) = try SumCoding.decode(decoder)
        func text(_ key: AnyCodingKey) throws -> String {
            if let text = try? fields.decode(String.self, forKey: key) { return text }
            return try fields.decode(String.self, forKey: "chatError")
        }
        switch name {
        case "import": self = .import(importError: try text("importError"))
        case "fileError", "importFileError":
            self = .fileError(
                file: try fields.decode(String.self, forKey: "file"), fileError: Remark(try text("fileError"))
            )
        default: throw SumCoding.unknownCase(name, decoder)
        }
    }
}
