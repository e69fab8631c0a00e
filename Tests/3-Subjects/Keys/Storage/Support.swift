import SystemPackage
import ValiseFiles
import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

func symbolicLink(to target: FilePath, at path: FilePath) throws {
    guard symlink(target.string, path.string) == 0 else { throw Errno(rawValue: errno) }
}

/// The bytes of a secret, which a test may see.
func bytes(_ secret: borrowing SecretBytes?) -> [UInt8]? {
    switch secret {
    case .some(let secret): secret.withBytes { Array($0) }
    case nil: nil
    }
}
