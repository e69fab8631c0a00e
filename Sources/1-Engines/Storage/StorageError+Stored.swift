import ValiseFailures

extension StorageError {
    /// A file of this name is there, and is not what was to be stored.
    static func otherContent(_ subject: String) -> StorageError {
        StorageError(
            .general, .alreadyExists,
            "a file with this name and another content exists. It was not replaced.", subject)
    }

    static func tooShort(_ subject: String) -> StorageError {
        StorageError(.general, .damaged, "file is shorter than expected", subject)
    }
}

extension [UInt8] {
    /// A part of a file that is in memory.
    /// - Parameter subject: what a failure calls the file.
    /// - Throws: ``StorageError``: `damaged` where the file ends before the range does.
    func part(_ range: Range<Int64>, of subject: String) throws(StorageError) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= Int64(count) else { throw .tooShort(subject) }
        return Array(self[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}
