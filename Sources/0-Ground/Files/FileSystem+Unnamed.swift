import CValisePlatform
package import SystemPackage
import ValiseFailures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is known by a path which is not its name: it may have none.
final class LentFile: Sendable {
    // Never read from, only opened once more and looked at.
    let path: FilePath
    private let file: OpenFile

    init(_ file: consuming OpenFile, as path: FilePath) {
        self.file = file
        self.path = path
    }

    /// Opens it once more, so that the new one has a position of its own.
    func open(_ interposer: (any FileInterposer)?) throws(FileError) -> OpenFile {
        try OpenFile.open(file.descriptor, path, interposer)
    }

    func attributes() throws(FileError) -> FileAttributes {
        try FileAttributes(descriptor: file.descriptor, path: path)
    }
}

extension OpenFile {
    /// Opens a regular file once more that is open elsewhere at its beginning, such as a standard input that comes from a
    /// file.
    ///
    /// - Parameters:
    ///   - descriptor: what is opened again for each reader.
    ///   - path: what errors call it.
    /// - Throws: ``FileError``: `unsupported` for anything but a regular file, and where some of it was read.
    package static func reopening(
        _ descriptor: FileDescriptor, as path: FilePath
    ) throws(FileError) -> OpenFile {
        let position = try? descriptor.seek(offset: 0, from: .current)
        guard try FileAttributes(descriptor: descriptor, path: path).kind == .regular, position == 0 else {
            throw FileError(.unsupported, "not a regular file positioned at its start", path)
        }
        let file = try Self.open(descriptor, path, nil)
        // What the system makes when it is read has no size.
        guard try file.size() > 0 else { throw FileError(.unsupported, "file has no size", path) }
        return file
    }

    fileprivate static func open(
        _ descriptor: FileDescriptor, _ path: FilePath, _ interposer: (any FileInterposer)?
    ) throws(FileError) -> OpenFile {
        do {
            let descriptor = try unsafe FileDescriptor.open(
                "/dev/fd/\(descriptor.rawValue)", .readOnly, options: [.closeOnExec])
            return OpenFile(path: path, descriptor: descriptor, interposer: interposer)
        } catch {
            throw FileError(cannot: "read", path, error as? Errno ?? .ioError)
        }
    }
}

extension FileSystem {
    /// The same file system with one file more, for reading: whoever asks for the path gets what is open here.
    ///
    /// - Parameters:
    ///   - file: what readers of the path get.
    ///   - path: shadows what has this name.
    package func lending(_ file: consuming OpenFile, as path: FilePath) -> FileSystem {
        FileSystem(interposer: interposer, lent: LentFile(file, as: path))
    }

    /// Makes a file that has no name, or has lost it before anything is in it: it goes when it is closed, and when this
    /// process ends in whatever way. For this user alone.
    /// - Throws: ``FileError``.
    package func createUnnamed(in folder: FilePath) throws(FileError) -> OpenFile {
        let name = folder.appending(
            ".valise-unnamed-\(ProcessIdentity.current)-\(UInt32.random(in: 0 ... .max))")
        try ask(.create(name), "create", folder)
        let descriptor = unsafe folder.withPlatformString { unsafe valise_open_unnamed($0) }
        if descriptor >= 0 {
            return OpenFile(
                path: name, descriptor: FileDescriptor(rawValue: descriptor), interposer: interposer)
        }
        switch Errno.current {
        case .noFunction, .notSupported, .notSupportedOnSocket, .isDirectory, .invalidArgument: break
        case let errno: throw FileError(cannot: "create", folder, errno)
        }
        let file = try create(name)
        try remove(name)
        return file
    }
}
