import ValiseFailures

/// What the headers of all that was received come to: one whole file, or all parts of one.
struct JoinedParts {
    /// Of the whole content, in bytes.
    let size: Int64
    /// As the sender wrote it.
    let name: String
    /// Set where it is one part alone.
    let singlePart: FilePart?

    /// - Throws: ``FileTransferError``: `invalidLink` for parts that do not make a whole.
    init(_ heads: [EncryptedFileHead]) throws {
        let name = heads.first?.name ?? ""
        if heads.count == 1, let head = heads.first {
            // Alone, it is an ordinary file.
            (size, self.name, singlePart) = (head.contentSize, name, head.part)
            return
        }
        let parts = heads.compactMap { head in head.part.map { ($0, head.contentSize) } }
            .sorted { $0.0.part < $1.0.part }
        guard parts.count == heads.count, let first = parts.first?.0, first.of == parts.count,
            parts.enumerated().allSatisfy({ $1.0.part == $0 + 1 && $1.0.belongs(with: first) })
        else { throw FileTransferError.notAllParts }
        var end: Int64 = 0
        for (part, size) in parts {
            guard part.offset == end else { throw Self.gap }
            end += size
        }
        guard end == first.size else { throw Self.gap }
        (size, self.name, singlePart) = (end, FilePart.wholeName(name), nil)
    }

    private static let gap = FileTransferError.damaged(
        "the parts do not fit together: their sizes do not match the size of the file",
        remedy: .receivePartsSingly)
}

extension FilePart {
    fileprivate func belongs(with other: FilePart) -> Bool {
        id == other.id && of == other.of && size == other.size
    }
}
