import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

enum SymbolicLink {
    static func make(_ target: String, at path: FilePath) throws {
        guard path.withPlatformString({ symlink(target, $0) }) == 0 else { throw Errno(rawValue: errno) }
    }
}
