import CValisePlatform
import Synchronization
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How a lock is shared.
package enum LockMode: Sendable {
    case shared
    case exclusive
}

/// An advisory lock on a folder; given back when it goes out of scope, or when the process dies.
///
/// On the folder itself, so that locking leaves no file behind and works where nothing may be written.
package final class DirectoryLock: Sendable {
    let descriptor: FileDescriptor

    /// - Returns: nil when another holds it.
    /// - Throws: ``FileError``.
    package init?(_ path: FilePath, _ mode: LockMode) throws(FileError) {
        let opened: FileDescriptor
        do {
            opened = try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw FileError(cannot: "lock", path, error as? Errno ?? .ioError)
        }
        let operation = (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
        guard flock(opened.rawValue, operation) == 0 else {
            let errno = Errno.current
            try? opened.close()
            if errno == .wouldBlock || errno == .resourceTemporarilyUnavailable { return nil }
            throw FileError(cannot: "lock", path, errno)
        }
        // Not before: what has all its properties is deinitialised where its making fails, and would close what is
        // somebody else's by then.
        descriptor = opened
    }

    deinit {
        // Closing is not enough: a process that this one just started has the same open file until it becomes another
        // program.
        flock(descriptor.rawValue, LOCK_UN)
        try? descriptor.close()
    }

    /// A lock that may be held for a moment by nobody: one that was just killed has it until the system has cleaned up, and
    /// so has what it had just started until that becomes another program.
    ///
    /// - Parameters:
    ///   - path: the file or folder that is locked.
    ///   - mode: whether others may have it too.
    ///   - patience: how long it is tried.
    /// - Returns: nil when another holds it all the time.
    /// - Throws: ``FileError``.
    package static func take(
        _ path: FilePath, _ mode: LockMode, patience: Duration
    ) throws(FileError) -> DirectoryLock? {
        let end = ContinuousClock.now + patience
        while true {
            if let lock = try DirectoryLock(path, mode) { return lock }
            guard ContinuousClock.now < end else { return nil }
            FileSystem.wait(.milliseconds(20))
        }
    }
}

extension FileSystem {
    /// Lets the calling thread wait.
    package static func wait(_ duration: Duration) {
        usleep(UInt32(duration / .microseconds(1)))
    }
}

extension OpenFile {
    /// Takes a lock on a range of bytes that lasts until the file is closed.
    ///
    /// - Returns: whether it was had.
    /// - Throws: ``FileError`` for any other failure.
    package borrowing func lockRange(
        _ mode: LockMode, start: Int64, length: Int64
    ) throws(FileError) -> Bool {
        if valise_lock_range(descriptor.rawValue, mode == .exclusive, start, length) == 0 {
            isLocked.store(true, ordering: .relaxed)
            return true
        }
        let errno = Errno.current
        if errno == .resourceTemporarilyUnavailable || errno == .permissionDenied { return false }
        throw FileError(cannot: "lock", path, errno)
    }

    /// Gives every range back. Closing is not enough: a process that this one just started has the same open file until
    /// it becomes another program.
    borrowing func unlock() {
        if isLocked.load(ordering: .relaxed) { valise_unlock(descriptor.rawValue) }
    }

    /// The process that holds a lock in this range; 0 where the system does not tell, nil for nobody.
    package borrowing func lockHolder(start: Int64, length: Int64) -> Int32? {
        var owner = valise_lock_owner()
        guard unsafe valise_lock_holder(descriptor.rawValue, start, length, &owner) == 0, owner.held else {
            return nil
        }
        return owner.pid
    }
}
