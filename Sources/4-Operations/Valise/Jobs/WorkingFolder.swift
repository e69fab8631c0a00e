package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where relative paths of this process begin.
package enum WorkingFolder {
    /// Nil where it was removed, or cannot be looked at.
    package static var path: FilePath? {
        guard let text = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(text) }
        return unsafe FilePath(platformString: text)
    }

    /// A path from the root; nil where it begins in this folder and that is not known.
    package static func absolute(_ path: FilePath) -> FilePath? {
        path.isAbsolute ? path : Self.path?.pushing(path)
    }
}
