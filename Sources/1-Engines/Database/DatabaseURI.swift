import SystemPackage

/// SQLite's URI file names, which carry options for one file.
enum DatabaseURI {
    private static let unescaped = Set(
        "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// A file that is only read, without SQLite's locks.
    static func readOnlyUnderLock(_ path: FilePath) -> String {
        "file:\(escaped(path))?mode=ro&vfs=unix-none"
    }

    /// A file that is made where it is missing.
    static func creating(_ path: FilePath) -> String { "file:\(escaped(path))?mode=rwc" }

    private static func escaped(_ path: FilePath) -> String {
        var text: [UInt8] = []
        for byte in unsafe path.withCString({
            unsafe Array(UnsafeRawBufferPointer(start: $0, count: path.length))
        }) {
            if unescaped.contains(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
