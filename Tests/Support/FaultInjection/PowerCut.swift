import Synchronization
package import SystemPackage
package import ValiseFiles

/// Takes the power away at the n-th changing operation below a folder: nothing works from then on, and what was not
/// flushed is lost.
///
/// Stricter than most file systems are: a file has the bytes of its last flush, a folder the names of its last flush,
/// and nothing else was written back in time. For folders without folders that come or go.
package final class PowerCut: FileInterposer {
    private struct State {
        var count = 0
        /// By folder, what names lead to which files.
        var names: [FilePath: [String: FileIdentity]] = [:]
        var contents: [FileIdentity: [UInt8]] = [:]
        /// Open files keep their numbers, which a new one could get otherwise.
        var files: [FileIdentity: FileSource] = [:]
    }

    private let position: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - folders: which count; all that is in them now is durable.
    ///   - position: from 1.
    package init(_ folders: [FilePath], at position: Int = .max) throws {
        self.position = position
        state = Mutex(State())
        try state.withLock { state in
            for folder in folders {
                for path in try Self.keepNames(folder, &state) { try Self.keepContent(path, &state) }
            }
        }
    }

    /// Whether the n-th operation was reached.
    package var wasReached: Bool { state.withLock { $0.count } >= position }

    package func verdict(on operation: FileOperation) -> FileOperationVerdict {
        state.withLock { state in
            state.count += 1
            guard state.count < position else { return .fail(.ioError) }
            do {
                if case .synchronize(let path) = operation {
                    if try FileSystem().isDirectory(path) {
                        _ = try Self.keepNames(path, &state)
                    } else {
                        try Self.keepContent(path, &state)
                    }
                }
                return .proceed
            } catch {
                return .fail(.ioError)
            }
        }
    }

    @discardableResult
    private static func keepNames(_ folder: FilePath, _ state: inout State) throws -> [FilePath] {
        var names: [String: FileIdentity] = [:]
        var paths: [FilePath] = []
        for entry in try FileSystem().list(folder) where entry.kind == .regular {
            guard let name = entry.name else { continue }
            let source = try FileSource(folder.appending(name))
            let identity = try source.attributes().identity
            state.files[identity] = source
            names[name] = identity
            paths.append(folder.appending(name))
        }
        state.names[folder] = names
        return paths
    }

    private static func keepContent(_ path: FilePath, _ state: inout State) throws {
        let source = try FileSource(path)
        let identity = try source.attributes().identity
        state.files[identity] = source
        state.contents[identity] = try FileSystem().contents(of: path, limit: 1 << 28)
    }

    /// Leaves in the folders what a machine would find after the cut.
    package func leaveWhatIsDurable() throws {
        let fileSystem = FileSystem()
        try state.withLock { state in
            for (folder, names) in state.names {
                for entry in try fileSystem.list(folder) where entry.kind == .regular {
                    guard let name = entry.name else { continue }
                    try fileSystem.remove(folder.appending(name))
                }
                for (name, identity) in names {
                    var file = try fileSystem.create(folder.appending(name))
                    try file.write(state.contents[identity] ?? [])
                    try file.close()
                }
            }
            state.files = [:]
        }
    }
}
