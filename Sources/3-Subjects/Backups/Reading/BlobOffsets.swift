import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Where the pieces of a file are in it.
struct BlobOffsets: Sendable {
    private enum Form {
        /// All but the last one have this size, as pieces of databases and of large media.
        case equal(Int64)
        /// Where each begins, and where the last one ends.
        case listed([Int64])
    }

    private let form: Form
    let count: Int
    /// Of the file, in bytes.
    let size: Int64

    /// Asks the index.
    /// - Throws: `RepositoryError`: `missing`; ``BackupError``, `damaged`, for impossible sizes.
    init(_ ids: [ContentID], in repository: Repository) throws {
        count = ids.count
        var size: Int64 = 0
        var equal: Int64?
        var listed: [Int64] = []
        for (number, id) in ids.enumerated() {
            let length = Int64(try repository.place(of: id, .data).blob.contentLength)
            guard length > 0, size <= Int64.max / 2 else {
                throw BackupError(.damaged, "a piece of a file has an impossible size", id.text)
            }
            if number == 0 { equal = length }
            let isLast = number == ids.count - 1
            if let step = equal, isLast ? length > step : length != step {
                listed = (0..<number).map { Int64($0) * step }
                equal = nil
            }
            if equal == nil { listed.append(size) }
            size += length
        }
        self.size = size
        form = equal.map { .equal($0) } ?? .listed(listed + [size])
    }

    /// Where a piece begins.
    func start(of number: Int) -> Int64 {
        switch form {
        case .equal(let step): Int64(number) * step
        case .listed(let starts): starts[number]
        }
    }

    /// Which piece has a byte of the file.
    func number(at offset: Int64) -> Int {
        switch form {
        case .equal(let step): return Int(offset / step)
        case .listed(let starts):
            var (low, high) = (0, count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if starts[middle] <= offset { low = middle } else { high = middle }
            }
            return low
        }
    }
}
