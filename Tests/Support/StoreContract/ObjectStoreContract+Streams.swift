package import SystemPackage
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// Objects that come from a source, and go piece by piece.
extension ObjectStoreContract {
    private struct Stop: Error {}

    /// More than any store has in one piece. Made once, as this takes its time.
    private static let long = BlobStoreContract.content(1_100_000)

    func checkSources(_ store: any ObjectStore) throws {
        let key = try ObjectKey("from/a source")
        let other = ObjectSource(TestSource([1, 2]), digest: SHA256.hash([1, 2]))
        for size in [0, 1, 4096, 300_000, Self.long.count] {
            let content = Array(Self.long.prefix(size))
            let source = ObjectSource(TestSource(content), digest: SHA256.hash(content))
            for condition in [WriteCondition.isAbsent, .always] {
                let version = try store.put(key, source, if: condition)
                let found = try store.get(key, nil, mostBytes: size)
                try expect(found.content == content, "\(size) bytes are not those of their source")
                try expect(found.version == version, "\(size) bytes have another version than was said")
            }
            try Self.expectChanged("to make what is there of a source") {
                try store.put(key, other, if: .isAbsent)
            }
            try store.remove(key)
        }
        try checkBadSources(store)
    }

    /// Neither replaces what is there.
    private func checkBadSources(_ store: any ObjectStore) throws {
        let content = Array(Self.long.prefix(600_000))
        let digest = SHA256.hash(content)
        let failing = ObjectSource(TestSource(content, failsAt: 400_000), digest: digest)
        var bad = [("a source that fails", failing)]
        if comparesDigests {
            let other = ObjectSource(TestSource([1] + content.dropFirst()), digest: digest)
            bad.append(("another digest", other))
        }
        for (what, source) in bad {
            for (name, previous) in [("bad/absent", nil), ("bad/there", [7])] as [(String, [UInt8]?)] {
                let key = try ObjectKey(name)
                if let previous { try store.put(key, previous, if: .always) }
                do {
                    try store.put(key, source, if: .always)
                    throw ContractViolation("\(what): no failure")
                } catch is StorageError {}
                try expect(
                    store.attributes(of: key)?.size == previous.map { Int64($0.count) },
                    "\(what) changed the object")
            }
        }
    }

    func checkPieces(_ store: any ObjectStore) throws {
        let content = Self.long
        let size = Int64(content.count)
        let key = try ObjectKey("in pieces")
        let version = try store.put(key, content, if: .always)
        let ranges: [Range<Int64>] = [
            0..<size, 0..<1, 4095..<4097, 900_000..<1_090_000, (size - 1)..<size, 0..<0, 17..<17, size..<size,
        ]
        for range in ranges {
            var read: [UInt8] = []
            let whole = try store.read(key, range) { piece, found in
                guard !piece.isEmpty, found == version else {
                    throw ContractViolation("an empty piece of \(range), or one of another version")
                }
                read.append(contentsOf: piece)
            }
            try expect(
                read[...] == content[Int(range.lowerBound)..<Int(range.upperBound)], "other bytes \(range)")
            try expect(whole == size, "\(range) are of an object with \(whole) bytes")
        }
        for range in [0..<size + 1, size - 1..<size + 1, size + 5..<size + 9] {
            try Self.expectFailure(.damaged, "pieces \(range) of \(size)") {
                try store.read(key, range) { _, _ in }
            }
        }
        var pieces = 0
        do {
            try store.read(key, 0..<size) { _, _ in
                pieces += 1
                throw Stop()
            }
            throw ContractViolation("what the reader of pieces throws is lost")
        } catch is Stop {}
        try expect(pieces == 1, "pieces go on after their reader has ended them")
        for range in [0..<1, 0..<0] as [Range<Int64>] {
            try Self.expectFailure(.notFound, "pieces of nothing") {
                try store.read(ObjectKey("in no pieces"), range) { _, _ in }
            }
        }
    }
}

/// A content that can be read again, or not to its end.
package final class TestSource: ByteSource {
    private let content: [UInt8]
    private let failsAt: Int

    /// - Parameter failsAt: what is read from there on fails.
    package init(_ content: [UInt8], failsAt: Int = .max) {
        self.content = content
        self.failsAt = failsAt
    }

    package var size: Int64 { Int64(content.count) }
    package var path: FilePath { "source" }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let end = min(Int(offset) + buffer.count, content.count)
        guard end <= failsAt else { throw FileError(.failed, "cannot read the test's source", path) }
        buffer.copyBytes(from: content[Int(offset)..<end])
        return end - Int(offset)
    }
}
