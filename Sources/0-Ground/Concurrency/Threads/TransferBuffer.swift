import CValisePlatform

/// Memory that is read from files and written to them in large pieces.
///
/// It lies in large pages where the system has them: a disk gets a piece of 2 MiB as one then, where small pages are five
/// hundred, and virtual disks are three times as fast.
public final class TransferBuffer: @unchecked Sendable {
    // Whoever holds it sees to it that one thread works on it at a time.
    public let bytes: UnsafeMutableRawBufferPointer

    /// What a large page has, in bytes.
    public static let pageSize = 2 << 20

    /// - Parameter inLargePages: false for what is smaller and made often, which would have to be cleared as a large page.
    public init(byteCount: Int, inLargePages: Bool = true) {
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
