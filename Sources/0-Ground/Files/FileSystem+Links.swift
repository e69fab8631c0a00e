package import SystemPackage
import ValiseFailures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileSystem {
    /// Makes a symbolic link that must not be there yet. Its target need not exist.
    /// - Throws: ``FileError``: `alreadyExists`.
    package func makeSymbolicLink(_ path: FilePath, to target: String) throws(FileError) {
        try ask(.create(path), "create", path)
        let result = unsafe path.withPlatformString { unsafe symlink(target, $0) }
        guard result == 0 else { throw FileError(cannot: "create", path, .current) }
    }

    /// The target of a symbolic link, as its bytes are.
    /// - Throws: ``FileError``: `notFound`, `unsupported` for a target of more than 4,096 bytes.
    package func symbolicLinkTarget(of path: FilePath) throws(FileError) -> [UInt8] {
        var target = [UInt8](repeating: 0, count: 4097)
        let count = unsafe path.withPlatformString { name in
            unsafe target.withUnsafeMutableBytes { memory in
                unsafe readlink(name, memory.baseAddress!.assumingMemoryBound(to: CChar.self), memory.count)
            }
        }
        guard count >= 0 else { throw FileError(cannot: "read", path, .current) }
        guard count < target.count else {
            throw FileError(.unsupported, "the target of the symbolic link is too long", path)
        }
        target.removeLast(target.count - count)
        return target
    }
}
