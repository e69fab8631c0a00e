import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseTransfers
import ValiseXFTPClient

/// Where the journals of interrupted uploads are kept.
enum TransferStates {
    /// - Throws: ``OperationError`` with `notFound` where no folder is known.
    static func folder(_ folders: ValiseFolders) throws(OperationError) -> FilePath {
        guard let state = folders.state else {
            throw OperationError(
                .notFound, "no folder for upload journals. Nothing was sent.", need: .stateFolder)
        }
        return state.appending("uploads")
    }
}

/// The folder with the descriptions of a sent file, as the official command makes it.
enum DescriptionFolder {
    /// In bytes, so that a number and a suffix find space behind it.
    private static let longestName = 255 - "_999.xftp".utf8.count

    /// A name that is free: `NAME.xftp`, or with a number; and those before it, which are taken.
    /// - Throws: `FileError`; ``OperationError`` with `alreadyExists` after a thousand.
    static func free(for file: FilePath, in folder: FilePath) throws -> (free: FilePath, taken: [FilePath]) {
        let name = shortened(file.lastComponent?.string ?? "file")
        var taken: [FilePath] = []
        for number in 0..<1000 {
            let path = folder.appending(number == 0 ? "\(name).xftp" : "\(name)_\(number).xftp")
            if try !FileSystem().exists(path) { return (path, taken) }
            taken.append(path)
        }
        throw OperationError(
            .alreadyExists, "1000 description folders with this name already exist. Nothing was sent.",
            subject: folder.appending("\(name).xftp").string)
    }

    private static func shortened(_ name: String) -> String {
        var name = name
        while name.utf8.count > longestName { name.removeLast() }
        return name.isEmpty ? "file" : name
    }
}

extension DescriptionFolder {
    /// Sends a file over connections of its own, with a new folder for its descriptions.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - folder: where the folder is made.
    ///   - options: all but where descriptions go.
    ///   - proxy: relays are reached through it; nil for direct connections.
    ///   - send: does it, with the completed options and the place of the new folder.
    /// - Throws: as ``free(for:in:)``; ``OperationError`` with `notFound` where no folder for journals is known; whatever `send`
    ///   throws.
    static func sending<Sent: Sendable>(
        _ source: FilePath, in folder: FilePath, _ options: UploadOptions, through proxy: ProxyAddress?,
        _ context: OperationContext,
        _ send: (FileTransfers, UploadOptions, _ place: FilePath) async throws -> Sent
    ) async throws -> Sent {
        // What an earlier run of the same had written is among the folders that are taken.
        let place = try free(for: source, in: folder)
        var options = options
        options.descriptions = place.free
        options.previousDescriptions = place.taken
        let network = RelayNetwork(RelayConnectionOptions(through: proxy))
        return try await network.closing { [options] in
            let transfers = FileTransfers(relays: network, states: try TransferStates.folder(context.folders))
            return try await send(transfers, options, place.free)
        }
    }
}
