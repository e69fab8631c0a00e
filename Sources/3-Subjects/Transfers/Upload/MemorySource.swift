import SystemPackage
import ValiseFiles
import ValiseSecrets

/// Secret bytes that are read as a file.
final class MemorySource: ByteSource {
    private let content: SharedSecret
    let path: FilePath

    init(_ content: SharedSecret, name: String) {
        self.content = content
        path = FilePath(name)
    }

    var size: Int64 { Int64(content.bytes.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        unsafe content.bytes.withBytes { bytes in
            guard let start = Int(exactly: offset), start < bytes.count else { return 0 }
            let count = min(buffer.count, bytes.count - start)
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            return count
        }
    }
}
