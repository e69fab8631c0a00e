import CValisePlatform
import Synchronization

/// Memory that is read from files and written to them in large pieces.
///
/// It lies in large pages where the system has them: a disk gets a piece of 2 MiB as one then, where small pages are five
/// hundred, and virtual disks are three times as fast.
package final class TransferBuffer: @unchecked Sendable {
    // Unchecked: the address never changes and the memory lives as long as this object. Its bytes are raw memory, as those of
    // any buffer: whoever holds this sees to it that one thread at a time works on them.

    /// The memory.
    package let bytes: UnsafeMutableRawBufferPointer

    /// The size of all of its large pages, in bytes; nil without any.
    private let spareSize: Int?

    /// What a large page has, in bytes.
    package static let pageSize = 2 << 20

    /// - Parameters:
    ///   - byteCount: its size.
    ///   - inLargePages: false for what is smaller and made often, which would have to be cleared as a large page.
    package init(byteCount: Int, inLargePages: Bool = true) {
        guard inLargePages else {
            bytes = .allocate(byteCount: byteCount, alignment: 4096)
            spareSize = nil
            return
        }
        // Less than all of a large page gets none.
        let whole = (byteCount + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        let memory = Self.spare.withLock { $0.take(whole) } ?? Self.allocate(whole)
        bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount])
        spareSize = whole
    }

    deinit {
        guard let spareSize else { return bytes.deallocate() }
        let memory = UnsafeMutableRawBufferPointer(start: bytes.baseAddress, count: spareSize)
        if !Self.spare.withLock({ $0.keep(memory) }) { memory.deallocate() }
    }

    private static func allocate(_ size: Int) -> UnsafeMutableRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: pageSize)
        valise_prefer_large_pages(memory.baseAddress, size)
        return memory
    }

    // MARK: Reuse

    /// Large pages that nobody uses. The system clears a page that it gives out, which takes longer than to fill it: whoever
    /// reads many small entries, each with buffers of its own, would do little else.
    private static let spare = Mutex(Spare())

    private struct Spare {
        private static let most = 16 << 20
        private var addresses: [Int: [UInt]] = [:]
        private var total = 0

        mutating func take(_ size: Int) -> UnsafeMutableRawBufferPointer? {
            guard let address = addresses[size]?.popLast() else { return nil }
            total -= size
            return UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: address), count: size)
        }

        /// - Returns: whether it is kept; else the caller frees it.
        mutating func keep(_ memory: UnsafeMutableRawBufferPointer) -> Bool {
            guard let start = memory.baseAddress, total + memory.count <= Self.most else { return false }
            addresses[memory.count, default: []].append(UInt(bitPattern: start))
            total += memory.count
            return true
        }
    }
}
