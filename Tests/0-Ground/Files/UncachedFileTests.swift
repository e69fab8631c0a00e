import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

/// Files that are written and read past the cache, on the disk and in memory, where that may be refused.
struct UncachedFileTests {
    private static let piece = 4096

    /// Bytes at an address that is aligned, or one byte behind it.
    private func withBytes(
        _ bytes: [UInt8], shifted: Bool, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: bytes.count + 1, alignment: Self.piece)
        defer { memory.deallocate() }
        let part = UnsafeMutableRawBufferPointer(rebasing: memory[(shifted ? 1 : 0)...].prefix(bytes.count))
        part.copyBytes(from: bytes)
        try body(UnsafeRawBufferPointer(part))
    }

    private func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private func readBack(_ writer: ParallelWriter, count: Int, offset: Int64, shifted: Bool) throws
        -> [UInt8]
    {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: count + 1, alignment: Self.piece)
        defer { memory.deallocate() }
        let part = UnsafeMutableRawBufferPointer(rebasing: memory[(shifted ? 1 : 0)...].prefix(count))
        try writer.readBack(into: part, at: offset)
        return Array(part)
    }

    @Test(arguments: [false, true], [false, true])
    func `holds what is written, aligned or not`(inMemory: Bool, reserved: Bool) throws {
        let folder = try TemporaryFolder(inMemory: inMemory)
        let path = folder.appending("file")
        let whole = content(40 * Self.piece + 77)
        var file = try FileSystem().create(path)
        file.passCache()
        if reserved { try file.reserve(Int64(whole.count)) }
        let writer = ParallelWriter(file)
        // Aligned and not in turn, the last piece first.
        let borders = [0, 8, 9, 20, 20, 31, 40].map { $0 * Self.piece } + [whole.count]
        for (index, pair) in zip(borders, borders.dropFirst()).enumerated().reversed() {
            let (start, end) = (pair.0 + (index == 3 ? 5 : 0), pair.1 + (index == 2 ? 5 : 0))
            try withBytes(Array(whole[start..<max(start, end)]), shifted: index % 2 == 1) {
                try writer.write($0, at: Int64(start))
            }
        }
        for isFlushed in [false, true] {
            if isFlushed {
                try writer.synchronize()
                writer.dropCache()
            }
            for shifted in [false, true] {
                #expect(
                    try readBack(writer, count: whole.count, offset: 0, shifted: shifted) == whole)
                #expect(
                    try readBack(writer, count: 8 * Self.piece, offset: Int64(Self.piece), shifted: shifted)
                        == Array(whole[Self.piece..<9 * Self.piece]))
            }
        }
        #expect(try FileSystem().contents(of: path, limit: 1 << 20) == whole)
        #expect(throws: FileError.self) {
            _ = try readBack(writer, count: 1, offset: Int64(whole.count), shifted: false)
        }
    }

    /// A signal or a full disk may cut a write anywhere, and the rest of it is not aligned any more.
    @Test func `a write that was cut short is finished`() throws {
        let folder = try TemporaryFolder()
        let whole = content(6 * Self.piece)
        let operations = 6
        for position in 1...operations {
            for half in [FaultPlan.Fault.shortWrite, .none] {
                let path = folder.appending("file \(position) \(half)")
                let plan = FaultPlan(half, at: position)
                var file = try FileSystem(interposer: plan).create(path)
                file.passCache()
                try file.reserve(Int64(whole.count))
                let writer = ParallelWriter(file)
                for start in stride(from: 0, to: whole.count, by: 3 * Self.piece) {
                    try withBytes(Array(whole[start..<start + 3 * Self.piece]), shifted: false) {
                        try writer.write($0, at: Int64(start))
                    }
                }
                try writer.synchronize()
                #expect(try FileSystem().contents(of: path, limit: 1 << 20) == whole, "\(position)")
            }
        }
    }

    @Test(arguments: [false, true], [0, 3])
    func `what is written without a place follows what was written so`(inMemory: Bool, fault: Int) throws {
        let folder = try TemporaryFolder(inMemory: inMemory)
        let path = folder.appending("file")
        let whole = content(30 * Self.piece + 9)
        var file = try FileSystem(interposer: FaultPlan(fault == 0 ? .none : .shortWrite, at: fault)).create(
            path)
        file.passCache()
        let borders = [0, 4 * Self.piece, 9 * Self.piece, 9 * Self.piece + 3, 20 * Self.piece, whole.count]
        for (start, end) in zip(borders, borders.dropFirst()) {
            try withBytes(Array(whole[start..<end]), shifted: false) { try file.write($0) }
        }
        let more = folder.appending("more")
        try FileSystem().replace(more, with: [1, 2, 3])
        try file.append(contentsOf: FileSystem().openForReading(more))
        try file.synchronize()
        #expect(try file.size() == Int64(whole.count + 3))
        try file.close()
        #expect(try FileSystem().contents(of: path, limit: 1 << 20) == whole + [1, 2, 3])
    }

    @Test func `reserving can fail, and is an operation that is counted`() throws {
        let folder = try TemporaryFolder()
        let plan = FaultPlan(.fail(.noSpace), at: 2)
        let file = try FileSystem(interposer: plan).create(folder.appending("file"))
        #expect { try file.reserve(1 << 20) } throws: { ($0 as? FileError)?.code == .noSpace }
    }

    /// More than any file system of a test has.
    @Test func `what cannot be had is told before anything is written`() throws {
        let folder = try TemporaryFolder()
        let file = try FileSystem().create(folder.appending("file"))
        // A file system that cannot reserve takes it as a hint; others say no space or too large.
        try? file.reserve(1 << 46)
        #expect(try file.attributes().size == 0)
    }
}
