import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

/// Relays that the user chose: one address on a line, `#` before a comment.
enum KnownRelays {
    /// More than anybody writes by hand.
    private static let longest = 64 << 10

    /// Those of the user's own list, `relays` among the configuration; empty where there is none.
    /// - Throws: as ``read(_:)``.
    static func configured(_ folders: ValiseFolders) throws -> [RelayAccess] {
        guard let path = folders.relayList, try FileSystem().exists(path) else {
            return []
        }
        return try read(path)
    }

    /// Those of a file.
    /// - Throws: ``OperationError``: `denied` where others may read passwords in it, `invalid` for a line that is no
    ///   address; `FileError`.
    static func read(_ path: FilePath) throws -> [RelayAccess] {
        let bytes = try FileSystem().contents(of: path, limit: longest)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw OperationError(.invalid, "not a relay list: not valid UTF-8", subject: path.string)
        }
        var relays: [RelayAccess] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingSpaces
            if line.isEmpty || line.hasPrefix("#") { continue }
            do {
                relays.append(try RelayAccess(line))
            } catch {
                throw OperationError(
                    .invalid, "invalid relay address in line \(index + 1): \(error.message)",
                    subject: path.string)
            }
        }
        if relays.contains(where: { $0.password != nil }) { try checkIsPrivate(path) }
        return relays
    }

    private static func checkIsPrivate(_ path: FilePath) throws {
        guard let found = try FileSystem().attributes(of: FileSystem().resolve(path)) else { return }
        guard found.permissions.isDisjoint(with: [.groupRead, .otherRead]) else {
            throw OperationError(
                .denied, "contains relay passwords but is readable by other users", subject: path.string,
                remedy: .makePrivate(path, isFolder: false))
        }
    }
}

extension Substring {
    var trimmingSpaces: Substring {
        var text = self
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text.drop { $0.isWhitespace }
    }
}
