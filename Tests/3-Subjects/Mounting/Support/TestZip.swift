import ValiseArchives
import ValiseFiles

/// Zip archives of a few files.
enum TestZip {
    /// Every second file is stored as it is.
    static func write(_ files: [String: [UInt8]], to file: consuming OpenFile) throws {
        let writer = try ZipWriter(file)
        for (number, (name, content)) in files.sorted(by: { $0.key < $1.key }).enumerated() {
            var rest = content[...]
            try writer.add(
                name, size: Int64(content.count), modificationTime: 1_700_000_000,
                method: number % 2 == 0 ? .deflated : .stored
            ) { buffer in
                let part = rest.prefix(buffer.count)
                buffer.copyBytes(from: part)
                rest = rest.dropFirst(part.count)
                return part.count
            }
        }
        _ = try writer.finish()
    }
}
