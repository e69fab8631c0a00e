import CValisePlatform
package import SystemPackage
import ValiseFailures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file system as Valise uses it. Every changing operation goes through here, so that a test can make it fail.
///
/// No operation follows a symbolic link in the last component of a path.
public struct FileSystem: Sendable {
    let interposer: (any FileInterposer)?
    private let lent: LentFile?

    /// The file system of the machine.
    public init() { self.init(interposer: nil, lent: nil) }

    /// - Parameter interposer: stands before every change.
    package init(interposer: (any FileInterposer)?) { self.init(interposer: interposer, lent: nil) }

    init(interposer: (any FileInterposer)?, lent: LentFile?) {
        self.interposer = interposer
        self.lent = lent
    }

    func ask(_ operation: FileOperation, _ verb: String, _ path: FilePath) throws(FileError) {
        if case .fail(let errno) = interposer?.verdict(on: operation) {
            throw FileError(cannot: verb, path, errno)
        }
    }

    private func check(_ result: Int32, _ verb: String, _ path: FilePath) throws(FileError) {
        guard result == 0 else { throw FileError(cannot: verb, path, .current) }
    }

    // MARK: Opening

    /// Opens a regular file for reading, never waiting for the other end of a pipe.
    /// - Throws: ``FileError``: `notFound`, `denied`, `unsupported` for anything but a regular file.
    package func openForReading(_ path: FilePath) throws(FileError) -> OpenFile {
        if case .fail(let errno) = interposer?.verdict(onReading: path, count: 0) {
            throw FileError(cannot: "read", path, errno)
        }
        if let lent, lent.path == path { return try lent.open(interposer) }
        return try open(path, .readOnly, [.noFollow, .closeOnExec, .nonBlocking], verb: "read")
    }

    /// Opens a regular file for reading and writing what is there.
    /// - Throws: ``FileError``.
    package func openForUpdating(_ path: FilePath) throws(FileError) -> OpenFile {
        try open(path, .readWrite, [.noFollow, .closeOnExec, .nonBlocking], verb: "open")
    }

    /// Makes a file that must not be there yet.
    /// - Throws: ``FileError``: `alreadyExists`, `noSpace`, `denied`.
    package func create(
        _ path: FilePath, permissions: FilePermissions = .ownerReadWrite
    ) throws(FileError) -> OpenFile {
        try ask(.create(path), "create", path)
        return try open(
            path, .readWrite, [.create, .exclusiveCreate, .noFollow, .closeOnExec], permissions,
            verb: "create")
    }

    /// Opens the file, making it where it is missing.
    /// - Throws: ``FileError``.
    package func openOrCreate(
        _ path: FilePath, permissions: FilePermissions = .ownerReadWrite
    ) throws(FileError) -> OpenFile {
        try ask(.create(path), "create", path)
        return try open(
            path, .readWrite, [.create, .noFollow, .closeOnExec], permissions, verb: "create")
    }

    private func open(
        _ path: FilePath, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        _ permissions: FilePermissions? = nil, verb: String
    ) throws(FileError) -> OpenFile {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(path, mode, options: options, permissions: permissions)
        } catch {
            throw FileError(cannot: verb, path, error as? Errno ?? .ioError)
        }
        let file = OpenFile(path: path, descriptor: descriptor, interposer: interposer)
        // What was made this moment is a regular file.
        if options.contains(.exclusiveCreate) { return file }
        var status = stat()
        try unsafe check(fstat(descriptor.rawValue, &status), verb, path)
        let kind = FileKind(mode: status.st_mode)
        guard kind == .regular else {
            throw FileError(
                .unsupported, kind == .directory ? "is a folder, not a file" : "not a regular file", path)
        }
        return file
    }

    // MARK: Looking

    /// What is at `path`, or nil when nothing is there.
    /// - Throws: ``FileError`` for anything but absence.
    package func attributes(of path: FilePath) throws(FileError) -> FileAttributes? {
        if let lent, lent.path == path { return try lent.attributes() }
        var status = stat()
        guard unsafe path.withPlatformString({ unsafe lstat($0, &status) }) == 0 else {
            let errno = Errno.current
            if errno == .noSuchFileOrDirectory || errno == .notDirectory { return nil }
            throw FileError(cannot: "access", path, errno)
        }
        return FileAttributes(status)
    }

    /// Whether something is at `path`.
    /// - Throws: ``FileError`` when the system does not let us look.
    package func exists(_ path: FilePath) throws(FileError) -> Bool {
        try attributes(of: path) != nil
    }

    /// The entries of a folder, sorted by the bytes of their names, without `.` and `..`.
    /// - Throws: ``FileError``: `notFound`, `denied`.
    package func list(_ directory: FilePath) throws(FileError) -> [DirectoryEntry] {
        var entries: [DirectoryEntry] = []
        try forEachEntry(of: directory) { entries.append($0) }
        return entries.sorted { $0.nameBytes.lexicographicallyPrecedes($1.nameBytes) }
    }

    /// Goes through a folder of any size in the order that the system has, without `.` and `..`.
    ///
    /// What `body` makes or removes there may come or not.
    ///
    /// - Throws: ``FileError``: `notFound`, `denied`; whatever `body` throws.
    package func forEachEntry(
        of directory: FilePath, _ body: (DirectoryEntry) throws(FileError) -> Void
    ) throws(FileError) {
        guard let stream = unsafe directory.withPlatformString({ unsafe opendir($0) }) else {
            throw FileError(cannot: "list", directory, .current)
        }
        defer { unsafe closedir(stream) }
        while true {
            clearErrno()
            guard let entry = unsafe readdir(stream) else {
                let errno = Errno.current
                guard errno.rawValue == 0 else { throw FileError(cannot: "list", directory, errno) }
                return
            }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
                let end = unsafe field.firstIndex(of: 0) ?? field.count
                return unsafe Array(field[..<end])
            }
            if name.first == UInt8(ascii: "."), Self.own.contains(name) { continue }
            let kind = unsafe FileKind(directoryEntry: entry.pointee.d_type)
            if let found = try self.entry(name, kind, in: directory) { try body(found) }
        }
    }

    /// The names that a folder has for itself and for the one above.
    private static let own: [[UInt8]] = [Array(".".utf8), Array("..".utf8)]

    private func entry(
        _ name: [UInt8], _ kind: FileKind?, in directory: FilePath
    ) throws(FileError) -> DirectoryEntry? {
        if let kind { return DirectoryEntry(nameBytes: name, kind: kind) }
        guard let component = FilePath.Component(bytes: name) else { return nil }
        // Gone between the listing and the look: it is not an entry any more.
        guard let found = try attributes(of: directory.appending(component)) else { return nil }
        return DirectoryEntry(nameBytes: name, kind: found.kind)
    }

    /// Bytes that an ordinary user may still write where `path` lies.
    /// - Throws: ``FileError``.
    package func freeSpace(at path: FilePath) throws(FileError) -> Int64 {
        var information = statvfs()
        guard unsafe path.withPlatformString({ unsafe statvfs($0, &information) }) == 0 else {
            throw FileError(cannot: "access", path, .current)
        }
        let blocks = UInt64(information.f_bavail)
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: UInt64(information.f_frsize))
        let space = overflow ? .max : Int64(clamping: bytes)
        return interposer?.freeSpace(space) ?? space
    }

    /// The path without symbolic links and dots, of something that exists.
    /// - Throws: ``FileError``.
    package func resolve(_ path: FilePath) throws(FileError) -> FilePath {
        if let lent, lent.path == path { return path }
        guard let resolved = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) else {
            throw FileError(cannot: "access", path, .current)
        }
        defer { unsafe free(resolved) }
        return unsafe FilePath(platformString: resolved)
    }

    // MARK: Changing

    /// Makes one folder.
    /// - Throws: ``FileError``: `alreadyExists`, `notFound` when its parent is missing.
    package func makeDirectory(
        _ path: FilePath, permissions: FilePermissions = .ownerReadWriteExecute
    ) throws(FileError) {
        try ask(.makeDirectory(path), "create", path)
        try unsafe check(path.withPlatformString { unsafe mkdir($0, permissions.rawValue) }, "create", path)
    }

    /// Renames, replacing a file of the new name; across folders of one file system.
    /// - Throws: ``FileError``.
    package func rename(_ from: FilePath, to: FilePath) throws(FileError) {
        try ask(.rename(from, to: to), "rename", from)
        let result = unsafe from.withPlatformString { source in
            unsafe to.withPlatformString { target in unsafe Self.systemRename(source, target) }
        }
        try check(result, "rename", from)
    }

    /// Renames, and fails when something of the new name is there.
    ///
    /// Where the file system cannot do that in one step (NFS, some of FUSE), a file gets the new name beside the
    /// previous one, which then goes: killed in between, it has both.
    ///
    /// - Throws: ``FileError``: `alreadyExists`; `unsupported` where there are no hard links either. When the
    ///   previous name could not be removed the file has both.
    package func renameExclusively(_ from: FilePath, to: FilePath) throws(FileError) {
        do throws(FileError) {
            try renameInOneStep(from, to: to)
        } catch  where Self.saysCannotExclude(error.errno) {
            do throws(FileError) {
                try link(from, as: to)
            } catch  where error.errno == .notPermitted || Self.saysCannotExclude(error.errno) {
                throw FileError(
                    .unsupported,
                    "the file system supports neither exclusive renames nor hard links. Nothing was changed.",
                    to, errno: error.errno, remedy: .chooseAnotherFileSystem)
            }
            try remove(from)
        }
    }

    private static func saysCannotExclude(_ errno: Errno?) -> Bool {
        switch errno {
        case .invalidArgument, .noFunction, .notSupported, .notSupportedOnSocket: true
        default: false
        }
    }

    private func renameInOneStep(_ from: FilePath, to: FilePath) throws(FileError) {
        try ask(.rename(from, to: to), "create", to)
        let result = unsafe from.withPlatformString { source in
            unsafe to.withPlatformString { target in unsafe valise_rename_exclusive(source, target) }
        }
        try check(result, "create", to)
    }

    /// Gives a file a second name that must not be there yet.
    /// - Throws: ``FileError``: `unsupported` or `denied` where the file system has no hard links.
    package func link(_ path: FilePath, as second: FilePath) throws(FileError) {
        try ask(.create(second), "create", second)
        let result = unsafe path.withPlatformString { source in
            unsafe second.withPlatformString { target in unsafe Self.systemLink(source, target) }
        }
        try check(result, "create", second)
    }

    /// Removes a file or link.
    /// - Throws: ``FileError``.
    package func remove(_ path: FilePath) throws(FileError) {
        try ask(.remove(path), "remove", path)
        try unsafe check(path.withPlatformString { unsafe unlink($0) }, "remove", path)
    }

    /// Removes an empty folder.
    /// - Throws: ``FileError``.
    package func removeDirectory(_ path: FilePath) throws(FileError) {
        try ask(.remove(path), "remove", path)
        try unsafe check(path.withPlatformString { unsafe rmdir($0) }, "remove", path)
    }

    /// Sets the permission bits.
    /// - Throws: ``FileError``.
    package func setPermissions(_ permissions: FilePermissions, of path: FilePath) throws(FileError) {
        try unsafe check(
            path.withPlatformString { unsafe chmod($0, permissions.rawValue) }, "change the permissions", path
        )
    }

    /// Makes the names in a folder durable: creations, renames and removals before this survive a power cut.
    /// - Throws: ``FileError``.
    package func synchronizeDirectory(_ path: FilePath) throws(FileError) {
        try ask(.synchronize(path), "flush", path)
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw FileError(cannot: "flush", path, error as? Errno ?? .ioError)
        }
        defer { try? descriptor.close() }
        try check(fsync(descriptor.rawValue), "flush", path)
    }

    /// Makes everything that was written to the file system of `path` durable. One call for many small
    /// files costs what one flush costs.
    /// - Throws: ``FileError``.
    package func synchronizeAll(_ path: FilePath) throws(FileError) {
        try ask(.synchronizeAll(path), "flush", path)
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        } catch {
            throw FileError(cannot: "flush", path, error as? Errno ?? .ioError)
        }
        defer { try? descriptor.close() }
        try check(valise_flush_file_system(descriptor.rawValue), "flush", path)
    }

    private static func systemLink(
        _ from: UnsafePointer<CInterop.PlatformChar>, _ to: UnsafePointer<CInterop.PlatformChar>
    ) -> Int32 {
        #if canImport(Glibc)
            unsafe Glibc.link(from, to)
        #else
            Darwin.link(from, to)
        #endif
    }

    private static func systemRename(
        _ from: UnsafePointer<CInterop.PlatformChar>, _ to: UnsafePointer<CInterop.PlatformChar>
    ) -> Int32 {
        #if canImport(Glibc)
            unsafe Glibc.rename(from, to)
        #else
            Darwin.rename(from, to)
        #endif
    }
}

private func clearErrno() {
    #if canImport(Glibc)
        Glibc.errno = 0
    #else
        Darwin.errno = 0
    #endif
}

extension Errno {
    /// The calling thread's error number.
    static var current: Errno {
        #if canImport(Glibc)
            Errno(rawValue: Glibc.errno)
        #else
            Errno(rawValue: Darwin.errno)
        #endif
    }
}

extension FileKind {
    /// What the listing itself says; nil on file systems that leave it open.
    init?(directoryEntry type: UInt8) {
        switch Int(type) {
        case Int(DT_REG): self = .regular
        case Int(DT_DIR): self = .directory
        case Int(DT_LNK): self = .symbolicLink
        case Int(DT_UNKNOWN): return nil
        default: self = .special
        }
    }

    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .symbolicLink
        default: self = .special
        }
    }
}

extension FileAttributes {
    init(_ status: stat) {
        self.init(
            kind: FileKind(mode: status.st_mode),
            size: Int64(status.st_size),
            permissions: FilePermissions(rawValue: status.st_mode & 0o7777),
            owner: status.st_uid,
            group: status.st_gid,
            modificationTime: Int64(status.st_mtim.tv_sec),
            modificationNanoseconds: Int64(status.st_mtim.tv_nsec),
            changeTime: Int64(status.st_ctim.tv_sec),
            changeNanoseconds: Int64(status.st_ctim.tv_nsec),
            links: Int(status.st_nlink),
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino))
    }
}

extension FilePath.Component {
    /// A component from the raw bytes of a name; nil for what cannot be one name.
    package init?(bytes: [UInt8]) {
        guard !bytes.isEmpty, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else { return nil }
        let path = unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CInterop.PlatformChar.self) {
                unsafe FilePath(platformString: $0.baseAddress!)
            }
        }
        guard let component = path.lastComponent, component.kind == .regular else { return nil }
        self = component
    }
}

// MARK: The system's own files

extension FileSystem {
    /// The text of a file under `/proc`, without the line break at its end.
    /// - Throws: ``FileError``.
    package func procText(_ path: FilePath) throws(FileError) -> String {
        let file = try openForReading(path)
        var text = String(decoding: try file.bytes(at: 0, count: 1 << 20), as: UTF8.self)
        if text.last == "\n" { text.removeLast() }
        return text
    }

    /// The processes that have one of the files open, as far as the system lets us see.
    ///
    /// - Parameter paths: the files' resolved paths.
    package func processes(withOpen paths: [FilePath]) -> [Int32] {
        let wanted = paths.map { path in
            unsafe path.withPlatformString {
                unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            }
        }
        var found: [Int32] = []
        guard let processes = unsafe opendir("/proc") else { return [] }
        defer { unsafe closedir(processes) }
        while let entry = unsafe readdir(processes) {
            let number = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe Int32(atoi($0)) }
            }
            if number > 0, hasOpen(wanted, process: number) { found.append(number) }
        }
        return found
    }

    private func hasOpen(_ wanted: [[UInt8]], process: Int32) -> Bool {
        guard let stream = unsafe opendir("/proc/\(process)/fd") else { return false }
        defer { unsafe closedir(stream) }
        // One byte more than the longest: a longer target is cut, and differs in length.
        var buffer = [UInt8](repeating: 0, count: (wanted.map(\.count).max() ?? 0) + 1)
        while let entry = unsafe readdir(stream) {
            let length = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    unsafe buffer.withUnsafeMutableBytes {
                        unsafe readlinkat(
                            dirfd(stream), name, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count
                        )
                    }
                }
            }
            if wanted.contains(where: { $0.count == length && $0.elementsEqual(buffer[..<length]) }) {
                return true
            }
        }
        return false
    }
}

/// This process.
package enum ProcessIdentity {
    /// Its number.
    package static var current: Int32 { getpid() }

    /// The number of the user in whose name it runs.
    package static var user: UInt32 { geteuid() }
}
