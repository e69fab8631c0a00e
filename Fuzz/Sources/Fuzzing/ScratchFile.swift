public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file in memory, written anew for each input.
public struct ScratchFile: Sendable {
    public let path: FilePath

    /// - Parameter name: under which it lies in the scratch folder: `VALISE_FUZZ_SCRATCH`, which the script makes and
    ///   removes, or the current folder.
    public init(_ name: String) {
        let folder = getenv("VALISE_FUZZ_SCRATCH").map { String(cString: $0) } ?? "."
        path = FilePath(folder).appending("\(name)-\(getpid())")
    }

    /// A file within a scratch folder.
    public init(_ path: FilePath) { self.path = path }

    /// Puts these bytes in place of the previous ones.
    public func write(_ bytes: [UInt8]) {
        do {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
            try file.closeAfter { _ = try file.writeAll(bytes) }
        } catch {
            FuzzRun.require(false, "the scratch file \(path) can be written (\(error))")
        }
    }
}
