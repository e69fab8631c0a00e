import CValiseArchive
import ValiseFailures

/// libarchive, which is loaded when it is first needed. Every handle of it comes from here.
package enum ArchiveLibrary {
    /// The version of the loaded library, such as `3.6.2`.
    /// - Throws: ``ContainerError`` with `noLibrary`.
    package static func version() throws(ContainerError) -> String {
        try load()
        guard let text = unsafe valise_archive_version_string() else { return "?" }
        return String(unsafe String(cString: text).trimmingPrefix("libarchive "))
    }

    /// - Returns: a new handle for reading, which its owner frees.
    /// - Throws: ``ContainerError`` with `noLibrary`, or where memory is short.
    static func makeReader() throws(ContainerError) -> OpaquePointer {
        try load()
        guard let handle = unsafe valise_archive_read_new() else { throw .noMemory }
        return unsafe handle
    }

    /// - Returns: a new handle for writing, which its owner frees.
    /// - Throws: ``ContainerError`` with `noLibrary`, or where memory is short.
    static func makeWriter() throws(ContainerError) -> OpaquePointer {
        try load()
        guard let handle = unsafe valise_archive_write_new() else { throw .noMemory }
        return unsafe handle
    }

    // MARK: Loading

    private static func load() throws(ContainerError) { try unsafe check(valise_archive_load()) }

    /// Loads another library as if it were libarchive. Nothing of it is used: this is for tests.
    /// - Throws: ``ContainerError`` with `noLibrary` where it is missing, or is not libarchive.
    package static func tryLoading(_ name: String) throws(ContainerError) {
        try unsafe check(valise_archive_try(name))
    }

    /// - Parameter reason: why it could not be loaded; nil if it was.
    private static func check(_ reason: UnsafePointer<CChar>?) throws(ContainerError) {
        guard let reason = unsafe reason else { return }
        let text = unsafe String(cString: reason).replacingControls { _ in "?" }
        throw ContainerError(
            .failed, .noLibrary,
            "cannot load libarchive, which tar, cpio and 7z archives need: \(text). Nothing was changed.",
            remedy: .installLibarchive)
    }
}
