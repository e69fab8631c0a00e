import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

@testable import ValiseArchives

/// What a fuzzer found in the search through broken archives: none of it may trap.
struct ZipScanHostileTests {
    /// The header says that sizes follow the data, and its extra field reaches behind the next entry.
    @Test func aHeaderThatReachesIntoTheNextEntry() throws {
        let next = record(0x0403_4b50, flags: 0, method: 0, name: "b", extra: 0)
        for extra in [1, 20, 40, 80] {
            let reaching = record(0x0403_4b50, flags: 8, method: 8, name: "a", extra: extra)
            let archive = reaching + next + directory(at: reaching.count)
            let scan = try ZipScan(MemorySource(archive))
            #expect(scan.entries.allSatisfy { $0.data.upperBound <= archive.count }, "\(extra)")
            #expect(scan.unknown.allSatisfy { $0.upperBound <= archive.count }, "\(extra)")
        }
    }

    /// Only the local header is right; who copies the entry must not take the directory's method.
    @Test func aDirectoryThatNamesAnotherMethod() throws {
        // CRC-32 of "a".
        let claim = number(0, 4) + number(0xe8b7_be43, 4) + number(1, 4) + number(1, 4) + number(1, 2)
        let local = number(0x0403_4b50, 4) + number(20, 2) + number(0, 4) + claim + number(0, 2)
        let central =
            number(0x0201_4b50, 4) + number(20, 4) + number(0, 2) + number(8, 2) + claim + number(0, 16)
        let data = local + Array("na".utf8)
        let directory = central + Array("n".utf8)
        let end =
            number(0x0605_4b50, 4) + number(0, 4) + number(1, 2) + number(1, 2)
            + number(directory.count, 4) + number(data.count, 4) + number(0, 2)
        let entry = try #require(try ZipScan(MemorySource(data + directory + end)).entries.first)
        #expect(entry.state == .intact)
        #expect(entry.method == .stored)
        #expect(entry.size == 1)
    }

    /// None of its bytes were asked for, so that the checksum of nothing held.
    @Test func aStoredEntryWithTwoSizes() throws {
        let claim = number(0, 8) + number(3, 4) + number(0, 4) + number(1, 2)
        let local = number(0x0403_4b50, 4) + number(20, 2) + number(0, 4) + claim + number(0, 2)
        let central = number(0x0201_4b50, 4) + number(20, 4) + number(0, 4) + claim + number(0, 16)
        let data = local + Array("nabc".utf8)
        let directory = central + Array("n".utf8)
        let end =
            number(0x0605_4b50, 4) + number(0, 4) + number(1, 2) + number(1, 2)
            + number(directory.count, 4) + number(data.count, 4) + number(0, 2)
        let entry = try #require(try ZipScan(MemorySource(data + directory + end)).entries.first)
        #expect(entry.state != .intact)
    }

    /// The header of a directory at the end of the file, of which most would lie behind it.
    @Test func aDirectoryThatReachesBehindTheFile() throws {
        let header =
            number(0x0201_4b50, 4) + number(20, 4) + number(0, 20) + number(1, 2) + number(0, 2)
            + number(0x3a3a, 2) + number(0, 12) + Array("b".utf8)
        let scan = try ZipScan(MemorySource(header))
        #expect(scan.directories.allSatisfy { $0.range.upperBound <= header.count })
    }

    /// A header's size is checked before work is planned by it.
    @Test func `a stored entry that claims four exbibytes costs nothing`() throws {
        let source = MemorySource(record(0x0403_4b50, flags: 0, method: 0, name: "a", extra: 0) + [1, 2, 3])
        let entry = ZipEntry(
            name: "a", isFolder: false, method: .stored, compressedSize: 3, size: 1 << 62, checksum: 0,
            modified: nil, localOffset: 0, flags: 0)
        let errors = try ContentsCheck([entry], source).run { _ in }
        #expect(errors.map(\.error.code) == [.damaged])
    }

    private func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A local header of an entry without data.
    private func record(_ signature: Int, flags: Int, method: Int, name: String, extra: Int) -> [UInt8] {
        number(signature, 4) + number(20, 2) + number(flags, 2) + number(method, 2) + number(0, 16)
            + number(name.utf8.count, 2) + number(extra, 2) + Array(name.utf8)
    }

    /// A directory that knows only the second entry, and its end.
    private func directory(at offset: Int) -> [UInt8] {
        let header =
            number(0x0201_4b50, 4) + number(20, 2) + number(20, 2) + number(0, 20) + number(1, 2)
            + number(0, 12) + number(offset, 4) + Array("b".utf8)
        let start = offset + 31
        return header + number(0x0605_4b50, 4) + number(0, 4) + number(1, 2) + number(1, 2)
            + number(header.count, 4) + number(start, 4) + number(0, 2)
    }
}
