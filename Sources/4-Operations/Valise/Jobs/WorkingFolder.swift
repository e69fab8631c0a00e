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
        guard let text = getcwd(nil, 0) else { return nil }
        defer { free(text) }
        return FilePath(platformString: text)
    }
}
