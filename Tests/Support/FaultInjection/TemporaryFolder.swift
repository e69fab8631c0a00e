import Synchronization
package import SystemPackage
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder for one test, gone with it.
package final class TemporaryFolder: Sendable {
    package let path: FilePath
    private let fileSystem = FileSystem()

    /// - Parameter inMemory: where the system has such a place: flushes cost nothing there.
    package init(_ name: String = "valise-test", inMemory: Bool = false) throws {
        ThrownErrors.withoutBacktraces
        let memory = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : nil
        let base = memory ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/\(name).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        path = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    deinit { try? fileSystem.removeTree(path) }

    /// For what many tests start from: in memory where there is such a place, and gone when the process ends.
    package static func untilExit(_ name: String) throws -> FilePath {
        let folder = try TemporaryFolder(name, inMemory: true)
        let isFirst = kept.withLock { kept in
            kept.append(folder)
            return kept.count == 1
        }
        if isFirst {
            atexit { TemporaryFolder.kept.withLock { $0.removeAll() } }
        }
        return folder.path
    }

    private static let kept = Mutex<[TemporaryFolder]>([])

    /// A path inside.
    package func appending(_ name: String) -> FilePath { path.appending(name) }

    /// Copies a folder with all that is in it.
    package static func copyTree(_ source: FilePath, to target: FilePath) throws {
        let fileSystem = FileSystem()
        try fileSystem.makeDirectory(target)
        for entry in try fileSystem.list(source) {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            let (from, to) = (source.appending(name), target.appending(name))
            if entry.kind == .directory {
                try copyTree(from, to: to)
            } else {
                // Without the flush that makes a copy durable: a test does not need it, and waits for the disk.
                var file = try fileSystem.create(to)
                try file.append(contentsOf: fileSystem.openForReading(from))
            }
        }
    }

    /// Every path below a folder with its bytes, folders with nil.
    package static func contents(of folder: FilePath, under prefix: String = "") throws -> [String: [UInt8]?]
    {
        let fileSystem = FileSystem()
        var contents: [String: [UInt8]?] = [:]
        for entry in try fileSystem.list(folder) {
            guard let name = entry.name else { continue }
            let path = folder.appending(name)
            if entry.kind == .directory {
                contents[prefix + name + "/"] = .some(nil)
                contents.merge(try self.contents(of: path, under: prefix + name + "/")) { a, _ in a }
            } else if entry.kind == .symbolicLink {
                contents[prefix + name] = Array("a link".utf8)
            } else {
                contents[prefix + name] = try fileSystem.contents(of: path, limit: 1 << 30)
            }
        }
        return contents
    }
}
