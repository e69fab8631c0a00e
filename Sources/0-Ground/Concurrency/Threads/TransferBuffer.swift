import CValisePlatform

/// Memory that is read from files and written to them in large pieces.
///
/// It lies in large pages where the system has them: a disk gets a piece of 2 MiB as one then, where small pages are five
/// hundred, and virtual disks are three times as fast.
package final class TransferBuffer: @unchecked Sendable {
    // Unchecked: the address never changes and the memory lives as long as this object. Its bytes are raw memory, as those of
    // any buffer: whoever holds this sees to it that one thread at a time works on them.

    /// The memory.
    package let bytes: UnsafeMutableRawBufferPointer

    /// What a large page has, in bytes.
    package static let pageSize = 2 << 20

    /// - Parameters:
    ///   - byteCount: its size.
    ///   - inLargePages: false for what is smaller and made often, which would have to be cleared as a large page.
    package init(byteCount: Int, inLargePages: Bool = true) {
        guard inLargePages else {
            bytes = .allocate(byteCount: byteCount, alignment: 4096)
            return
        }
        // Less than all of a large page gets none.
        let whole = (byteCount + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: whole, alignment: Self.pageSize)
        valise_prefer_large_pages(memory.baseAddress, whole)
        bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount])
    }

    deinit { bytes.deallocate() }
}
