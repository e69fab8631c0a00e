package import SystemPackage
import ValiseFailures
package import ValiseFiles

/// The media folder of an account on disk.
package struct MediaFolder: MediaStore, Sendable {
    package let location: AccountLocation
    /// Where it is.
    package let folder: FilePath
    /// The same with links resolved, by which absolute paths of the database are recognized.
    private let resolved: FilePath?
    private let fileSystem: FileSystem

    /// - Throws: `FileError`.
    package init(_ location: AccountLocation, fileSystem: FileSystem) throws(FileError) {
        self.location = location
        folder = location.filesFolder
        resolved = try fileSystem.isDirectory(folder) ? try fileSystem.resolve(folder) : nil
        self.fileSystem = fileSystem
    }

    /// The path of a file of the store.
    package func path(_ name: String) -> FilePath { folder.appending(name) }

    package func find(_ path: String) throws -> MediaPlace {
        guard let name = name(of: path) else { return .elsewhere }
        guard self.path(name).string.utf8.count <= Self.longestPath else { return .impossibleName(name) }
        var here = folder
        for component in name.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            here.append(String(component))
            switch try kind(here) {
            case .directory: continue
            // A folder that is a link leads out of the account.
            case .symbolicLink: return .link(name: name)
            default: return .missing(name: name)
            }
        }
        return try place(name)
    }

    private func kind(_ path: FilePath) throws -> FileKind? {
        if path.lastComponent.map({ $0.string.utf8.count > Self.longestName }) ?? true { return nil }
        return try fileSystem.attributes(of: path)?.kind
    }

    /// What the system takes for one component, in bytes; it would refuse to look for a longer one.
    private static let longestName = 255
    /// What the system takes for a path, in bytes.
    private static let longestPath = 4095

    private func place(_ name: String) throws -> MediaPlace {
        let path = path(name)
        if path.lastComponent.map({ $0.string.utf8.count > Self.longestName }) ?? true {
            return .impossibleName(name)
        }
        guard let found = try fileSystem.attributes(of: path) else { return .missing(name: name) }
        switch found.kind {
        case .regular: return .file(name: name, size: found.size)
        case .symbolicLink: return .link(name: name)
        case .directory, .special: return .notAFile(name: name)
        }
    }

    /// Which file of the file system this is; nil where it is gone.
    /// - Throws: `FileError`.
    package func identity(_ name: String) throws(FileError) -> FileIdentity? {
        try fileSystem.attributes(of: path(name))?.identity
    }

    /// The path in the folder; nil for one that leads out of it.
    private func name(of path: String) -> String? {
        guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
        guard path.utf8.first == UInt8(ascii: "/") else { return Self.normal(path) }
        for root in [folder, resolved] {
            guard let root = root.map({ Array(($0.string + "/").utf8) }), path.utf8.starts(with: root) else {
                continue
            }
            return Self.normal(String(decoding: path.utf8.dropFirst(root.count), as: UTF8.self))
        }
        return nil
    }

    private static func normal(_ path: String) -> String? {
        // By bytes: a combining mark behind a slash makes one character of both.
        let components = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
            .filter { $0 != "." }
        guard !components.isEmpty, !components.contains("..") else { return nil }
        return components.joined(separator: "/")
    }

    /// The regular files that lie directly in the folder, as archives have them.
    package func forEach(_ body: (_ name: String, _ size: Int64) throws -> Void) throws {
        guard try fileSystem.isDirectory(folder) else { return }
        for entry in try fileSystem.list(folder) where entry.kind == .regular {
            guard let name = entry.name, let found = try fileSystem.attributes(of: path(name)) else {
                continue
            }
            try body(name, found.size)
        }
    }

    package func source(_ name: String) throws -> any ByteSource {
        try FileSource(path(name), fileSystem: fileSystem)
    }
}
