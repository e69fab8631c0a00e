package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Changing what the system says of a file. Flush the file to make it durable.
extension OpenFile {
    /// Sets the modification time.
    ///
    /// - Parameters:
    ///   - seconds: since 1970.
    ///   - nanoseconds: the rest of it, below a thousand million.
    /// - Throws: ``FileError``.
    package borrowing func setModificationTime(
        _ seconds: Int64, nanoseconds: Int64 = 0
    ) throws(FileError) {
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
        guard unsafe futimens(descriptor.rawValue, [time, time]) == 0 else {
            throw FileError(cannot: "set the modification time", path, .current)
        }
    }

    /// Sets the permission bits, whatever the process's mask is.
    /// - Throws: ``FileError``.
    package borrowing func setPermissions(_ permissions: FilePermissions) throws(FileError) {
        try ask("change the permissions")
        guard fchmod(descriptor.rawValue, permissions.rawValue) == 0 else {
            throw FileError(cannot: "change the permissions", path, .current)
        }
    }

    /// Gives the file to a user and a group, by their numbers. The system lets only its administrator do that.
    /// - Throws: ``FileError``: `denied`.
    package borrowing func setOwner(_ owner: UInt32, group: UInt32) throws(FileError) {
        try ask("change the owner")
        guard fchown(descriptor.rawValue, owner, group) == 0 else {
            throw FileError(cannot: "change the owner", path, .current)
        }
    }

    private borrowing func ask(_ verb: String) throws(FileError) {
        if case .fail(let errno) = interposer?.verdict(on: .write(path, count: 0)) {
            throw FileError(cannot: verb, path, errno)
        }
    }
}
