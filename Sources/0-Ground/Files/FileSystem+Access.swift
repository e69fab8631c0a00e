import CValisePlatform
package import SystemPackage

/// What can be known before anything is changed.
extension FileSystem {
    /// By what the mount is known that something lies on; nil where the system does not tell. One file system
    /// may be mounted at several places, and renaming does not reach from one to the other.
    package func mountIdentifier(of path: FilePath) -> Int64? {
        let identifier = unsafe path.withPlatformString { unsafe valise_mount_id($0) }
        return identifier < 0 ? nil : identifier
    }

    /// Checks that names in a folder may be made and removed, without trying it.
    /// - Throws: ``FileError``: `denied`, `notFound`.
    package func checkMayChange(_ folder: FilePath) throws(FileError) {
        guard unsafe folder.withPlatformString({ unsafe valise_may_change($0) }) == 0 else {
            throw FileError(cannot: "change", folder, .current)
        }
    }
}
