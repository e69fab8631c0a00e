import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// One pass over the contents of an archive, cut into parts that any core takes.
final class ContentsCheck: Sendable {
    private enum Part {
        /// Whole entries, by their numbers: thousands of small ones shall not each be a turn of its own.
        case entries(Range<Int>)
        /// Bytes of one large stored entry.
        case stretch(entry: Int, Range<Int64>)
    }

    private struct Findings {
        var errors: [Int: ZipError] = [:]
        /// Of stretches, by the number of the part.
        var checksums: [Int: Checksum] = [:]
    }

    private let entries: [ZipEntry]
    private let archive: any ByteSource
    private let parts: [Part]
    /// Deflated so that all cores can unpack them: one by one.
    private let shared: [Int]
    private let findings = Mutex(Findings())
    private let done = Atomic<Int64>(0)
    private let cancellation = Cancellation()

    private static let stretchSize: Int64 = 8 << 20
    /// From here on, an entry is worth all cores; smaller ones are many.
    private static let sharedSize: Int64 = 32 << 20
    private static let groupSize: Int64 = 1 << 20
    private static let mostInGroup = 64

    /// - Throws: errors of the source.
    init(_ entries: [ZipEntry], _ archive: any ByteSource) throws {
        self.entries = entries
        self.archive = archive
        let shared = try entries.indices.filter { try Self.isShared(entries[$0], archive) }
        self.shared = shared
        parts = Self.cut(entries, without: Set(shared))
    }

    /// Whether a large deflated entry has a marker where it would be with ours.
    private static func isShared(_ entry: ZipEntry, _ archive: any ByteSource) throws -> Bool {
        guard entry.method == .deflated, entry.size > sharedSize else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: EntryUnpacker.inputSize, alignment: 16)
        defer { buffer.deallocate() }
        do {
            var stretches = DeflateStretches(try entry.packedBytes(in: archive))
            return try stretches.next(into: buffer)?.isLast == false
        } catch let error as ZipError where error.code == .damaged {
            return false
        }
    }

    private static func cut(_ entries: [ZipEntry], without shared: Set<Int>) -> [Part] {
        var parts: [Part] = []
        var start = 0
        var size: Int64 = 0
        for (number, entry) in entries.enumerated() {
            // Of what a search found, the size may be any claim.
            let isCut =
                entry.method == .stored && entry.size > stretchSize && entry.size == entry.compressedSize
            if isCut || shared.contains(number) {
                if start < number { parts.append(.entries(start..<number)) }
                for offset in stride(from: 0, to: isCut ? entry.size : 0, by: Int64.Stride(stretchSize)) {
                    parts.append(.stretch(entry: number, offset..<min(offset + stretchSize, entry.size)))
                }
                (start, size) = (number + 1, 0)
                continue
            }
            size += entry.compressedSize
            if size >= groupSize || number + 1 - start == mostInGroup {
                parts.append(.entries(start..<number + 1))
                (start, size) = (number + 1, 0)
            }
        }
        if start < entries.count { parts.append(.entries(start..<entries.count)) }
        return parts
    }

    func run(_ progress: (Int64) throws -> Void) throws -> [(entry: ZipEntry, error: ZipError)] {
        try ParallelBatches.run(
            count: parts.count, makeWorker: { try EntryUnpacker() },
            work: { try self.check(part: $1, with: $0) },
            report: { _ in
                do {
                    try progress(self.done.load(ordering: .relaxed))
                } catch {
                    // A part may be large: it stops in its middle.
                    self.cancellation.cancel()
                    throw error
                }
            })
        for number in shared { try checkShared(number, progress) }
        return findings.withLock { findings in
            joinStretches(&findings)
            return findings.errors.sorted { $0.key < $1.key }.map { (entries[$0.key], $0.value) }
        }
    }

    private func check(part number: Int, with unpacker: EntryUnpacker) throws {
        switch parts[number] {
        case .entries(let numbers):
            for entry in numbers {
                try noting(entry) {
                    try unpacker.unpack(entries[entry], in: archive, { _ in }, advance: advance)
                }
            }
        case .stretch(let entry, let range):
            try noting(entry) {
                let checksum = try unpacker.checksum(
                    ofStored: entries[entry], range, in: archive, advance: advance)
                findings.withLock { $0.checksums[number] = checksum }
            }
        }
    }

    private func checkShared(_ number: Int, _ progress: (Int64) throws -> Void) throws {
        let entry = entries[number]
        let before = done.load(ordering: .relaxed)
        var unpacked: Int64 = 0
        try ContentsReader([entry], archive).run(
            begin: { _ in true },
            consume: { bytes in
                unpacked += Int64(bytes.count)
                // Where in the packed bytes that was is not known exactly.
                let share = Double(unpacked) / Double(entry.size) * Double(entry.compressedSize)
                try progress(before + min(Int64(share), entry.compressedSize))
            },
            end: { _, error in
                if let error { findings.withLock { $0.errors[number] = error } }
            })
        done.add(entry.compressedSize, ordering: .relaxed)
        try progress(before + entry.compressedSize)
    }

    private func advance(_ count: Int64) throws {
        done.add(count, ordering: .relaxed)
        try cancellation.check()
    }

    /// Damage of an entry is a finding; anything else ends the check.
    private func noting(_ entry: Int, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as ZipError where error.code == .damaged {
            findings.withLock { $0.errors[entry] = error }
        }
    }

    private func joinStretches(_ findings: inout Findings) {
        var joined: [Int: Checksum] = [:]
        for (number, part) in parts.enumerated() {
            guard case .stretch(let entry, _) = part, let checksum = findings.checksums[number] else {
                continue
            }
            joined[entry, default: Checksum()].append(checksum)
        }
        for (entry, checksum) in joined where findings.errors[entry] == nil {
            do throws(ZipError) {
                try entries[entry].require(checksum)
            } catch {
                findings.errors[entry] = error
            }
        }
    }
}
