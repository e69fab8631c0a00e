import Synchronization
package import SystemPackage
import ValiseFiles

/// A folder that takes long to make and that many tests begin with: made once in a run, and written from memory then.
package enum PreparedFolder {
    private static let prepared = Mutex<[String: [String: [UInt8]?]]>([:])

    /// - Parameters:
    ///   - name: what is the same for all that may share it.
    ///   - make: makes the folder, where it was not made yet.
    package static func place(
        _ name: String, at path: FilePath, _ make: (FilePath) throws -> Void
    ) throws {
        guard let contents = prepared.withLock({ $0[name] }) else {
            try make(path)
            let contents = try TemporaryFolder.contents(of: path)
            prepared.withLock { $0[name] = contents }
            return
        }
        let fileSystem = FileSystem()
        try fileSystem.makeDirectory(path)
        // A folder sorts before what is in it.
        for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
            if let bytes {
                var file = try fileSystem.create(path.appending(name))
                try file.write(bytes)
            } else {
                try fileSystem.makeDirectory(path.appending(name))
            }
        }
    }
}
