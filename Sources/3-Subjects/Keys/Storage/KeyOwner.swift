package import SystemPackage
import ValiseEncoding
package import ValiseFiles

/// Whose passphrase it is: an account, by its folder without symbolic links and the prefix of its databases.
///
/// Two ways to one folder are one owner; two accounts in one folder are two. An account that was moved is
/// another one: its passphrase is stored again at the new place, and forgotten at the old.
package struct KeyOwner: Sendable, Hashable {
    package let directory: FilePath
    package let prefix: String

    /// Folder and prefix as the path that the official `--database` takes, with each byte that is no
    /// printable UTF-8, and the percent sign, as `%XX`: one line of text that every store can keep.
    package let name: String

    /// - Parameters:
    ///   - directory: need not exist any more: what is missing of it stays as it is written.
    ///   - prefix: has no slash.
    ///   - fileSystem: where it is looked for.
    /// - Throws: `FileError`.
    package init(
        directory: FilePath, prefix: String, fileSystem: FileSystem = FileSystem()
    ) throws(FileError) {
        self.init(resolved: try Self.resolve(directory, fileSystem), prefix)
    }

    private init(resolved directory: FilePath, _ prefix: String) {
        self.directory = directory
        self.prefix = prefix
        name = Self.escape(directory.appending(prefix))
    }

    /// The owner that a store names; nil when the name is none of ours.
    init?(name: String) {
        guard let path = Self.unescape(name), path.isAbsolute, let prefix = path.lastComponent else {
            return nil
        }
        self.init(resolved: path.removingLastComponent(), prefix.string)
        guard self.name == name else { return nil }
    }

    private static func resolve(
        _ path: FilePath, _ fileSystem: FileSystem
    ) throws(FileError) -> FilePath {
        let path = path.isEmpty ? FilePath(".") : path
        if try fileSystem.exists(path) { return try fileSystem.resolve(path) }
        guard let name = path.lastComponent, name.kind == .regular else {
            return try fileSystem.resolve(path)
        }
        return try resolve(path.parentFolder, fileSystem).appending(name)
    }

    private static func escape(_ path: FilePath) -> String {
        let bytes = unsafe path.withPlatformString { start in
            unsafe Array(UnsafeRawBufferPointer(start: start, count: path.length))
        }
        // Text that is whole UTF-8 keeps its letters; else everything but ASCII is escaped.
        let isText = String(validating: bytes, as: UTF8.self) != nil
        var escaped: [UInt8] = []
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") || (byte >= 0x80 && !isText) {
                escaped += Array("%".utf8) + Array(Hexadecimal.encode([byte]).utf8)
            } else {
                escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func unescape(_ name: String) -> FilePath? {
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard !bytes.contains(0) else { return nil }
        return unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CInterop.PlatformChar.self) {
                unsafe $0.baseAddress.map { unsafe FilePath(platformString: $0) }
            }
        }
    }
}
