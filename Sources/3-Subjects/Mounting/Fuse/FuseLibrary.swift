import CValiseFuse
import ValiseFailures

/// libfuse, which is loaded when the first tree is mounted.
package enum FuseLibrary {
    /// The version of the loaded library, such as `3.14.0`.
    /// - Throws: ``MountError`` with `failed` where it cannot be loaded.
    package static func version() throws(MountError) -> String {
        try load()
        return unsafe String(cString: valise_fuse_version())
    }

    static func load() throws(MountError) { try unsafe check(valise_fuse_load()) }

    /// What would be thrown for a library of another name, of which nothing is used.
    static func attempt(_ name: String) throws(MountError) { try unsafe check(valise_fuse_try(name)) }

    private static func check(_ reason: UnsafePointer<CChar>?) throws(MountError) {
        guard let reason = unsafe reason else { return }
        let text = unsafe String(cString: reason)
        throw MountError(
            .failed, "cannot load libfuse, which mounts file systems: \(text)", remedy: .installLibfuse)
    }
}
