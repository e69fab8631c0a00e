import SystemPackage
import ValiseFailures
import ValiseFiles

/// The folder that a tree is mounted on.
struct MountPoint {
    /// Without links.
    let path: FilePath

    private static let device: FilePath = "/dev/fuse"
    private static let helpers: [FilePath] = [
        "/usr/bin/fusermount3", "/bin/fusermount3", "/usr/local/bin/fusermount3",
    ]

    /// - Throws: ``MountError``: `notFound`, `unsupported` for what is no folder, `alreadyExists` for one that is not empty,
    ///   `inUse` for one where something is mounted; `FileError`.
    init(_ folder: FilePath, _ fileSystem: FileSystem = FileSystem()) throws {
        do {
            guard try fileSystem.exists(folder) else {
                throw MountError(.notFound, "no such folder", folder, remedy: .createFolder(folder))
            }
            let path = try fileSystem.resolve(folder)
            guard let found = try fileSystem.attributes(of: path), found.kind == .directory else {
                throw MountError(.unsupported, "not a folder", folder)
            }
            let above = try fileSystem.attributes(of: path.parentFolder)
            guard above?.device == found.device else {
                throw MountError(
                    .inUse, "something is mounted here already", folder, remedy: .chooseAnotherFolder)
            }
            guard try fileSystem.list(path).isEmpty else {
                throw MountError(
                    .alreadyExists, "the folder is not empty", folder, remedy: .chooseAnotherFolder)
            }
            self.path = path
        } catch let error as FileError where error.errno == .socketNotConnected {
            throw MountError(
                .inUse, "the program that mounted something here has ended", folder,
                remedy: .unmount(folder))
        }
    }

    /// What is said of a device that the kernel knows nothing of.
    private static let isMissing: [Errno] = [.operationNotSupportedByDevice, .noSuchAddressOrDevice]

    /// Whether the system has what mounting needs.
    /// - Throws: ``MountError``: `unsupported`, `denied`; `FileError`.
    static func checkSystem(_ fileSystem: FileSystem = FileSystem()) throws {
        guard try fileSystem.exists(device) else {
            throw MountError(
                .unsupported, "the system cannot mount file systems of programs: no such device", device,
                remedy: .serveByWebDAV)
        }
        do {
            try FileDescriptor.open(device, .readWrite, options: .closeOnExec).close()
        } catch let error as Errno where isMissing.contains(error) {
            throw MountError(
                .unsupported, "the system cannot mount file systems of programs: not supported by the kernel",
                device, remedy: .serveByWebDAV)
        } catch {
            throw MountError(.denied, "not permitted to mount file systems", device, remedy: .serveByWebDAV)
        }
        let hasHelper = try helpers.contains { try fileSystem.exists($0) }
        guard hasHelper || ProcessIdentity.user == 0 else {
            throw MountError(
                .denied, "not permitted to mount without fusermount3", remedy: .installLibfuse)
        }
    }
}
