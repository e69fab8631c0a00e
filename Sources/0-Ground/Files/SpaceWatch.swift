package import SystemPackage

/// Watches the free space while a file is written whose size nobody knows before.
package struct SpaceWatch {
    /// What is missing, in bytes.
    package struct Shortage: Sendable, Equatable {
        package let needed: Int64
        package let free: Int64
    }

    private let folder: FilePath
    private let isNeededTwice: Bool
    private let fileSystem: FileSystem
    /// Up to this size the file fits.
    private var checked: Int64 = 0

    /// The free space is looked at before so many more bytes are written.
    package static let step: Int64 = 8 << 20
    /// So much is left to everybody else.
    package static let reserve: Int64 = 16 << 20

    /// - Parameters:
    ///   - folder: where the file is.
    ///   - isNeededTwice: whether so much has to fit in there once more.
    ///   - fileSystem: says how much is free.
    package init(in folder: FilePath, isNeededTwice: Bool = false, fileSystem: FileSystem = FileSystem()) {
        self.folder = folder
        self.isNeededTwice = isNeededTwice
        self.fileSystem = fileSystem
    }

    /// Before the file grows.
    ///
    /// - Parameter size: what it will have, in bytes.
    /// - Returns: nil where there is enough.
    /// - Throws: ``FileError``.
    package mutating func shortage(growingTo size: Int64) throws(FileError) -> Shortage? {
        guard size > checked else { return nil }
        checked = size + Self.step
        let needed = Self.step + Self.reserve + (isNeededTwice ? checked : 0)
        let free = try fileSystem.freeSpace(at: folder)
        return free < needed ? Shortage(needed: needed, free: free) : nil
    }
}
